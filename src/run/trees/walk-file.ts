import { readFileSync, writeFileSync } from 'node:fs';
import type { Tree, TreeEntry } from '../../task/tree/walk.ts';

// What a walk found, as lines of JSON arrays: quick to read for many entries. Names are latin1, one character per byte.

type Row =
  | readonly ['d', path: string]
  | readonly ['l', path: string, target: string]
  | readonly ['f' | 'x', path: string, bytes: number, sha256: string];

export function writeWalk(file: string, { entries }: Tree): void {
  const rows = [...entries].map(([path, entry]): Row => {
    if (entry.kind === 'dir') return ['d', path];
    if (entry.kind === 'link') return ['l', path, entry.target.toString('latin1')];
    return [entry.executable ? 'x' : 'f', path, entry.bytes, entry.sha256];
  });
  writeFileSync(file, JSON.stringify(rows));
}

/** The file must be known to be as it was written. Its entries have no change times. */
export function readWalk(file: string): Tree {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the caller has checked a fingerprint of the file
  const rows = JSON.parse(readFileSync(file, 'utf8')) as readonly Row[];
  const entries = new Map(rows.map((row): [string, TreeEntry] => [row[1], entryOf(row)]));
  return { entries, faults: [] };
}

function entryOf(row: Row): TreeEntry {
  const common = { path: Buffer.from(row[1], 'latin1'), ctimeMs: 0 };
  if (row[0] === 'd') return { kind: 'dir', ...common };
  if (row[0] === 'l') return { kind: 'link', ...common, target: Buffer.from(row[2], 'latin1') };
  return { kind: 'file', ...common, executable: row[0] === 'x', bytes: row[2], sha256: row[3] };
}
