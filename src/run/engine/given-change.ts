import { walkTree } from '../../task/tree/walk.ts';
import { layFile } from '../judge/change/trees/lay-file.ts';
import { pathName } from '../judge/deciding/path-name.ts';
import { compareTrees } from '../../task/tree/compare.ts';
import type { EngineOutcome } from '../steps/engine.ts';
import type { WorkspaceBaseline } from '../steps/workspace.ts';
import type { Run, RunSandbox } from '../steps/state.ts';

const PLAN = ['lay the given change', 'freeze', 'diff', 'judge'];

/** Lays a change that was made elsewhere into the workspace, where an engine would have made it. */
export function layGivenChange(
  run: Run,
  sandbox: RunSandbox,
  { base }: WorkspaceBaseline,
  tree: string,
): EngineOutcome {
  run.log.append('plan.updated', 'harness', { steps: PLAN });
  const changed = compareTrees(base, walkTree(tree, { skipTopGit: true }));
  for (const { path } of changed) layFile(sandbox.workspaceFiles.dir, tree, pathName(path));
  run.log.append('protected_roots.checked', 'harness', { passed: true });
  // Nothing else has ever run in this workspace, so nothing can have written late.
  return { endedAtMs: Number.POSITIVE_INFINITY, claims: [], explainNoChange: () => null };
}
