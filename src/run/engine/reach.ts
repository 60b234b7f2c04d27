import { NOTHING_TRACED } from '../../confine/audit/attempts.ts';
import type { Launch } from '../../engines/definition.ts';
import type { Attempts, NoTargetInspection } from '../../evidence/schema/no-target.ts';
import { prettyJson } from '../../kernel/canonical.ts';
import type { Contract } from '../../task/contract.ts';
import { inspectReach } from './no-target.ts';
import { isAudited } from '../request.ts';
import type { Run } from '../steps/state.ts';
import type { ProbedSandbox } from '../sandbox.ts';

const FILE = 'stage2-no-target-inspection.json';

/** Writes down, before the engine starts, what it was given and what it can see, searched for every target path. */
export function recordReach(run: Run, contract: Contract, sandbox: ProbedSandbox, launch: Launch): NoTargetInspection {
  const { environment, inputs } = run.request;
  const shown = [...sandbox.mounts.map((mount) => mount.source), ...(run.confinement?.read_only ?? [])];
  const inspection = inspectReach({
    runId: run.bundle.runId,
    nonce: run.bundle.nonce,
    targets: environment.targetPaths,
    given: {
      'task contract': [JSON.stringify(contract)],
      'command arguments': launch.argv,
      'runtime inputs': [launch.stdin, inputs.filesDir],
      environment: Object.entries(launch.env).map(([name, value]) => `${name}=${value}`),
      configuration: Object.values(launch.files),
    },
    mounts: sandbox.probed.mounts.flatMap(readMount),
    shown,
    namespaces: sandbox.probed.namespaces,
    probe: sandbox.probed,
    attempts: isAudited(run.request) ? NOTHING_TRACED : null,
  });
  run.write(FILE, prettyJson(inspection));
  return inspection;
}

/** The same with what the engine then tried. */
export function recordAttempts(run: Run, inspection: NoTargetInspection, found: Attempts): void {
  const attempts = {
    ...found,
    paths: found.paths.map((attempt) => ({ ...attempt, path: run.mask.text(attempt.path) })),
    connections: found.connections.map((attempt) => ({ ...attempt, address: run.mask.text(attempt.address) })),
  };
  run.write(FILE, prettyJson({ ...inspection, attempts } satisfies NoTargetInspection));
}

/** One line of `/proc/self/mountinfo`, as the probe saw it inside. */
function readMount(line: string): NoTargetInspection['mounts'] {
  const found = /^\d+ \d+ \S+ \S+ (\S+) (\S+) .*?- (\S+) /.exec(line);
  const [, target, options, kind] = found ?? [];
  if (target === undefined || options === undefined || kind === undefined) return [];
  return [{ target, mode: options.split(',').includes('rw') ? 'rw' : 'ro', source_kind: kind }];
}
