import { lstatSync, readdirSync, readlinkSync } from 'node:fs';
import { reportingWrite } from '../../evidence/storage/write-failed.ts';
import { messageOf, SeatrialError } from '../../kernel/errors.ts';
import { pathText } from '../../kernel/path-text.ts';
import { writeFully } from '../../evidence/storage/write-fully.ts';
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
  const archive = reportingWrite(
    file,
    () => new DigestedFile(file, 'sha256', (fd, bytes) => reportingWrite(file, () => writeFully(fd, bytes))),
  );
  const write = (bytes: Uint8Array): void => archive.write(bytes);
  try {
    const add = adding(dir, write);
    if (only === undefined) addAll(add, dir, Buffer.from('.'));
    else only.forEach(add);
    const end = 2 * BLOCK_BYTES;
    write(Buffer.alloc(end + ((RECORD_BYTES - ((archive.bytes + end) % RECORD_BYTES)) % RECORD_BYTES)));
    return { sha256: archive.end().toString('hex'), bytes: archive.bytes };
  } catch (error) {
    if (error instanceof SeatrialError) throw error;
    throw new SeatrialError('blocked', `cannot pack ${dir}: ${messageOf(error)}`, error);
  } finally {
    archive.close();
  }
}

/** Adds one file, link or directory (without its contents) to an archive. */
type Add = (name: Buffer) => 'file' | 'link' | 'dir';

function addAll(add: Add, dir: string, name: Buffer): void {
  if (add(name) !== 'dir') return;
  for (const entry of readdirSync(inside(dir, name), { encoding: 'buffer' }).sort(Buffer.compare))
    addAll(add, dir, Buffer.concat([name, SLASH, entry]));
}

function adding(dir: string, write: (bytes: Uint8Array) => void): Add {
  const buffer = chunkBuffer();
  return (name) => {
    const path = inside(dir, name);
    const stats = lstatSync(path);
    const mode = stats.mode & 0o7777;
    if (stats.isDirectory()) {
      write(encodeHeader({ kind: 'dir', path: Buffer.concat([name, SLASH]), mode, bytes: 0, target: NOTHING }));
      return 'dir';
    }
    if (stats.isSymbolicLink()) {
      const target = readlinkSync(path, { encoding: 'buffer' });
      write(encodeHeader({ kind: 'link', path: name, mode, bytes: 0, target }));
      return 'link';
    }
    if (!stats.isFile()) throw new Error(`${pathText(name)} is not a file, directory or link`);
    write(encodeHeader({ kind: 'file', path: name, mode, bytes: stats.size, target: NOTHING }));
    let left = stats.size;
    for (const chunk of chunksOfFile(path, buffer)) {
      left -= chunk.length;
      write(chunk);
    }
    if (left !== 0) throw new Error(`${pathText(name)} changed while it was read`);
    write(Buffer.alloc(padding(stats.size)));
    return 'file';
  };
}

const inside = (dir: string, name: Buffer): Buffer => Buffer.concat([Buffer.from(`${dir}/`), name]);
