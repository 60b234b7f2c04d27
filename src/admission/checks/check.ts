import { reason } from '../../evidence/reasons/catalogue.ts';
import type { Reason } from '../../evidence/reasons/reason.ts';
import type { TargetConclusion } from '../../evidence/schema/no-target.ts';
import type { Contract } from '../../task/contract.ts';

/** One admission decision. A refusal is a result, not an exception: it blocks the run before the engine's process starts. */
export type AdmissionCheck = PassedCheck | RefusedCheck;

interface PassedCheck {
  readonly gate: string;
  readonly passed: true;
  readonly detail: string;
}

export interface RefusedCheck {
  readonly gate: string;
  readonly passed: false;
  readonly reason: Reason<'blocked'>;
  readonly detail: string;
  /** How to resolve the refusal. */
  readonly next: string;
  /** A file below `backend/` with detail and next step; null for none. */
  readonly marker: string | null;
}

export function passedCheck(gate: string, detail: string): PassedCheck {
  return { gate, passed: true, detail };
}

interface Refusal extends Omit<RefusedCheck, 'passed' | 'marker'> {
  /** The reason's own unless given. */
  readonly marker?: string | null;
}

export function refusedCheck(refusal: Refusal): RefusedCheck {
  return { marker: refusal.reason.marker ?? null, ...refusal, passed: false };
}

export function checkTestCommand(contract: Contract): AdmissionCheck {
  return contract.test_command === null
    ? refusedCheck({
        gate: 'test command',
        reason: reason('missing_test_command'),
        detail: 'the task has no test_command, so no patch can be proven',
        next: 'give the task a test_command',
      })
    : passedCheck('test command', contract.test_command);
}

/** A high-risk change cannot rest on results that the code under test could forge. */
export function checkIsolation(contract: Contract): AdmissionCheck {
  return contract.risk_class === 'high' && contract.isolation === 'in_process'
    ? refusedCheck({
        gate: 'isolation',
        reason: reason('isolation_too_weak'),
        detail: 'risk_class is high and the tests share a process with the code under test',
        next: 'write the tests as a black box, or lower risk_class',
      })
    : passedCheck('isolation', `${contract.isolation} for a ${contract.risk_class}-risk task`);
}

export function checkProbe(
  probe: { readonly passed: boolean; readonly detail: string },
  confined: boolean,
): AdmissionCheck {
  if (!confined) return passedCheck('probe', 'unconfined, as requested; this run is no evidence for a stage');
  return probe.passed
    ? passedCheck('probe', probe.detail)
    : refusedCheck({
        gate: 'probe',
        reason: reason('probe_failed'),
        detail: probe.detail,
        next: 'see docs/security.md for what confinement requires of this machine',
      });
}

export function checkCleanTree(dirty: readonly string[]): AdmissionCheck {
  return dirty.length > 0
    ? refusedCheck({
        gate: 'clean tree',
        reason: reason('dirty_starting_tree'),
        detail: `changed before the engine started: ${dirty.slice(0, 5).join(', ')}${dirty.length > 5 ? ', …' : ''}`,
        next: 'make the setup leave the files of the task unchanged',
      })
    : passedCheck('clean tree', 'the workspace is the base commit');
}

interface CheckedTarget {
  readonly path: string;
  readonly given_by: 'settings' | 'harness';
  readonly shown_at: readonly string[];
}

const describeTarget = ({ path, shown_at: shown }: CheckedTarget): string =>
  shown.length === 0 ? `${path} (not on this machine)` : path;

/** `places`: every way in which a target could be reached, in words. */
export function checkTargets(
  conclusion: TargetConclusion,
  places: readonly string[],
  targets: readonly CheckedTarget[],
): AdmissionCheck {
  const gate = 'no target';
  switch (conclusion) {
    case 'not reachable': {
      const planted = targets.filter(({ given_by: by }) => by === 'harness').length;
      const own = targets.filter(({ given_by: by }) => by === 'settings').map(describeTarget);
      const yours = own.length === 0 ? 'no target_paths of yours' : own.join(', ');
      return passedCheck(
        gate,
        `not reachable: ${yours}${planted === 0 ? '' : `, and ${planted} planted by the harness`}`,
      );
    }
    case 'no targets configured':
      return passedCheck(gate, 'no targets configured: this run is no evidence for stage 2 and above');
    case 'reachable':
    case 'not inspected':
      return refusedCheck({
        gate,
        reason: reason('target_reachable', { where: places[0] ?? 'the sandbox was not shown to hold' }),
        detail: places.join('; '),
        next: 'keep the target out of the task, the settings and what the sandbox shows, then run again',
      });
  }
}
