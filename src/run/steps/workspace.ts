import { type AdmissionCheck, passedCheck, refusedCheck } from '../../admission/checks/check.ts';
import { reason } from '../../evidence/reasons/catalogue.ts';
import { walkOver } from '../../task/tree/layered/walk-over.ts';
import type { Tree } from '../../task/tree/walk.ts';
import { overBase } from '../trees/overlay.ts';
import { excludeFromGit, layProducts, placesOf, type Products } from '../provision/products.ts';
import type { Provisioned } from '../provision/provision.ts';
import { BEFORE_ENGINE_FILE, noteBeforeEngine } from '../recover/before-engine.ts';
import { type HiddenSettings, recordSettings, replaceLinks } from '../engine/settings/hide.ts';
import { applyPatch, seenByGit } from '../patch/write.ts';
import { openOwnGit } from '../../task/git/own-git.ts';
import type { RunSandbox, Run } from './state.ts';
import { type PreparedWorkspace } from '../trees/workspace.ts';
import { endIfRefused } from '../refuse.ts';
import { recordChecks } from '../../admission/checks/record-checks.ts';

/** A tree as it was when the engine was let in, and as the contract has it. */
export interface WorkspaceBaseline {
  readonly base: Tree;
  readonly beforeEngine: Tree;
  readonly products: Products | null;
  readonly hidden: HiddenSettings;
}

/** Waits until the tree is unpacked, which began during the checks, and lays out what the engine starts from. */
export async function prepareWorkspace(
  run: Run,
  unpacked: Promise<PreparedWorkspace>,
  sandbox: RunSandbox,
  provisioned: Provisioned,
): Promise<WorkspaceBaseline> {
  const { products, dirty } = provisioned;
  endIfRefused(run, recordChecks(run, [checkCleanTree(dirty)]));
  const { tree: base } = await unpacked;
  const { dir, overlay } = sandbox.workspaceFiles;
  if (products !== null) layProducts(products, dir, sandbox.confinement);
  const stateDirs = run.request.engine.stateDirs.map((name) => Buffer.from(`${name}/`));
  const hidden = recordSettings(run, base, sandbox);
  const unseen = [
    ...stateDirs,
    ...(run.request.shows?.trees ?? []).map(({ name }) => Buffer.from(`${name}/`)),
    ...(products === null ? [] : placesOf(products)),
    ...hidden.entries.map(({ path }) => path),
  ];
  excludeFromGit(unseen, `${dir}/.git`);
  const beforeEngine = products === null ? base : walkOver(dir, { skipTopGit: true, ...overBase(base, overlay) });
  noteBeforeEngine(run.scratchPath(BEFORE_ENGINE_FILE), {
    stateDirs: [...run.request.engine.stateDirs, ...hidden.links],
    base,
    beforeEngine,
  });
  const { previousWork, controlOf } = run.request;
  // Whatever an earlier attempt changed is this attempt's change too: it is compared with the base like all of it.
  if (previousWork !== undefined && controlOf === undefined)
    await applyPatch(
      previousWork,
      dir,
      openOwnGit(run.scratchPath('previous-git')),
      seenByGit(sandbox.confinement, dir),
    );
  replaceLinks(hidden, dir);
  return { base, beforeEngine, products, hidden };
}

function checkCleanTree(dirty: readonly string[]): AdmissionCheck {
  return dirty.length > 0
    ? refusedCheck({
        gate: 'clean tree',
        reason: reason('dirty_starting_tree'),
        detail: `changed before the engine started: ${dirty.slice(0, 5).join(', ')}${dirty.length > 5 ? ', …' : ''}`,
        next: 'make the setup leave the files of the task unchanged',
      })
    : passedCheck('clean tree', 'the workspace is the base commit');
}
