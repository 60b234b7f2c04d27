import { type Tree, walkTree } from '../../task/tree.ts';
import { changedAfter } from '../changes.ts';
import { sweepIgnored } from '../ignored.ts';
import { withoutLeavings } from '../leavings.ts';
import type { Ground, Run } from '../run.ts';
import type { EngineOutcome } from './engine.ts';
import type { Copies, Start } from './prepare.ts';

/** More than any work leaves behind, build products included. */
const MOST_NEW_FILES = 50_000;

/** The tree as the engine left it, read by the harness alone, without what the base says to ignore. */
export async function freezeWorkspace(
  run: Run,
  ground: Ground,
  outcome: EngineOutcome,
  start: Start,
  copies: Copies,
): Promise<Tree> {
  const found = walkTree(ground.workspace.source, {
    seenAs: '/workspace',
    skipTopGit: true,
    maxBytes: run.limits.disk_bytes,
    maxEntries: start.beforeEngine.entries.size + MOST_NEW_FILES,
  });
  const own = withoutLeavings(found, start.beforeEngine, run.order.engine.leavings);
  const { tree, ignored } = await sweepIgnored(own, {
    before: start.beforeEngine,
    base: start.base,
    baseDir: copies.pristine(),
    scratch: run.scratchPath('ignored'),
  });
  run.findings.ignoredFiles = run.mask.texts(ignored);
  if (tree.faults.length > 0) run.blockForAll(tree.faults.map((fault) => fault.text));
  for (const path of changedAfter(tree, outcome.endedAtMs)) run.fail(`changed after the deadline: ${path}`);
  return tree;
}
