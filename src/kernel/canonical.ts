import canonicalize from 'canonicalize';

/** RFC 8785: one byte sequence for one value, so that a digest of a value means something. */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError('value has no JSON form');
  return text;
}

/** How every JSON document of a bundle is written: readable, and the same bytes for the same value. */
export function prettyJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
