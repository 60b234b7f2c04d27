import { existsSync, readFileSync } from 'node:fs';
import { guardedByBase } from './base-guards.ts';
import { GUARDED_WORD, HOOK_KEYS } from './guarded-paths.ts';
import { rowsMatching } from '../tree/layered/search.ts';
import type { Tree, TreeEntry } from '../tree/walk.ts';
import type { Change } from '../tree/compare.ts';
import type { GuardFacts } from './guarded-changes.ts';
import { pathBelow } from '../../kernel/path-text.ts';

type FileEntry = Extract<TreeEntry, { kind: 'file' }>;

/** Files that `guardedByBase` looks into. */
const CAN_GUARD = new RegExp(`package\\.json|${GUARDED_WORD.source}`, 'i');

/** Larger than any handwritten file. */
const MAX_BYTES = 1 << 20;

export interface GuardSources {
  /** The base, and the directory with its unchanged files. */
  readonly base: Tree;
  readonly baseDir: string;
  readonly frozen: Tree;
  readonly frozenDir: string;
  /** Paths that the repository's configuration guards. */
  readonly configured: readonly string[];
}

/** Reads the facts about guarded paths from both trees. */
export function guardFacts({ base, baseDir, frozen, frozenDir, configured }: GuardSources): GuardFacts {
  const fileAt = (path: string): FileEntry | null => {
    const entry = base.entries.get(Buffer.from(path).toString('latin1'));
    return entry?.kind === 'file' ? entry : null;
  };
  const texts = {
    paths: [...rowsMatching(base.entries, CAN_GUARD)].flatMap(([, entry]) =>
      entry.kind === 'file' ? [entry.path.toString('utf8')] : [],
    ),
    has: (path: string) => fileAt(path) !== null,
    read: (path: string) => {
      const entry = fileAt(path);
      return entry === null || entry.bytes > MAX_BYTES ? null : readFileSync(pathBelow(baseDir, entry.path), 'utf8');
    },
  };
  return {
    before: base,
    after: frozen,
    guarded: [...configured, ...guardedByBase(texts)],
    packageText: (change: Change, side) => textIn(change[side], side === 'before' ? baseDir : frozenDir),
  };
}

function textIn(entry: Change['after'], dir: string): string | null {
  // A link or a very large file is not read, and counts as a change of hooks.
  if (entry?.kind === 'link') return `"${HOOK_KEYS[0]}" ${entry.target.toString('latin1')}`;
  if (entry !== null && entry.bytes > MAX_BYTES) return `"${HOOK_KEYS[0]}" ${entry.sha256}`;
  const path = entry === null ? null : pathBelow(dir, entry.path);
  // Files created by the setup are not in the base.
  return path === null || !existsSync(path) ? null : readFileSync(path, 'utf8');
}
