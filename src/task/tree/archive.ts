import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readlinkSync } from 'node:fs';
import { reason } from '../../evidence/reasons/catalogue.ts';
import { Refused } from '../../evidence/reasons/refused.ts';
import { writeFailed } from '../../evidence/storage/write-failed.ts';
import { messageOf } from '../../kernel/errors.ts';
import { pathText, pathBelow } from '../../kernel/path-text.ts';
import { DigestedFile } from './digested-file.ts';
import { BLOCK_BYTES, encodeHeader, padding } from './tar-header.ts';
import { chunkBuffer, chunksOfFile } from './walk.ts';

const RECORD_BYTES = 20 * BLOCK_BYTES;
const SLASH = Buffer.from('/');
const NOTHING = Buffer.alloc(0);

export interface Packed {
  readonly sha256: string;
  readonly bytes: number;
}

/**
 * Packs a tree as GNU tar, sorted, with fixed owner and time: equal trees give equal bytes, every file name, link and mode
 * is preserved, and any tar can open it. `only`: pack just these names, in this order.
 */
export function packTree(dir: string, file: string, only?: readonly Buffer[]): Packed {
  try {
    return writeArchive(new DigestedFile(file, 'sha256'), archiveOf(dir, only));
  } catch (error) {
    throw writeFailed(file, error);
  }
}

const TURN_BYTES = 4 * 1024 * 1024;

/** The same for a command that can be interrupted: signals are handled in between, and an aborted `signal` ends it with its reason. */
export async function packTreeUnless(
  signal: AbortSignal,
  dir: string,
  file: string,
  only: readonly Buffer[],
): Promise<Packed> {
  const archive = new DigestedFile(file, 'sha256');
  try {
    let turnsAt = TURN_BYTES;
    for (const chunk of archiveOf(dir, only)) {
      archive.write(chunk);
      if (archive.bytes < turnsAt) continue;
      turnsAt += TURN_BYTES;
      await new Promise((resolve) => setImmediate(resolve));
      signal.throwIfAborted();
    }
    return { sha256: archive.end().toString('hex'), bytes: archive.bytes };
  } finally {
    archive.close();
  }
}

/** What `packTree` would return, without writing anything. */
export function packedDigest(dir: string): Packed {
  const hash = createHash('sha256');
  let bytes = 0;
  for (const chunk of archiveOf(dir, undefined)) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { sha256: hash.digest('hex'), bytes };
}

function writeArchive(archive: DigestedFile, chunks: Iterable<Uint8Array>): Packed {
  try {
    for (const chunk of chunks) archive.write(chunk);
    return { sha256: archive.end().toString('hex'), bytes: archive.bytes };
  } finally {
    archive.close();
  }
}

/** The bytes of the archive. A chunk is valid until the next one is asked for. */
function* archiveOf(dir: string, only: readonly Buffer[] | undefined): Generator<Uint8Array> {
  let bytes = 2 * BLOCK_BYTES;
  for (const chunk of membersOf(dir, only)) {
    bytes += chunk.length;
    yield chunk;
  }
  yield Buffer.alloc(2 * BLOCK_BYTES + ((RECORD_BYTES - (bytes % RECORD_BYTES)) % RECORD_BYTES));
}

/** The bytes of the archive, without its end. What cannot be read is reported as that, not as a failed write. */
function* membersOf(dir: string, only: readonly Buffer[] | undefined): Generator<Uint8Array> {
  const buffer = chunkBuffer();
  try {
    for (const name of only ?? namesBelow(dir, Buffer.from('.'))) yield* member(dir, name, buffer);
  } catch (error) {
    throw new Refused(reason('tree_not_packed', { dir, why: messageOf(error) }), error);
  }
}

/** A path of `dir` and, for a directory, all below it: a directory comes before its entries. */
export function* namesBelow(dir: string, name: Buffer): Generator<Buffer> {
  yield name;
  const entries = readdirSync(pathBelow(dir, name), { encoding: 'buffer', withFileTypes: true });
  for (const entry of entries.sort((a, b) => Buffer.compare(a.name, b.name))) {
    const path = Buffer.concat([name, SLASH, entry.name]);
    if (entry.isDirectory()) yield* namesBelow(dir, path);
    else yield path;
  }
}

/** One file, link or directory (without its entries). */
function* member(dir: string, name: Buffer, buffer: Buffer): Generator<Uint8Array> {
  const path = pathBelow(dir, name);
  const stats = lstatSync(path);
  const mode = stats.mode & 0o7777;
  if (stats.isDirectory()) {
    yield encodeHeader({ kind: 'dir', path: Buffer.concat([name, SLASH]), mode, bytes: 0, target: NOTHING });
  } else if (stats.isSymbolicLink()) {
    const target = readlinkSync(path, { encoding: 'buffer' });
    yield encodeHeader({ kind: 'link', path: name, mode, bytes: 0, target });
  } else if (stats.isFile()) {
    yield encodeHeader({ kind: 'file', path: name, mode, bytes: stats.size, target: NOTHING });
    let left = stats.size;
    for (const chunk of chunksOfFile(path, buffer)) {
      left -= chunk.length;
      yield chunk;
    }
    if (left !== 0) throw new Error(`${pathText(name)} changed while it was read`);
    yield Buffer.alloc(padding(stats.size));
  } else {
    throw new Error(`${pathText(name)} is not a file, directory or link`);
  }
}
