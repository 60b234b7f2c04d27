/**
 * What a wire's request may contain. A value that fits no shape is dropped; a part of a conversation, a tool or a
 * reference that is not listed refuses the request. Every shape keeps only what it names.
 */
export type Shape =
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
  | { readonly kind: 'map'; readonly of: Shape }
  | { readonly kind: 'list'; readonly of: Shape }
  /** A string, or the other shape. */
  | { readonly kind: 'text_or'; readonly other: Shape }
  | ObjectShape
  | TaggedShape;

export interface ObjectShape {
  readonly kind: 'object';
  readonly fields: Readonly<Record<string, Shape>>;
  /** The name of a part whose unknown keys refuse the request instead of being dropped. */
  readonly refusesUnknown: string | null;
}

/** An object whose `type` selects its fields. An unknown type refuses the request. */
export interface TaggedShape {
  readonly kind: 'tagged';
  /** Names the part in a refusal: `tool`, `content`. */
  readonly part: string;
  readonly variants: Readonly<Record<string, ObjectShape>>;
  /** The variant of objects without a type; null: refused. */
  readonly untyped: string | null;
}

export const plain: Shape = { kind: 'plain' };
export const boolean: Shape = { kind: 'boolean' };
export const count: Shape = { kind: 'count' };
export const data: Shape = { kind: 'data' };
export const schema: Shape = { kind: 'schema' };
export const dataUrl: Shape = { kind: 'data_url' };
export const mediaType: Shape = { kind: 'media_type' };
export const oneOf = (...values: readonly string[]): Shape => ({ kind: 'one_of', values });
export const always = (value: boolean): Shape => ({ kind: 'fixed', value, added: true });
export const ifGiven = (value: boolean): Shape => ({ kind: 'fixed', value, added: false });
export const mapOf = (of: Shape): Shape => ({ kind: 'map', of });
export const listOf = (of: Shape): Shape => ({ kind: 'list', of });
export const textOr = (other: Shape): Shape => ({ kind: 'text_or', other });

export const object = (fields: Readonly<Record<string, Shape>>, refusesUnknown: string | null = null): ObjectShape => ({
  kind: 'object',
  fields,
  refusesUnknown,
});

export const tagged = (
  part: string,
  variants: Readonly<Record<string, ObjectShape>>,
  untyped: string | null = null,
): TaggedShape => ({
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
export const plains = (...names: readonly string[]): Record<string, Shape> =>
  Object.fromEntries(names.map((name) => [name, plain]));
