import { openOwnGit } from '../../task/git/own-git.ts';
import { layFile, removeFile } from '../judge/change/trees/lay-file.ts';
import { pathName } from '../judge/deciding/path-name.ts';
import { applyPatch, seenByGit } from '../patch/write.ts';
import type { GivenChange } from '../request.ts';
import type { EngineOutcome } from '../steps/engine.ts';
import type { WorkspaceBaseline } from '../steps/workspace.ts';
import type { Run, RunSandbox } from '../steps/state.ts';

const PLAN = ['lay the given change', 'freeze', 'diff', 'judge'];

/** Lays a change that was made elsewhere into the workspace, where an engine would have made it. */
export async function layGivenChange(
  run: Run,
  { workspaceFiles: { dir }, confinement }: RunSandbox,
  { base }: WorkspaceBaseline,
  change: GivenChange,
): Promise<EngineOutcome> {
  run.log.append('plan.updated', 'harness', { steps: PLAN });
  if (change.kind === 'files') layGivenFiles(dir, change);
  else {
    const ownGit = openOwnGit(run.scratchPath('given-git'));
    await applyPatch(change.bundleDir, dir, ownGit, seenByGit(confinement, dir), base);
  }
  run.log.append('protected_roots.checked', 'harness', { passed: true });
  // Nothing else has ever run in this workspace, so nothing can have written late.
  return { endedAtMs: Number.POSITIVE_INFINITY, claims: [], explainNoChange: () => null };
}

/** Removals come first: a file may take the place of a directory, or the other way round. */
export function layGivenFiles(tree: string, { dir, changes }: Extract<GivenChange, { kind: 'files' }>): void {
  for (const { path, removed } of changes) if (removed) removeFile(tree, pathName(path));
  for (const { path, removed } of changes) if (!removed) layFile(tree, dir, pathName(path));
}
