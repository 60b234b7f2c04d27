import canonicalize from 'canonicalize';

/** RFC 8785: equal values give equal bytes, so that a value can be identified by its digest. */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError('value has no JSON form');
  return text;
}

/** The format of every JSON document in a bundle: readable and deterministic. */
export function prettyJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
