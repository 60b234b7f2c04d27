/*
 * Tar by hand: file names are bytes here, and the archives of a run must be the same bytes on every machine. The packages for tar take names
 * as text and write times and owners of their own.
 */
/** One thing in an archive, without its content. `path` is in bytes, as the archive has it. */
export interface TarHeader {
  readonly kind: 'file' | 'link' | 'dir';
  readonly path: Buffer;
  readonly mode: number;
  readonly bytes: number;
  /** Links only. */
  readonly target: Buffer;
  /** Seconds. */
  readonly modified: number;
}

export const BLOCK_BYTES = 512;
const NAME_BYTES = 100;
const LONG = { L: Buffer.from('././@LongLink'), K: Buffer.from('././@LongLink') } as const;
const TYPE = { file: '0', link: '2', dir: '5' } as const;

/** GNU format with fixed owner and time, so that the bytes are reproducible. Long names go into entries before the header. */
export function encodeHeader({ kind, path, mode, bytes, target }: Omit<TarHeader, 'modified'>): Buffer {
  return Buffer.concat([
    ...(target.length > NAME_BYTES ? longName('K', target) : []),
    ...(path.length > NAME_BYTES ? longName('L', path) : []),
    block({ name: path, mode, bytes, type: TYPE[kind], link: target }),
  ]);
}

function longName(type: keyof typeof LONG, name: Buffer): Buffer[] {
  const bytes = name.length + 1;
  const header = block({ name: LONG[type], mode: 0o644, bytes, type, link: Buffer.alloc(0) });
  return [header, name, Buffer.alloc(1 + padding(bytes))];
}

/** Zeros that pad content to a full block. */
export function padding(bytes: number): number {
  return (BLOCK_BYTES - (bytes % BLOCK_BYTES)) % BLOCK_BYTES;
}

interface Block {
  readonly name: Buffer;
  readonly mode: number;
  readonly bytes: number;
  readonly type: string;
  readonly link: Buffer;
}

function block({ name, mode, bytes, type, link }: Block): Buffer {
  const header = Buffer.alloc(BLOCK_BYTES);
  name.copy(header, 0, 0, NAME_BYTES);
  header.write(`${octal(mode, 7)}\0${octal(0, 7)}\0${octal(0, 7)}\0`, 100, 'latin1');
  writeSize(header, bytes);
  header.write(`${octal(0, 11)}\0        ${type}`, 136, 'latin1');
  link.copy(header, 157, 0, NAME_BYTES);
  header.write('ustar  \0', 257, 'latin1');
  header.write(`${octal(sumOf(header), 6)}\0 `, 148, 'latin1');
  return header;
}

const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, '0');

/** From 8 GiB on, octal digits do not suffice: the size is binary, marked by the first bit. */
function writeSize(header: Buffer, bytes: number): void {
  if (bytes < 8 ** 11) {
    header.write(`${octal(bytes, 11)}\0`, 124, 'latin1');
    return;
  }
  header[124] = 0x80;
  header.writeBigUInt64BE(BigInt(bytes), 128);
}

/** Sum of all bytes, with the checksum field counted as blanks. */
function sumOf(header: Buffer): number {
  let sum = 0;
  for (const byte of header) sum += byte;
  return sum;
}

/** Parses a 512-byte header in GNU or POSIX format. Throws for any other. */
export function decodeHeader(header: Buffer): Block & { readonly modified: number } {
  const blank = Buffer.from(header);
  blank.fill(' ', 148, 156);
  if (number(header, 148, 8) !== sumOf(blank)) throw new Error('it is damaged: header checksum mismatch');
  const isPosix = header.toString('latin1', 257, 263) === 'ustar\0';
  const prefix = isPosix ? text(header, 345, 155) : Buffer.alloc(0);
  const name = text(header, 0, NAME_BYTES);
  return {
    name: prefix.length === 0 ? name : Buffer.concat([prefix, Buffer.from('/'), name]),
    mode: number(header, 100, 8),
    bytes: number(header, 124, 12),
    modified: number(header, 136, 12),
    type: header.toString('latin1', 156, 157),
    link: text(header, 157, NAME_BYTES),
  };
}

function text(header: Buffer, start: number, length: number): Buffer {
  const field = header.subarray(start, start + length);
  const end = field.indexOf(0);
  return Buffer.from(end === -1 ? field : field.subarray(0, end));
}

function number(header: Buffer, start: number, length: number): number {
  if (header[start] === 0x80) return Number(header.readBigUInt64BE(start + length - 8));
  const digits = text(header, start, length).toString('latin1').trim();
  if (!/^[0-7]*$/.test(digits)) throw new Error('it is damaged: invalid number in a header');
  return digits === '' ? 0 : Number.parseInt(digits, 8);
}
