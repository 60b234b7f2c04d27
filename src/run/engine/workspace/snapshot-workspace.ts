import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { restoreDirs, restoreProducts } from '../../../task/tree/restore.ts';
import { walkOver } from '../../../task/tree/layered/walk-over.ts';
import type { Tree } from '../../../task/tree/walk.ts';
import { type Swept, sweepIgnored } from '../../../task/git/ignored.ts';
import { withoutToolCaches } from './tool-caches.ts';
import type { Overlay } from '../../../confine/overlay/space.ts';
import { overBase } from '../../trees/overlay.ts';
import type { RunSandbox, Run } from '../../steps/state.ts';
import type { Copies } from '../../trees/copies.ts';
import type { WorkspaceBaseline } from '../../steps/workspace.ts';

/** More than any work leaves behind, build products included. */
const MAX_NEW_FILES = 50_000;

/** A workspace, and what it was before the engine came. */
export interface WorkSources {
  readonly workspace: string;
  /** Null: the workspace is a copy. */
  readonly overlay: Overlay | null;
  readonly base: Tree;
  /** Its links are committed: a person has seen where they lead. */
  readonly committed: boolean;
  readonly beforeEngine: Tree;
  /** The base's files, untouched. */
  readonly baseDir: string;
  /** What the engine leaves of its own. */
  readonly stateDirs: readonly string[];
  readonly maxBytes: number;
  /** A directory of ours, which is there. */
  readonly scratch: string;
}

/**
 * The workspace as it stands, without what the engine leaves of its own, what it did to the setup's products and what the base says
 * to ignore: what counts as its work.
 */
export async function snapshotWorkspace(from: WorkSources): Promise<Swept> {
  const found = walkOver(from.workspace, {
    seenAs: '/workspace',
    skipTopGit: true,
    ...overBase(from.base, from.overlay),
    maxBytes: from.maxBytes,
    maxEntries: from.beforeEngine.entries.size + MAX_NEW_FILES,
  });
  const work = from.committed ? withoutLinksOfBase(found, from.base) : found;
  const own = restoreDirs(work, from.beforeEngine, from.stateDirs);
  // The judge lays the setup's products anew, whatever the engine did to them.
  const { tree, changed } = restoreProducts(own, from.beforeEngine, from.base);
  const swept = await sweepIgnored(tree, {
    before: from.beforeEngine,
    base: from.base,
    baseDir: from.baseDir,
    frozenDir: from.workspace,
    scratch: mkdtempSync(join(from.scratch, 'ignored-')),
  });
  const kept = withoutToolCaches(swept, from.beforeEngine);
  return { ...kept, ignored: [...kept.ignored, ...changed] };
}

/** Links out of the tree that the base has too, with the same target, are no fault of the engine. */
function withoutLinksOfBase(tree: Tree, base: Tree): Tree {
  const isOfBase = (path: Buffer): boolean => {
    const key = path.toString('latin1');
    const [before, after] = [base.entries.get(key), tree.entries.get(key)];
    return before?.kind === 'link' && after?.kind === 'link' && before.target.equals(after.target);
  };
  return { ...tree, faults: tree.faults.filter((fault) => !isOfBase(fault.path)) };
}

export async function workIn(
  run: Run,
  sandbox: RunSandbox,
  { base, beforeEngine, hidden }: WorkspaceBaseline,
  copies: Copies,
): Promise<WorkSources> {
  return {
    workspace: sandbox.workspaceFiles.dir,
    overlay: sandbox.workspaceFiles.overlay,
    base,
    committed: run.request.terms.repository?.dirty === false,
    beforeEngine,
    baseDir: await copies.pristine(),
    stateDirs: [...run.request.engine.stateDirs, ...hidden.links],
    maxBytes: run.limits.disk_bytes,
    scratch: run.scratch,
  };
}
