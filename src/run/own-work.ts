import { mkdtempSync } from 'node:fs';
import { walkTree } from '../task/tree.ts';
import { type Swept, sweepIgnored } from './ignored.ts';
import { withoutLeavings } from './leavings.ts';
import type { Ground, Run } from './run.ts';
import type { Copies, Start } from './steps/prepare.ts';

/** More than any work leaves behind, build products included. */
const MOST_NEW_FILES = 50_000;

/** The workspace as it stands, without what the engine leaves of its own and what the base says to ignore: what counts as its work. */
export function readWork(run: Run, ground: Ground, start: Start, copies: Copies): Promise<Swept> {
  const found = walkTree(ground.workspace.source, {
    seenAs: '/workspace',
    skipTopGit: true,
    maxBytes: run.limits.disk_bytes,
    maxEntries: start.beforeEngine.entries.size + MOST_NEW_FILES,
  });
  return sweepIgnored(withoutLeavings(found, start.beforeEngine, run.order.engine.leavings), {
    before: start.beforeEngine,
    base: start.base,
    baseDir: copies.pristine(),
    scratch: mkdtempSync(run.scratchPath('ignored-')),
  });
}
