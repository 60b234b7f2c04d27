import {
  lstatSync,
  lutimesSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { FileFacts } from '../../../confine/audit/file-trace.ts';
import { pathText } from '../../../kernel/path-text.ts';
import { walkTree } from '../../../task/tree/walk.ts';

/** Sees which files of a tree are read and written from now on. */
export interface AccessTimes {
  /** Null: this file system does not keep access times. */
  facts(): FileFacts | null;
}

/** Older than any modification, so that `relatime` mounts update it at the first read. */
const LONG_AGO = new Date(946_684_800_000);

/**
 * Sets every file's access time back; a file whose time has moved when `facts` is called was read. What else differs by then was written:
 * the owner may change meanwhile, and the change time with it.
 */
export function watchAccessTimes(tree: string): AccessTimes {
  const files = [...walkTree(tree, { skipTopGit: true }).entries.values()].filter(({ kind }) => kind !== 'dir');
  const at = (path: Buffer): Buffer => Buffer.concat([Buffer.from(`${tree}/`), path]);
  const markOf = (path: Buffer): string | null => {
    const stat = lstatSync(at(path), { throwIfNoEntry: false });
    return stat === undefined ? null : `${stat.ino} ${stat.size} ${stat.mtimeMs}`;
  };
  for (const { path } of files) lutimesSync(at(path), LONG_AGO, lstatSync(at(path)).mtimeMs / 1000);
  const before = new Map(files.map(({ path }) => [path.toString('latin1'), markOf(path)]));
  return {
    facts() {
      if (!keepsAccessTimes(tree)) return null;
      const read = files.filter(({ path }) => {
        const now = lstatSync(at(path), { throwIfNoEntry: false });
        return now !== undefined && now.atimeMs > LONG_AGO.getTime();
      });
      const changed = files.filter(({ path }) => markOf(path) !== before.get(path.toString('latin1')));
      const made = filesBelow(tree, '').filter((path) => !before.has(path));
      return {
        complete: true,
        read: read.map(({ path }) => pathText(path)).sort(),
        asked: [],
        missing: [],
        written: [...changed.map(({ path }) => path), ...made.map((path) => Buffer.from(path, 'latin1'))]
          .map((path) => pathText(path))
          .sort(),
        listed: [],
        outside: [],
      };
    },
  };
}

/** Paths as latin1, one character per byte; without the repository at the root. */
function filesBelow(tree: string, dir: string): string[] {
  const place = Buffer.concat([Buffer.from(`${tree}/`), Buffer.from(dir, 'latin1')]);
  return readdirSync(place, { encoding: 'latin1', withFileTypes: true }).flatMap((entry) => {
    const path = `${dir}${entry.name}`;
    if (path === '.git') return [];
    return entry.isDirectory() ? filesBelow(tree, `${path}/`) : [path];
  });
}

/** Reads a canary on the same file system. */
function keepsAccessTimes(tree: string): boolean {
  const dir = mkdtempSync(join(tree, '..', 'canary-'));
  try {
    const canary = join(dir, 'canary');
    writeFileSync(canary, 'canary');
    utimesSync(canary, LONG_AGO, new Date());
    readFileSync(canary);
    return statSync(canary).atimeMs > LONG_AGO.getTime();
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
