import { createHash } from 'node:crypto';
import { type BigIntStats, closeSync, lstatSync, openSync, readdirSync, readlinkSync, readSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { sha256 } from '../../kernel/digest.ts';
import { SeatrialError, systemCode } from '../../kernel/errors.ts';
import type { LiveProject } from '../live/read.ts';
import { ENGINE_DIR } from '../pin/pinned.ts';
import type { Fingerprint } from './schema.ts';

type FixedFile = Fingerprint['fixed']['files'][number];
type GrowingFile = Fingerprint['growing'][number];

/** Below `log_dir`: what agents and their watchdog make while they work. It says nothing about whether the project was touched from outside. */
const AGENTS_OWN = new Set(['agents', 'archive', 'checkpoint', 'clones', 'cutover', 'protocol', 'runs']);
const GROWS = /(\.log|\.jsonl)$/;

export interface FileSet {
  readonly fixed: readonly FixedFile[];
  readonly growing: readonly GrowingFile[];
}

/** Every file of a project that an outsider could have touched, by absolute path. Reads and writes nothing else. */
export function fingerprintFiles(live: LiveProject, also: readonly string[], except: readonly string[]): FileSet {
  const left = new Set(except.map((path) => resolve(live.dir, path)));
  const paths = new Set<string>();
  const add = (path: string): void => {
    if (!left.has(path)) paths.add(path);
  };
  const walk = (dir: string, skip: (path: string, name: string) => boolean): void => {
    for (const entry of entriesOf(dir)) {
      const path = join(dir, entry.name);
      if (left.has(path) || skip(path, entry.name)) continue;
      if (entry.isDirectory()) walk(path, skip);
      else if (entry.isFile() || entry.isSymbolicLink()) add(path);
    }
  };
  const isRepository = (path: string): boolean =>
    lstatSync(join(path, '.git'), { throwIfNoEntry: false }) !== undefined;
  walk(live.dir, (path, name) => {
    if (path === live.logDir || name === '.git' || name === 'node_modules') return true;
    return path === join(live.dir, ENGINE_DIR) || (lstatSync(path).isDirectory() && isRepository(path));
  });
  walk(live.logDir, (path) => AGENTS_OWN.has(relative(live.logDir, path)));
  if (live.rolesDir !== null) walk(live.rolesDir, () => false);
  for (const path of [live.kickoffFile, ...also.map((one) => resolve(live.dir, one))]) if (path !== null) add(path);
  const fixed: FixedFile[] = [];
  const growing: GrowingFile[] = [];
  for (const path of [...paths].sort()) {
    if (path.startsWith(live.logDir + sep) && GROWS.test(path)) growing.push(...growingFile(path));
    else fixed.push(...fixedFile(path));
  }
  return { fixed, growing };
}

function entriesOf(dir: string) {
  try {
    return readdirSync(dir, { withFileTypes: true });
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return [];
    throw new SeatrialError(
      'blocked',
      `cannot read ${dir} (${systemCode(error) ?? 'unreadable'}), so it cannot be compared`,
      error,
    );
  }
}

function fixedFile(path: string): FixedFile[] {
  const stat = statOf(path);
  if (stat === null) return [];
  const digest = stat.isSymbolicLink() ? sha256(readlinkSync(path)) : digestOfStart(path, stat.size);
  return [
    {
      path,
      sha256: digest,
      inode: String(stat.ino),
      mtime_ns: String(stat.mtimeNs),
      mode: (Number(stat.mode) & 0o7777).toString(8),
    },
  ];
}

function growingFile(path: string): GrowingFile[] {
  const stat = statOf(path);
  if (stat === null) return [];
  return [{ path, sha256: digestOfStart(path, stat.size), inode: String(stat.ino), bytes: Number(stat.size) }];
}

function statOf(path: string): BigIntStats | null {
  return lstatSync(path, { throwIfNoEntry: false, bigint: true }) ?? null;
}

const CHUNK_BYTES = 1024 * 1024;

/** SHA-256 of the first bytes of a file. */
export function digestOfStart(path: string, bytes: bigint): string {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  const fd = openSync(path, 'r');
  try {
    for (let left = Number(bytes); left > 0;) {
      const got = readSync(fd, buffer, 0, Math.min(left, CHUNK_BYTES), null);
      if (got === 0) break;
      hash.update(buffer.subarray(0, got));
      left -= got;
    }
  } finally {
    closeSync(fd);
  }
  return hash.digest('hex');
}
