const INVALID = 0xdc00;

/**
 * A path's bytes as text that names are matched on. Unlike `pathText` it quotes nothing, so that the parts of a path stay what they are;
 * a byte that is no UTF-8 becomes a lone surrogate, so that two paths never share a name.
 */
export function pathName(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  return Buffer.from(text, 'utf8').equals(bytes) ? text : decodeByteByByte(bytes);
}

function decodeByteByByte(bytes: Buffer): string {
  let name = '';
  for (let at = 0; at < bytes.length;) {
    const length = sequenceLength(bytes, at);
    name += length === 0 ? String.fromCharCode(INVALID + (bytes[at] ?? 0)) : bytes.toString('utf8', at, at + length);
    at += Math.max(1, length);
  }
  return name;
}

/** The length in bytes of the character that starts here; 0: not a valid character. */
function sequenceLength(bytes: Buffer, at: number): number {
  for (let length = 1; length <= 4 && at + length <= bytes.length; length += 1) {
    const piece = bytes.subarray(at, at + length);
    if (Buffer.from(piece.toString('utf8'), 'utf8').equals(piece)) return length;
  }
  return 0;
}

/** The inverse of `pathName`. */
export function pathNameBytes(name: string): Buffer {
  if (isPlain(name)) return Buffer.from(name, 'latin1');
  return Buffer.concat(
    Array.from(name, (char) => {
      const code = char.charCodeAt(0);
      const isByte = char.length === 1 && code >= INVALID + 0x80 && code <= INVALID + 0xff;
      return isByte ? Buffer.from([code - INVALID]) : Buffer.from(char, 'utf8');
    }),
  );
}

/** Most names are plain: every byte is one character. */
const isPlain = (name: string): boolean => !/[\u0080-\uffff]/.test(name);

/** From a path as latin1, which is a tree's key, to its name. */
export const nameOfKey = (key: string): string => (isPlain(key) ? key : pathName(Buffer.from(key, 'latin1')));

export const keyOfName = (name: string): string => (isPlain(name) ? name : pathNameBytes(name).toString('latin1'));
