import { parse } from 'smol-toml';

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** JSON as TypeScript's settings have it: with comments and commas at the end. Undefined: it does not parse. */
export function parseJsonc(text: string): unknown {
  // A string, a comment, or a comma before a closing bracket; strings are matched so that nothing inside them is taken away.
  const plain = text
    .replace(/^\uFEFF/, '')
    .replace(/"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[^]*?\*\//g, (part) => (part.startsWith('"') ? part : ' '))
    .replace(/"(?:[^"\\\n]|\\.)*"|,(?=\s*[}\]])/g, (part) => (part === ',' ? '' : part));
  try {
    return JSON.parse(plain);
  } catch {
    return undefined;
  }
}

/** Undefined: it does not parse. */
export function parseToml(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

/** What stands under these keys, one in the other. */
export function valueAt(value: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined) return value;
  return isRecord(value) ? valueAt(value[key], rest) : undefined;
}

/** All texts in a value, however deep. */
export function stringsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(stringsIn);
  return isRecord(value) ? Object.values(value).flatMap(stringsIn) : [];
}
