import type { Tree } from '../../task/tree.ts';
import { changedAfter } from '../changes.ts';
import { readWork } from '../own-work.ts';
import type { Ground, Run } from '../run.ts';
import type { EngineOutcome } from './engine.ts';
import type { Copies, Start } from './prepare.ts';

/** The tree as the engine left it, read by the harness alone, without what the base says to ignore. */
export async function freezeWorkspace(
  run: Run,
  ground: Ground,
  outcome: EngineOutcome,
  start: Start,
  copies: Copies,
): Promise<Tree> {
  const { tree, ignored } = await readWork(run, ground, start, copies);
  run.findings.ignoredFiles = run.mask.texts(ignored);
  if (tree.faults.length > 0) run.blockForAll(tree.faults.map((fault) => fault.text));
  for (const path of changedAfter(tree, outcome.endedAtMs)) run.fail(`changed after the deadline: ${path}`);
  return tree;
}
