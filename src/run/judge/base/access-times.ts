import {
  lstatSync,
  lutimesSync,
  mkdtempSync,
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

/** Sees which files of a tree are read from now on. */
export interface AccessTimes {
  /** Null: this file system does not keep access times. */
  facts(): FileFacts | null;
}

/** Older than any modification, so that `relatime` mounts update it at the first read. */
const LONG_AGO = new Date(946_684_800_000);

/** Sets every file's access time back; a file whose time has moved when `facts` is called was read. */
export function watchAccessTimes(tree: string): AccessTimes {
  const files = [...walkTree(tree, { skipTopGit: true }).entries.values()].filter(({ kind }) => kind !== 'dir');
  const at = (path: Buffer): Buffer => Buffer.concat([Buffer.from(`${tree}/`), path]);
  for (const { path } of files) lutimesSync(at(path), LONG_AGO, lstatSync(at(path)).mtimeMs / 1000);
  return {
    facts() {
      if (!keepsAccessTimes(tree)) return null;
      const read = files.filter(({ path }) => {
        const now = lstatSync(at(path), { throwIfNoEntry: false });
        return now !== undefined && now.atimeMs > LONG_AGO.getTime();
      });
      return {
        complete: true,
        read: read.map(({ path }) => pathText(path)).sort(),
        asked: [],
        missing: [],
        written: [],
        listed: [],
        outside: [],
      };
    },
  };
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
