/*
 * A pack writer by hand, because every run makes a base commit: for 5 files 1 ms instead of 28 ms with `git init`, `add` and `commit`, for 2000
 * files 0.18 s instead of 0.45 s (measured on one machine, side by side). It also needs no index, filter or configuration.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DigestedFile } from '../tree/digested-file.ts';
import { blobId, type Keep, objectId, type ObjectType } from './objects.ts';

interface PackedObject {
  readonly type: ObjectType;
  readonly id: string;
  readonly bytes: number;
  readonly pieces: () => Iterable<Uint8Array>;
}

/** Writes objects to a git directory of our own, without index, work tree or filters. */
export class PackedObjects {
  readonly #objects = new Map<string, PackedObject>();

  readonly keep: Keep = (type, content) => this.#add(type, objectId(type, content), content.length, () => [content]);

  /** Adds a file that is too large for memory. It is read twice and must not change in between. */
  keepFile(bytes: number, chunks: () => Iterable<Uint8Array>): string {
    return this.#add('blob', blobId(bytes, chunks()), bytes, chunks);
  }

  /**
   * Writes all objects as one pack. Nothing is compressed: that would take longer than most engines run, and thousands of
   * loose files longer still. Index version 1 needs no CRC per object.
   */
  write(gitDir: string, name = 'own'): void {
    const dir = join(gitDir, 'objects', 'pack');
    mkdirSync(dir, { recursive: true });
    const pack = new DigestedFile(join(dir, `pack-${name}.pack`), 'sha1');
    const places: Place[] = [];
    try {
      pack.write(Buffer.concat([Buffer.from('PACK'), uint32(2), uint32(this.#objects.size)]));
      for (const { type, id, bytes, pieces: chunks } of this.#objects.values()) {
        places.push({ id: Buffer.from(id, 'hex'), offset: pack.bytes });
        pack.write(objectHeader(type, bytes));
        for (const chunk of asStoredZlib(bytes, chunks())) pack.write(chunk);
      }
      writeFileSync(join(dir, `pack-${name}.idx`), packIndex(places, pack.endWithDigest()));
    } finally {
      pack.close();
    }
  }

  #add(type: ObjectType, id: string, bytes: number, chunks: PackedObject['pieces']): string {
    this.#objects.set(id, { type, id, bytes, pieces: chunks });
    return id;
  }
}

interface Place {
  readonly id: Buffer;
  readonly offset: number;
}

const TYPE_NUMBER = { commit: 1, tree: 2, blob: 3 } as const;

export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** Type and size: the lowest four bits of the size first, then seven bits per byte. */
function objectHeader(type: ObjectType, size: number): Buffer {
  const header = [(TYPE_NUMBER[type] << 4) | (size & 0x0f)];
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    header[header.length - 1] = (header.at(-1) ?? 0) | 0x80;
    header.push(rest & 0x7f);
  }
  return Buffer.from(header);
}

const STORED_BYTES = 0xffff;

/** A zlib stream (RFC 1950, 1951) of stored, uncompressed blocks. */
function* asStoredZlib(bytes: number, chunks: Iterable<Uint8Array>): Generator<Uint8Array> {
  yield Buffer.from([0x78, 0x01]);
  const sum = new Adler32();
  let left = bytes;
  if (bytes === 0) yield storedHeader(0, true);
  for (const chunk of chunks) {
    sum.add(chunk);
    for (let at = 0; at < chunk.length; at += STORED_BYTES) {
      const block = chunk.subarray(at, at + STORED_BYTES);
      left -= block.length;
      yield storedHeader(block.length, left === 0);
      yield block;
    }
  }
  if (left !== 0) throw new Error('a file changed while it was read');
  yield uint32(sum.value);
}

function storedHeader(length: number, isLast: boolean): Buffer {
  const header = Buffer.alloc(5);
  header[0] = isLast ? 1 : 0;
  header.writeUInt16LE(length, 1);
  header.writeUInt16LE(length ^ 0xffff, 3);
  return header;
}

/** Adler-32 (RFC 1950). */
class Adler32 {
  #low = 1;
  #high = 0;

  get value(): number {
    return this.#high * 0x10000 + this.#low;
  }

  add(chunk: Uint8Array): void {
    let low = this.#low;
    let high = this.#high;
    // The largest count that cannot overflow 32 bits.
    for (let at = 0; at < chunk.length;) {
      for (const end = Math.min(at + 3800, chunk.length); at < end; at += 1) {
        low += chunk[at] ?? 0;
        high += low;
      }
      low %= 65521;
      high %= 65521;
    }
    this.#low = low;
    this.#high = high;
  }
}

/** Version 1: the fan-out table, sorted offsets and ids, and both digests. */
function packIndex(places: readonly Place[], pack: Buffer): Buffer {
  const sorted = places.toSorted((a, b) => Buffer.compare(a.id, b.id));
  let upTo = 0;
  const fanout = Array.from({ length: 256 }, (_, byte) => {
    while ((sorted[upTo]?.id[0] ?? Infinity) <= byte) upTo += 1;
    return uint32(upTo);
  });
  const body = Buffer.concat([...fanout, ...sorted.flatMap(({ id, offset }) => [uint32(offset), id]), pack]);
  return Buffer.concat([body, createHash('sha1').update(body).digest()]);
}
