/**
 * What a wire's request may contain. A value that fits no shape is dropped; a part of a conversation, a tool or a
 * reference that is not listed refuses the request. Every shape keeps only what it names.
 */
export type AllowedValue =
  /** A string, number, boolean or null. */
  | { readonly kind: 'plain' }
  | { readonly kind: 'boolean' }
  /** A whole number above 0. */
  | { readonly kind: 'count' }
  /** Any JSON, for values that the provider shows to the model and does not act on. */
  | { readonly kind: 'data' }
  /** A JSON schema, in which all references must be internal. */
  | { readonly kind: 'schema' }
  /** A `data:` URL of an allowed media type. Every other address is refused. */
  | { readonly kind: 'data_url' }
  | { readonly kind: 'media_type' }
  | { readonly kind: 'one_of'; readonly values: readonly string[] }
  /** Sent with this value, whatever the engine asked for. `added`: also if it did not ask. */
  | { readonly kind: 'fixed'; readonly value: boolean; readonly added: boolean }
  | { readonly kind: 'map'; readonly of: AllowedValue }
  | { readonly kind: 'list'; readonly of: AllowedValue }
  /** A string, or the other shape. */
  | { readonly kind: 'text_or'; readonly other: AllowedValue }
  | AllowedObject
  | TaggedObject;

export interface AllowedObject {
  readonly kind: 'object';
  readonly fields: Readonly<Record<string, AllowedValue>>;
  /** What is sent even if the engine does not. */
  readonly added: readonly { readonly name: string; readonly value: boolean }[];
  /** The name of a part whose unknown keys refuse the request instead of being dropped. */
  readonly refusesUnknown: string | null;
}

/** An object whose `type` selects its fields. An unknown type refuses the request. */
export interface TaggedObject {
  readonly kind: 'tagged';
  /** Names the part in a refusal: `tool`, `content`. */
  readonly part: string;
  readonly variants: Readonly<Record<string, AllowedObject>>;
  /** The variant of objects without a type; null: refused. */
  readonly untyped: string | null;
}

export const plain: AllowedValue = { kind: 'plain' };
export const boolean: AllowedValue = { kind: 'boolean' };
export const positiveInteger: AllowedValue = { kind: 'count' };
export const data: AllowedValue = { kind: 'data' };
export const schema: AllowedValue = { kind: 'schema' };
export const dataUrl: AllowedValue = { kind: 'data_url' };
export const mediaType: AllowedValue = { kind: 'media_type' };
export const oneOf = (...values: readonly string[]): AllowedValue => ({ kind: 'one_of', values });
export const always = (value: boolean): AllowedValue => ({ kind: 'fixed', value, added: true });
export const ifGiven = (value: boolean): AllowedValue => ({ kind: 'fixed', value, added: false });
export const mapOf = (of: AllowedValue): AllowedValue => ({ kind: 'map', of });
export const listOf = (of: AllowedValue): AllowedValue => ({ kind: 'list', of });
export const textOr = (other: AllowedValue): AllowedValue => ({ kind: 'text_or', other });

export function object(
  fields: Readonly<Record<string, AllowedValue>>,
  refusesUnknown: string | null = null,
): AllowedObject {
  const added = Object.entries(fields).flatMap(([name, field]) =>
    field.kind === 'fixed' && field.added ? [{ name, value: field.value }] : [],
  );
  return { kind: 'object', fields, added, refusesUnknown };
}

export const tagged = (
  part: string,
  variants: Readonly<Record<string, AllowedObject>>,
  untyped: string | null = null,
): TaggedObject => ({
  kind: 'tagged',
  part,
  variants: Object.fromEntries(
    Object.entries(variants).map(([type, { fields, refusesUnknown }]) => [
      type,
      object({ type: plain, ...fields }, refusesUnknown),
    ]),
  ),
  untyped,
});

/** Fields with plain values. */
export const plains = (...names: readonly string[]): Record<string, AllowedValue> =>
  Object.fromEntries(names.map((name) => [name, plain]));
