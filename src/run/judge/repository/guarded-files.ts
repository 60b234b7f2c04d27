import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { reason } from '../../../evidence/reasons/catalogue.ts';
import type { Reason } from '../../../evidence/reasons/reason.ts';
import { pathText } from '../../../kernel/path-text.ts';
import { gitPrograms } from '../../../task/guards/git-programs.ts';
import type { WalkedTree } from '../../../task/tree/walk.ts';
import { compareTrees } from '../../../task/tree/compare.ts';
import { guardFacts } from '../../../task/guards/guard-facts.ts';
import { guardedChanges } from '../../../task/guards/guarded-changes.ts';

export interface GuardedTrees {
  /** Its configuration names programs of the tree that git would run. */
  readonly repo: string;
  readonly base: WalkedTree;
  readonly patched: WalkedTree;
  /** Further paths that the caller's settings guard. */
  readonly guardedPaths: readonly string[];
}

/** Names the changes between two trees that no engine may make, whatever is allowed. */
export async function guardedFiles({
  repo,
  base: { dir: baseDir, tree: base },
  patched: { dir: frozenDir, tree: frozen },
  guardedPaths,
}: GuardedTrees): Promise<Reason<'fail'>[]> {
  const isFile = (name: string): boolean =>
    lstatSync(join(baseDir, name), { throwIfNoEntry: false })?.isFile() === true;
  const configured = [...guardedPaths, ...(await gitPrograms(repo, isFile))];
  const facts = guardFacts({ base, baseDir, frozen, frozenDir, configured });
  return guardedChanges(compareTrees(base, frozen), facts).map(({ path }) =>
    reason('disallowed_file', { path: pathText(path) }),
  );
}
