import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { endWhatIsLeft } from '../../confine/processes/orphan-reaper.ts';
import { DEFAULT_LIMITS } from '../../confine/limits/limits.ts';
import { type Overlay, OverlaySpace } from '../../confine/overlay/space.ts';
import { removeScratch } from '../../confine/remove-scratch.ts';
import { makeScratch } from '../../confine/scratch.ts';
import type { Bundle } from '../../evidence/bundle/bundle.ts';
import type { ExamineTree, LeftTree } from '../../evidence/recover/finish.ts';
import { Masker } from '../../evidence/secrets/mask.ts';
import type { SecretPatterns } from '../../evidence/secrets/patterns.ts';
import { messageOf, SeatrialError, systemCode } from '../../kernel/errors.ts';
import { walkTree } from '../../task/tree/walk.ts';
import { unpackTree } from '../../task/tree/unpack.ts';
import { BEFORE_ENGINE_FILE, readBeforeEngine } from './before-engine.ts';
import { OVERLAY_PLACE } from '../trees/overlay.ts';
import { findArchives, readContract } from '../trees/inputs.ts';
import { keepChanges, maskChecked } from '../patch/keep-changes.ts';
import { snapshotWorkspace } from '../engine/workspace/snapshot-workspace.ts';

export interface RescueFacts {
  readonly secrets: SecretPatterns;
  /** The variables that are set now, whatever is in them. */
  readonly variables: Iterable<string>;
}

/** Keeps what the engine of a killed harness did, from the scratch directory that the run had, by the same walk as in a run. */
export function rescuer({ secrets, variables }: RescueFacts): ExamineTree {
  const known = new Set([...secrets.names, ...variables]);
  return async (bundle, owner) => {
    const scratch = owner?.scratch ?? null;
    const missing = scratch === null ? NO_SCRATCH : scratchFault(scratch);
    if (scratch === null || missing !== null) return { kind: 'not examined', why: missing ?? NO_SCRATCH };
    // What a secret of the run looks like has to be known to keep it out of the patch.
    const unknown = (owner?.secrets ?? []).filter((name) => !known.has(name));
    if (unknown.length > 0) return { kind: 'postponed', why: needsSecrets(unknown) };
    await endWhatIsLeft(scratch);
    try {
      return await examineLeft(bundle, scratch, secrets);
    } catch (error) {
      const why = new Masker(secrets).text(messageOf(error));
      return isPassing(error) ? { kind: 'postponed', why } : { kind: 'not examined', why };
    }
  };
}

/** A bundle or a disk that cannot be written to: once that is mended, the work can be kept. */
function isPassing(error: unknown): boolean {
  const cause = error instanceof SeatrialError ? error.cause : error;
  return (
    (error instanceof SeatrialError && error.message.startsWith('artifact write failed')) ||
    systemCode(cause) === 'ENOSPC' ||
    systemCode(cause) === 'EDQUOT'
  );
}

const NO_SCRATCH = 'the scratch directory of the run is not known';

const needsSecrets = (names: readonly string[]): string =>
  `the work of its engine is still there, but this environment lacks secrets that the run kept out of its bundle: set ${names.join(', ')} ` +
  '(to anything, if they no longer matter) and recover again';

/** Temporary directories are removed, and their names can be taken by other users. */
function scratchFault(scratch: string): string | null {
  const stats = lstatSync(scratch, { throwIfNoEntry: false });
  if (stats === undefined) return `its scratch directory ${scratch} is gone`;
  if (!stats.isDirectory() || stats.uid !== process.getuid?.())
    return `${scratch} is not the scratch directory of the run`;
  const hasWorkspace = ['workspace', OVERLAY_PLACE].some(
    (name) => lstatSync(join(scratch, name), { throwIfNoEntry: false })?.isDirectory() === true,
  );
  return hasWorkspace ? null : `there is no workspace in its scratch directory ${scratch}`;
}

const NEEDS_OVERLAY =
  'the work of its engine is still there, as changes over the base, but no overlay can be mounted here to read it: recover again where that works';

interface LeftWorkspace {
  readonly dir: string;
  readonly overlay: Overlay | null;
  readonly close: () => void;
}

/** The workspace as the engine left it. Null: it was an overlay, and cannot be mounted again. */
async function openLeft(scratch: string, baseDir: string): Promise<LeftWorkspace | null> {
  const place = join(scratch, OVERLAY_PLACE);
  if (lstatSync(place, { throwIfNoEntry: false }) === undefined)
    return { dir: join(scratch, 'workspace'), overlay: null, close: () => {} };
  const space = await OverlaySpace.open(process.env['PATH'] ?? '');
  const overlay = (await space?.mount(place, [baseDir])) ?? null;
  if (space === null || overlay === null) {
    space?.close();
    return null;
  }
  return { dir: overlay.view, overlay, close: () => space.close() };
}

/** Ends nothing: no process of the engine may be left. */
export async function examineLeft(bundle: Bundle, scratch: string, secrets: SecretPatterns): Promise<LeftTree> {
  const own = makeScratch();
  let close = (): void => {};
  try {
    const contract = readContract(bundle.dir);
    const baseDir = join(own, 'base');
    unpackTree(findArchives(bundle.dir, contract).base.path, baseDir);
    const base = walkTree(baseDir, { skipTopGit: true });
    const { stateDirs, beforeEngine } = readBeforeEngine(join(scratch, BEFORE_ENGINE_FILE), base);
    const left = await openLeft(scratch, baseDir);
    if (left === null) return { kind: 'postponed', why: NEEDS_OVERLAY };
    const { dir: workspace, overlay } = left;
    close = left.close;
    const maxBytes = DEFAULT_LIMITS.disk_bytes;
    const committed = contract.repository?.dirty === false;
    const swept = await snapshotWorkspace({
      workspace,
      overlay,
      base,
      committed,
      beforeEngine,
      baseDir,
      stateDirs,
      maxBytes,
      scratch: own,
    });
    const { checked } = await keepChanges({
      frozen: swept.tree,
      frozenDir: workspace,
      base,
      beforeEngine,
      baseDir,
      ignored: swept.ignored,
      contract,
      ownGit: join(own, 'git'),
      bundle,
      secrets,
    });
    return { kind: 'examined', checked: maskChecked(checked, new Masker(secrets)) };
  } finally {
    close();
    await removeScratch(own);
  }
}
