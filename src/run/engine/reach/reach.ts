import { checkTargets } from '../../../admission/checks.ts';
import { NOTHING_TRACED } from '../../../confine/audit/attempts.ts';
import { pathsShowing } from '../../../confine/bwrap/mount-aliases.ts';
import type { SandboxView } from '../../../confine/types.ts';
import type { Launch } from '../../../engines/definition.ts';
import { NO_TARGET_FILE, notInspected } from '../../../evidence/bundle/artifacts.ts';
import { reason } from '../../../evidence/reasons/catalogue.ts';
import { concludeReach, placesOfTargets, searchTexts, textsIn } from '../../../evidence/report/target-reach.ts';
import type { Attempts, NoTargetInspection } from '../../../evidence/schema/no-target.ts';
import { prettyJson } from '../../../kernel/canonical.ts';
import { isWithin } from '../../../kernel/path-text.ts';
import type { Contract } from '../../../task/contract.ts';
import { passEach } from '../../pass-check.ts';
import { isAudited } from '../../request.ts';
import type { ProbedSandbox } from '../../sandbox.ts';
import type { Run } from '../../steps/state.ts';
import { copiedFrom, readTargets, type TargetPath } from './targets.ts';

/**
 * Blocks a run whose task, settings or sandbox lead to a target, before anything is set up for it. `opened` is null until there is a
 * sandbox to look at.
 */
export function refuseTargets(run: Run, contract: Contract, opened: ProbedSandbox | null): void {
  const { environment } = run.request;
  const targets = opened?.targets ?? readTargets(environment.targetPaths, null);
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
  record(run, { ...facts, conclusion: 'reachable' });
  passEach(run, [checkTargets('reachable', places, targets)]);
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
    copied_from: copiedFrom(run.request, contract),
    confinement: sandbox.confinement.kind,
    ...copyOf(sandbox.confinement.view(sandbox.mounts)),
    mounts: sandbox.probed.mounts.flatMap(readMount),
    namespaces: { ...sandbox.probed.namespaces },
    probe: { passed: sandbox.probed.passed, detail: sandbox.probed.detail },
    attempts: isAudited(run.request) ? NOTHING_TRACED : null,
  };
  const inspection = { ...facts, conclusion: concludeReach(facts) };
  record(run, inspection);
  passEach(run, [checkTargets(inspection.conclusion, placesOfTargets(facts), targets)]);
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
  record(run, { ...facts, conclusion: concludeReach(facts) });
  const [where] = placesOfTargets(facts);
  if (where !== undefined) run.raise(reason('target_reachable', { where }));
}

function record(run: Run, inspection: NoTargetInspection): void {
  const { conclusion, targets } = inspection;
  run.write(NO_TARGET_FILE, prettyJson(inspection));
  run.log.append('targets.inspected', 'harness', {
    conclusion,
    targets: targets.length,
    planted: targets.filter(({ given_by: by }) => by === 'harness').length,
  });
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
