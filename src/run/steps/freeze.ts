import { type Tree, walkTree } from '../../task/tree.ts';
import { changedAfter } from '../changes.ts';
import type { Ground, Run } from '../run.ts';
import type { EngineOutcome } from './engine.ts';

/** The tree as the engine left it, read by the harness alone. */
export function freezeWorkspace(run: Run, ground: Ground, outcome: EngineOutcome): Tree {
  const frozen = walkTree(ground.workspace.source, { seenAs: '/workspace', skipTopGit: true });
  if (frozen.faults.length > 0) run.blockForAll(frozen.faults);
  for (const path of changedAfter(frozen, outcome.endedAtMs)) run.fail(`changed after the deadline: ${path}`);
  return frozen;
}
