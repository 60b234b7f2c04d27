import { createHash, type Hash } from 'node:crypto';
import { closeSync, type Dirent, fstatSync, openSync, readdirSync, readSync } from 'node:fs';
import { sha256 } from '../../kernel/digest.ts';
import { messageOf } from '../../kernel/errors.ts';
import { pathText } from '../../kernel/path-text.ts';

/** One regular file, as it was when read. */
export interface TreeFile {
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly modifiedAt: string;
  /** Only for files that the caller asked to keep. */
  readonly content: Buffer | null;
}

export interface FileTreeFault {
  readonly path: string;
  readonly text: string;
}

/** Faults: entries that a bundle must not contain (links, pipes, devices), and files that could not be read. */
export interface FileTree {
  readonly files: readonly TreeFile[];
  readonly faults: readonly FileTreeFault[];
}

export interface TreeReading {
  /** Selects the files whose content is returned. */
  readonly keep?: (path: string) => boolean;
}

const WHOLE_FILE_BYTES = 8 * 1024 * 1024;
const CHUNK_BYTES = 64 * 1024;

/** Reads every file below a directory. Synchronous: four times as fast for the many small files of a bundle. */
export function readFileTree(root: string, reading: TreeReading = {}): FileTree {
  const files: TreeFile[] = [];
  const faults: FileTreeFault[] = [];
  const visit = (dir: Buffer, prefix: Buffer): void => {
    for (const entry of namesOf(dir, prefix, faults)) {
      const relative = Buffer.concat([prefix, entry.name]);
      const absolute = Buffer.concat([dir, SLASH, entry.name]);
      if (entry.isDirectory()) {
        visit(absolute, Buffer.concat([relative, SLASH]));
        continue;
      }
      const path = pathText(relative);
      if (!entry.isFile()) {
        faults.push({ path, text: 'is neither a regular file nor a directory' });
        continue;
      }
      try {
        files.push(readOne(absolute, path, reading));
      } catch (error) {
        faults.push({ path, text: `cannot be read (${messageOf(error)})` });
      }
    }
  };
  visit(Buffer.from(root), Buffer.alloc(0));
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { files, faults };
}

const SLASH = Buffer.from('/');

function namesOf(dir: Buffer, prefix: Buffer, faults: FileTreeFault[]): readonly Dirent<Buffer>[] {
  try {
    return readdirSync(dir, { withFileTypes: true, encoding: 'buffer' });
  } catch (error) {
    faults.push({ path: pathText(prefix) || '.', text: `cannot be read (${messageOf(error)})` });
    return [];
  }
}

function readOne(file: Buffer, path: string, { keep }: TreeReading): TreeFile {
  const fd = openSync(file, 'r');
  try {
    const { size, mtime } = fstatSync(fd);
    const kept = keep?.(path) ?? false;
    const whole = kept || size <= WHOLE_FILE_BYTES ? readChunk(fd, Buffer.allocUnsafe(size)) : null;
    const facts = whole === null ? digestInChunks(fd) : { sha256: sha256(whole), bytes: whole.length };
    return { path, ...facts, modifiedAt: mtime.toISOString(), content: kept ? whole : null };
  } finally {
    closeSync(fd);
  }
}

/** Size and SHA-256 of one file of any size. */
export function digestFile(path: string): { readonly sha256: string; readonly bytes: number } {
  const fd = openSync(path, 'r');
  try {
    return digestInChunks(fd);
  } finally {
    closeSync(fd);
  }
}

/** Reads until the buffer is full or the file ends. */
function readChunk(fd: number, buffer: Buffer): Buffer {
  let filled = 0;
  while (filled < buffer.length) {
    const got = readSync(fd, buffer, filled, buffer.length - filled, null);
    if (got === 0) break;
    filled += got;
  }
  return buffer.subarray(0, filled);
}

function digestInChunks(fd: number): { readonly sha256: string; readonly bytes: number } {
  const hash: Hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  let bytes = 0;
  for (let chunk = readChunk(fd, buffer); chunk.length > 0; chunk = readChunk(fd, buffer)) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { sha256: hash.digest('hex'), bytes };
}
