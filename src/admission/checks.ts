import type { Contract } from '../task/contract.ts';

/** One admission decision. A refusal is a result, not an exception: it blocks the run before the engine's process starts. */
export interface AdmissionCheck {
  readonly gate: string;
  readonly passed: boolean;
  readonly reason: string | null;
  readonly detail: string;
  /** How to resolve a refusal. */
  readonly next: string | null;
  /** A file below `backend/` that explains the refusal. */
  readonly marker: { readonly file: string; readonly text: string } | null;
}

export function passedCheck(gate: string, detail: string): AdmissionCheck {
  return { gate, passed: true, reason: null, detail, next: null, marker: null };
}

interface Refusal {
  readonly gate: string;
  readonly reason: string;
  readonly detail: string;
  readonly next: string;
  /** A marker file that also contains the detail. */
  readonly marker?: string;
}

export function refusedCheck({ gate, reason, detail, next, marker }: Refusal): AdmissionCheck {
  return {
    gate,
    passed: false,
    reason,
    detail,
    next,
    marker: marker === undefined ? null : { file: marker, text: `${detail}\n${next}` },
  };
}

export function checkTestCommand(contract: Contract): AdmissionCheck {
  return contract.test_command === null
    ? refusedCheck({
        gate: 'test command',
        reason: 'missing test command',
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
        reason: 'isolation too weak for a high-risk task',
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
        reason: 'confinement probe failed',
        detail: probe.detail,
        next: 'see docs/security.md for what confinement requires of this machine',
      });
}

export function checkCleanTree(dirty: readonly string[]): AdmissionCheck {
  return dirty.length > 0
    ? refusedCheck({
        gate: 'clean tree',
        reason: 'dirty starting tree',
        detail: `changed before the engine started: ${dirty.slice(0, 5).join(', ')}${dirty.length > 5 ? ', …' : ''}`,
        next: 'make the setup leave the files of the task unchanged',
      })
    : passedCheck('clean tree', 'the workspace is the base commit');
}
