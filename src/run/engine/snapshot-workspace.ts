import { mkdtempSync } from 'node:fs';
import { walkTree } from '../../task/tree/walk.ts';
import { type Swept, sweepIgnored } from '../../task/git/ignored.ts';
import { withoutStateDirs } from './state-dirs.ts';
import type { RunSandbox, Run } from '../steps/state.ts';
import type { Copies, WorkspaceBaseline } from '../steps/prepare.ts';

/** More than any work leaves behind, build products included. */
const MAX_NEW_FILES = 50_000;

/** The workspace as it stands, without what the engine leaves of its own and what the base says to ignore: what counts as its work. */
export function snapshotWorkspace(
  run: Run,
  ground: RunSandbox,
  start: WorkspaceBaseline,
  copies: Copies,
): Promise<Swept> {
  const found = walkTree(ground.workspace.source, {
    seenAs: '/workspace',
    skipTopGit: true,
    maxBytes: run.limits.disk_bytes,
    maxEntries: start.beforeEngine.entries.size + MAX_NEW_FILES,
  });
  return sweepIgnored(withoutStateDirs(found, start.beforeEngine, run.order.engine.leavings), {
    before: start.beforeEngine,
    base: start.base,
    baseDir: copies.pristine(),
    scratch: mkdtempSync(run.scratchPath('ignored-')),
  });
}
