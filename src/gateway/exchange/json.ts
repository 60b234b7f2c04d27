export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const NOTHING: JsonObject = {};

/** These readers are lenient: a missing value or one of the wrong type reads as empty. */
export const objectIn = (value: unknown): JsonObject => (isObject(value) ? value : NOTHING);
export const objectsIn = (value: unknown): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : [];
export const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');
export const countIn = (value: unknown): number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0;

/** Returns undefined, which JSON cannot express, for invalid JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
