import { parse } from 'smol-toml';

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** JSON with comments and trailing commas, as in tsconfig.json. Undefined: it does not parse. */
export function parseJsonc(text: string): unknown {
  try {
    return JSON.parse(
      withoutComments(text.replace(/^\uFEFF/, '')).replaceAll(/"(?:[^"\\\n]|\\.)*"|,(?=\s*[}\]])/g, (part) =>
        part === ',' ? '' : part,
      ),
    );
  } catch {
    return undefined;
  }
}

/** Not by a regular expression, since the text may be hostile: a pattern for unterminated comments is slow. */
function withoutComments(text: string): string {
  let plain = '';
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === '"') {
      for (at += 1; at < text.length && text.charAt(at) !== '"'; at += 1) if (text.charAt(at) === '\\') at += 1;
    } else if (char === '/' && (text.charAt(at + 1) === '/' || text.charAt(at + 1) === '*')) {
      const isLine = text.charAt(at + 1) === '/';
      const end = text.indexOf(isLine ? '\n' : '*/', at + 2);
      plain += `${text.slice(from, at)} `;
      from = end < 0 ? text.length : end + (isLine ? 0 : 2);
      at = from - 1;
    }
  }
  return plain + text.slice(from);
}

/** Undefined: it does not parse. */
export function parseToml(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

/** The value at a path of keys. */
export function valueAt(value: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined) return value;
  return isRecord(value) ? valueAt(value[key], rest) : undefined;
}

/** All strings in a value, at any depth. */
export function stringsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(stringsIn);
  return isRecord(value) ? Object.values(value).flatMap(stringsIn) : [];
}
