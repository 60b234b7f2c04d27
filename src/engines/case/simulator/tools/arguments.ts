import type { JsonObject } from '../../../../gateway/exchange/json.ts';

/** A required string argument of a tool. */
export function required(tool: string, args: JsonObject, name: string): string {
  const value = args[name];
  if (typeof value === 'string') return value;
  throw new Error(
    `Validation failed for tool "${tool}":\n  - ${name}: must have required property '${name}'\n\nReceived arguments:\n${JSON.stringify(args, null, 2)}`,
  );
}

export const optionalNumber = (args: JsonObject, name: string): number | null => {
  const value = args[name];
  return typeof value === 'number' ? value : null;
};
