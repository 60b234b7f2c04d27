import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  futimesSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  openSync,
  rmSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { reason } from '../../evidence/reasons/catalogue.ts';
import { Refused } from '../../evidence/reasons/refused.ts';
import { writeFully } from '../../evidence/storage/write-fully.ts';
import { messageOf, systemCode } from '../../kernel/errors.ts';
import { pathText } from '../../kernel/path-text.ts';
import { type Member, readArchive } from './read-archive.ts';

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;

/**
 * Unpacks an archive into a new directory. The archive may be hostile: nothing is written outside the directory, and no link of
 * the archive is followed. Modes and times are the archive's; the caller owns everything.
 */
export function unpackTree(file: string, dir: string): void {
  mkdirSync(dir, { recursive: true });
  try {
    const laid = new Laying(dir);
    for (const member of readArchive(file)) laid.lay(member);
    laid.finish();
  } catch (error) {
    throw new Refused(reason('tree_not_unpacked', { file, dir, why: messageOf(error) }), error);
  }
}

class Laying {
  readonly #dir: string;
  /** Real directories below `#dir`, by their names as latin1. */
  readonly #dirs = new Set(['']);
  /** Modes of directories that are not writable to their owner; set after everything is unpacked. */
  readonly #later: { readonly path: Buffer; readonly mode: number; readonly modified: number }[] = [];

  constructor(dir: string) {
    this.#dir = dir;
  }

  lay(member: Member): void {
    const name = plainName(member.path);
    const path = Buffer.from(`${this.#dir}/${name}`, 'latin1');
    if (member.kind === 'dir') {
      this.#enter(name);
      this.#later.push({ path, mode: member.mode, modified: member.modified });
      return;
    }
    this.#enter(name.slice(0, Math.max(0, name.lastIndexOf('/'))));
    if (member.kind === 'link') {
      replacing(path, () => symlinkSync(member.target, path));
      lutimesSync(path, member.modified, member.modified);
    } else layFile(member, path);
  }

  finish(): void {
    for (const { path, mode, modified } of this.#later.toReversed()) {
      utimesSync(path, modified, modified);
      chmodSync(path, mode & 0o7777);
    }
  }

  /** Creates a directory and its missing parents. */
  #enter(name: string): void {
    if (this.#dirs.has(name)) return;
    this.#enter(name.slice(0, Math.max(0, name.lastIndexOf('/'))));
    const path = Buffer.from(`${this.#dir}/${name}`, 'latin1');
    try {
      mkdirSync(path);
    } catch (error) {
      if (systemCode(error) !== 'EEXIST' || !lstatSync(path).isDirectory()) throw error;
    }
    this.#dirs.add(name);
  }
}

/** The relative path without `./` and surrounding slashes, as latin1, which preserves every byte. */
function plainName(path: Buffer): string {
  const parts = path.toString('latin1').split('/');
  if (parts[0] === '' || parts.includes('..'))
    throw new Error(`it contains ${pathText(path)}, which is outside the directory`);
  return parts.filter((part) => part !== '' && part !== '.').join('/');
}

function layFile({ pieces: chunks, mode, modified }: Member, path: Buffer): void {
  const fd = replacing(path, () => openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600));
  try {
    for (const chunk of chunks()) writeFully(fd, chunk);
    fchmodSync(fd, mode & 0o7777);
    futimesSync(fd, modified, modified);
  } finally {
    closeSync(fd);
  }
}

/** Removes an existing entry, unless it is a directory. */
function replacing<T>(path: Buffer, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
    rmSync(path);
    return make();
  }
}
