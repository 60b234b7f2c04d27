import { passedCheck, type RefusedCheck, refusedCheck } from '../../../admission/checks/check.ts';
import { NOTHING_TRACED } from '../../../confine/audit/attempts.ts';
import { pathsShowing } from '../../../confine/bwrap/mount-aliases.ts';
import type { SandboxView } from '../../../confine/types.ts';
import type { Launch } from '../../../engines/definition.ts';
import { notInspected } from '../../../evidence/bundle/artifacts.ts';
import { recordInspection } from '../../../evidence/log/record-inspection.ts';
import { reason } from '../../../evidence/reasons/catalogue.ts';
import { concludeReach, placesOfTargets, searchTexts, textsIn } from '../../../evidence/report/target-reach.ts';
import type { Attempts, NoTargetInspection } from '../../../evidence/schema/no-target.ts';
import { isWithin } from '../../../kernel/path-text.ts';
import type { Contract } from '../../../task/contract.ts';
import { endIfRefused } from '../../refuse.ts';
import { recordChecks } from '../../../admission/checks/record-checks.ts';
import { isAudited } from '../../request.ts';
import type { ProbedSandbox } from '../../sandbox.ts';
import type { Run } from '../../steps/state.ts';
import { describeTargets } from './describe-targets.ts';
import { copiedFrom, readTargets, type TargetPath } from './targets.ts';

/**
 * Blocks a run whose task, settings or sandbox lead to a target, before anything is set up for it. `opened` is null until there is a
 * sandbox to look at.
 */
export function refuseTargets(run: Run, contract: Contract, opened: ProbedSandbox | null): void {
  const { environment } = run.request;
  const targets = opened?.targets ?? readTargets(environment.targetPaths, null);
  if (targets.length === 0) return;
  const facts: NoTargetInspection = {
    ...notInspected(run.bundle),
    scratch: run.scratch,
    targets: [...targets],
    searched: searchTexts({ 'task contract': textsIn(contract) }, targets),
    copied_from: copiedFrom(run.request, contract),
    confinement: environment.confine,
    ...(opened === null
      ? { shown: shownInside(targets, environment.readOnly) }
      : copyOf(opened.confinement.view(opened.mounts))),
  };
  const places = placesOfTargets(facts);
  if (places.length === 0) return;
  recordInspection(run.log, { ...facts, conclusion: 'reachable' });
  endIfRefused(run, recordChecks(run, [refuseReach(places)]));
}

const GATE = 'no target';

/** `places`: every way in which a target could be reached, in words. */
function refuseReach(places: readonly string[]): RefusedCheck {
  return refusedCheck({
    gate: GATE,
    reason: reason('target_reachable', { where: places[0] ?? 'the sandbox was not shown to hold' }),
    detail: places.join('; '),
    next: 'keep the target out of the task, the settings and what the sandbox shows, then run again',
  });
}

/** Directories that would be mounted although they are part of a target. Ones around a target are masked. */
function shownInside(targets: readonly TargetPath[], dirs: readonly string[]): NoTargetInspection['shown'] {
  return dirs
    .flatMap((dir) => pathsShowing(dir))
    .filter((dir) => targets.some(({ shown_at: shown }) => shown.some((target) => isWithin(dir, target))))
    .map((dir) => ({ source: dir, target: dir, mode: 'ro' }));
}

/** Records, before the engine starts, what it was given and what it can see, and blocks if that leads to a target. */
export function recordReach(run: Run, contract: Contract, sandbox: ProbedSandbox, launch: Launch): NoTargetInspection {
  const { targets } = sandbox;
  const mounts = sandbox.probed.mounts.flatMap(readMount);
  const copied = copiedFrom(run.request, contract);
  const { shown, masked } = sandbox.confinement.view(sandbox.mounts);
  const facts: Omit<NoTargetInspection, 'conclusion'> = {
    ...notInspected(run.bundle),
    scratch: run.scratch,
    targets: [...targets],
    searched: searchTexts(
      {
        'task contract': textsIn(contract),
        'command arguments': launch.argv,
        'runtime inputs': [launch.stdin, run.request.inputs.filesDir],
        environment: Object.entries(launch.env).map(([name, value]) => `${name}=${value}`),
        configuration: Object.values(launch.files).flatMap((text) => [text, ...textsIn(parsedJson(text))]),
      },
      targets,
    ),
    copied_from: copied,
    confinement: sandbox.confinement.kind,
    shown: [...shown],
    masked: [...masked],
    mounts,
    namespaces: { ...sandbox.probed.namespaces },
    probe: { passed: sandbox.probed.passed, detail: sandbox.probed.detail },
    attempts: isAudited(run.request) ? NOTHING_TRACED : null,
  };
  const inspection = { ...facts, conclusion: concludeReach(facts) };
  recordInspection(run.log, inspection);
  const check =
    inspection.conclusion === 'reachable'
      ? refuseReach(placesOfTargets(facts))
      : passedCheck(GATE, describeTargets(targets));
  endIfRefused(run, recordChecks(run, [check]));
  return inspection;
}

/** Adds what the engine then tried. An attempt that succeeded means that a target was reachable after all. */
export function recordAttempts(run: Run, inspection: NoTargetInspection, found: Attempts): void {
  const attempts = {
    ...found,
    paths: found.paths.map((attempt) => ({ ...attempt, path: run.mask.text(attempt.path) })),
    connections: found.connections.map((attempt) => ({ ...attempt, address: run.mask.text(attempt.address) })),
  };
  const facts = { ...inspection, attempts };
  recordInspection(run.log, { ...facts, conclusion: concludeReach(facts) });
  const [where] = placesOfTargets(facts);
  if (where !== undefined) run.raise(reason('target_reachable', { where }));
}

const copyOf = ({ shown, masked }: SandboxView) => ({ shown: [...shown], masked: [...masked] });

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** One line of `/proc/self/mountinfo`, as the probe saw it inside. */
function readMount(line: string): NoTargetInspection['mounts'] {
  const found = /^\d+ \d+ \S+ \S+ (\S+) (\S+) .*?- (\S+) /.exec(line);
  const [, target, options, kind] = found ?? [];
  if (target === undefined || options === undefined || kind === undefined) return [];
  return [{ target, mode: options.split(',').includes('rw') ? 'rw' : 'ro', source_kind: kind }];
}
