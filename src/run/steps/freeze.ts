import { reason } from '../../evidence/reasons/catalogue.ts';
import type { Tree } from '../../task/tree/walk.ts';
import { changedAfter } from '../patch/changes.ts';
import { snapshotWorkspace, workIn } from '../engine/workspace/snapshot-workspace.ts';
import { HIDDEN_DIR, writtenOverHidden } from '../engine/settings/hide.ts';
import type { RunSandbox, Run } from './state.ts';
import type { EngineOutcome } from './engine.ts';
import type { Copies } from '../trees/copies.ts';
import type { WorkspaceBaseline } from './workspace.ts';

/** The names are as the engine gave them: whoever records them masks them. */
export interface FrozenWorkspace {
  readonly frozen: Tree;
  readonly ignored: readonly string[];
}

/**
 * The tree as the engine left it, read by the harness alone, without what the base says to ignore. What must not be there is held
 * against the run, and the rest of the tree is still kept.
 */
export async function freezeWorkspace(
  run: Run,
  sandbox: RunSandbox,
  outcome: EngineOutcome,
  start: WorkspaceBaseline,
  copies: Copies,
): Promise<FrozenWorkspace> {
  if (!run.isWorkspaceThere()) run.block(reason('workspace_gone'));
  const { tree, ignored } = await snapshotWorkspace(await workIn(run, sandbox, start, copies));
  for (const fault of tree.faults) run.raise(fault.reason);
  for (const path of changedAfter(tree, outcome.endedAtMs)) run.fail(reason('changed_after_deadline', { path }));
  const lost = writtenOverHidden(start.hidden, run.scratchPath(HIDDEN_DIR));
  return { frozen: tree, ignored: [...ignored, ...lost] };
}
