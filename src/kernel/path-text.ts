/**
 * File names are bytes; reports are text. Plain UTF-8 names are kept as they are; all others are quoted the way
 * git quotes them ("a\377\n"), so that names and texts map one to one.
 */
export function pathText(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  const plain = !/[\u0000-\u001f\u007f"\\]/.test(text) && Buffer.from(text, 'utf8').equals(bytes);
  return plain ? text : quotePath(bytes);
}

const SHORT_ESCAPES: Record<number, string> = {
  7: '\\a',
  8: '\\b',
  9: '\\t',
  10: '\\n',
  11: '\\v',
  12: '\\f',
  13: '\\r',
  34: '\\"',
  92: '\\\\',
};

/** Git's C-style quoting. */
export function quotePath(bytes: Buffer): string {
  let out = '"';
  for (const byte of bytes) {
    const short = SHORT_ESCAPES[byte];
    if (short !== undefined) out += short;
    else if (byte < 32 || byte > 126) out += `\\${byte.toString(8).padStart(3, '0')}`;
    else out += String.fromCharCode(byte);
  }
  return `${out}"`;
}

const ESCAPED_BYTES = new Map(Object.entries(SHORT_ESCAPES).map(([byte, text]) => [text[1], Number(byte)]));

/** The inverse of `pathText`. */
export function pathBytes(text: string): Buffer {
  if (!(text.length >= 2 && text.startsWith('"') && text.endsWith('"'))) return Buffer.from(text, 'utf8');
  const bytes: number[] = [];
  for (let at = 1; at < text.length - 1;) {
    const octal = /^\\([0-7]{3})/.exec(text.slice(at, at + 4))?.[1];
    if (octal !== undefined) {
      bytes.push(Number.parseInt(octal, 8));
      at += 4;
    } else if (text[at] === '\\') {
      const byte = ESCAPED_BYTES.get(text[at + 1]);
      if (byte === undefined) throw new TypeError(`not a quoted path: ${text}`);
      bytes.push(byte);
      at += 2;
    } else {
      bytes.push(text.charCodeAt(at));
      at += 1;
    }
  }
  return Buffer.from(bytes);
}

/** Whether a text names a path or something below it. `/srv/app` is not named by `/srv/app-old` or `/mnt/srv/app`. */
export function mentionsPath(text: string, path: string): boolean {
  const plain = path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(?<![\\w.~-])${plain}(?![\\w-]|\\.\\w)`, 'u').test(text.replace(/\/(\.?\/)+/g, '/'));
}

/** Both absolute and normalized; compares the texts only. */
export function isWithin(path: string, dir: string): boolean {
  return path === dir || path.startsWith(dir === '/' ? '/' : `${dir}/`);
}

/** The path of an entry of a tree, whose name may not be UTF-8. */
export function pathBelow(dir: string, name: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${dir}/`), name]);
}
