/** One encoding of a value. */
export interface Form {
  readonly bytes: Buffer;
  /** Allow white space between characters: encoders break lines. */
  readonly wrapped: boolean;
}

/** A value verbatim and in common encodings: quoted, URL-encoded, hex, inside base64. */
export function formsOf(value: Buffer): Form[] {
  const plain = [value, ...quoted(value), ...urlEncoded(value)].map((bytes) => ({ bytes, wrapped: false }));
  const encoded = [...inHex(value), ...inBase64(value)].map((bytes) => ({ bytes, wrapped: true }));
  const seen = new Set<string>();
  return [...plain, ...encoded].filter(({ bytes }) => {
    const key = bytes.toString('latin1');
    return seen.has(key) ? false : seen.add(key);
  });
}

/** As a string literal in JSON, Python and shell. */
function quoted(value: Buffer): Buffer[] {
  const text = value.toString('utf8');
  const json = JSON.stringify(text).slice(1, -1);
  const ascii = json.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const slashes = json.replaceAll('/', String.raw`\/`);
  const python = json.replaceAll(String.raw`\"`, '"');
  const shells = [String.raw`'\''`, `'"'"'`].map((quote) => text.replaceAll("'", quote));
  return [json, ascii, slashes, python, python.replaceAll("'", String.raw`\'`), ...shells].map((form) =>
    Buffer.from(form),
  );
}

/** Encoders differ in which characters they escape, and in the case of hex digits. */
function urlEncoded(value: Buffer): Buffer[] {
  const strict = value.toString('latin1').replace(/[^A-Za-z0-9_.~-]/g, percent);
  const loose = strict.replace(/%(?:2[1789A])/g, (code) => decodeURIComponent(code));
  const all = [loose, strict, strict.replaceAll('%20', '+')];
  const lower = all.map((form) => form.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()));
  return [...all, ...lower].map((form) => Buffer.from(form, 'latin1'));
}

const percent = (byte: string): string => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;

function inHex(value: Buffer): Buffer[] {
  const hex = value.toString('hex');
  return [hex, hex.toUpperCase()].map((form) => Buffer.from(form));
}

/** For each of the three alignments, the base64 characters that depend on the value alone. */
function inBase64(value: Buffer): Buffer[] {
  return [0, 1, 2].flatMap((before) => {
    const padded = Buffer.concat([Buffer.alloc(before), value]);
    const first = Math.ceil((before * 8) / 6);
    const end = Math.floor((padded.length * 8) / 6);
    const alphabets = ['base64', 'base64url'] as const;
    return alphabets.map((alphabet) => Buffer.from(padded.toString(alphabet).slice(first, end)));
  });
}
