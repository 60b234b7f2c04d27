import { existsSync, mkdirSync } from 'node:fs';
import { NO_PROGRAMS } from '../confine/tools/caller-programs.ts';
import { openConfinementFor } from './confinement.ts';
import { probe, type ProbeResult } from '../confine/probe/probe.ts';
import type { Mount } from '../confine/types.ts';
import type { ConfinementReport } from '../evidence/schema/report.ts';
import { placesOfRepository, plantTarget, readTargets, type TargetPath } from './engine/reach/targets.ts';
import { copyTree } from '../task/tree/copy.ts';
import type { RunSandbox, Run } from './steps/state.ts';
import { placeMounts } from './judge/runners/verifier/prepare.ts';
import { pathInside } from '../confine/path-inside.ts';
import { mountsOfTrees } from './review/shown-trees.ts';
import { OVERLAY_PLACE, type OverlaidBase, overlayIn } from './trees/overlay.ts';

/** A sandbox that has been shown to hold. */
export interface ProbedSandbox extends RunSandbox {
  readonly probed: ProbeResult;
  /** Paths that no engine may reach. */
  readonly targets: readonly TargetPath[];
}

/** Opens the confinement and shows that it holds, before anything else is started in it. */
export async function openSandbox(run: Run): Promise<ProbedSandbox> {
  const { environment, engine, solutionDir, taskDir, shows, hidden = [] } = run.request;
  const artifacts: Mount = { source: run.scratchPath('artifacts'), target: '/artifacts', mode: 'rw' };
  const solution: Mount = { source: run.scratchPath('solution'), target: '/solution', mode: 'ro' };
  const hasSolution = engine.usesOracle && solutionDir !== null;
  const { image } = run.request.terms;
  const overlaid = await overlayWorkspace(run);
  const overlay = overlaid?.overlay ?? null;
  const workspaceDir = overlay?.merged ?? run.scratchPath('workspace');
  const workspace: Mount = { source: workspaceDir, target: '/workspace', mode: 'rw' };
  const places = image === undefined ? [] : placeMounts(image, workspace.source);
  const mounts = [workspace, ...places, artifacts, ...(hasSolution ? [solution] : [])];
  for (const { source } of [workspace, ...places]) mkdirSync(source, { recursive: true });
  mounts.push(...mountsOfTrees(shows, workspace));
  mkdirSync(artifacts.source);
  if (hasSolution) copyTree(solutionDir, solution.source);
  const planted = run.request.plantTarget === true ? plantTarget(run.scratchPath('planted'), run.bundle.nonce) : null;
  if (planted !== null) mounts.push({ source: planted.dir, target: planted.dir, mode: 'ro' });
  const targets = readTargets(environment.targetPaths, planted?.target ?? null);
  const covered = [
    ...environment.covered,
    ...(taskDir === null ? [] : [taskDir]),
    ...hidden.flatMap(placesOfRepository),
    ...targets.flatMap(({ path, shown_at: shown }) => [path, ...shown]),
  ];
  const confinement = await openConfinementFor(environment, run.scratch, covered, image, overlaid ?? shows);
  confinement.give(artifacts.source);
  const probed = await probe(confinement, {
    nonce: run.bundle.nonce,
    mounts,
    limits: run.limits,
    invisible: [...covered, run.bundle.dir],
    outside: run.scratch,
  });
  return {
    confinement,
    workspace,
    workspaceFiles: { dir: overlay?.view ?? workspaceDir, overlay },
    cwd: image?.workdir ?? workspace.target,
    mounts,
    at: (path) => pathInside(confinement, path, mounts),
    programs: NO_PROGRAMS,
    env: {},
    probed,
    targets,
  };
}

/** Null: the workspace is to be a copy. */
async function overlayWorkspace(run: Run): Promise<OverlaidBase | null> {
  const { environment, inputs, terms } = run.request;
  const { cached = null, history } = inputs;
  if (terms.image !== undefined) return null;
  const place = run.scratchPath(OVERLAY_PLACE);
  const overlaid = await overlayIn(environment, cached, { place, withGit: history === undefined });
  if (overlaid === null || cached === null) return null;
  run.isWorkspaceThere = () => overlaid.space.isOpen && existsSync(cached.dir);
  run.atEnd(async () => {
    run.isWorkspaceThere = () => true;
    overlaid.space.close();
  });
  return overlaid;
}

export function describeSandbox(run: Run, confinement: ConfinementReport): void {
  run.log.append('sandbox.described', 'harness', { workspace_root: run.scratchPath('workspace'), confinement });
}

/** For the report: what the engine was shown beyond what every command sees, and whom it could reach. */
export function noteShown(run: Run, mounts: readonly Mount[], network: 'gateway' | null = null): void {
  const { confinement } = run;
  if (confinement === null || confinement.kind === 'none') return;
  const shown = mounts.filter(({ mode }) => mode !== 'link').map(({ source }) => source);
  const sources = shown.filter((source) => !source.startsWith(`${run.scratch}/`));
  if (network === null && sources.every((source) => confinement.read_only.includes(source))) return;
  describeSandbox(run, {
    ...confinement,
    network: network ?? confinement.network,
    read_only: [...new Set([...confinement.read_only, ...sources])].toSorted(),
  });
}
