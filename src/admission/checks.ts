import type { Contract } from '../task/schema.ts';

/** One admission decision. A refusal is a result, not an exception: it blocks the run before the engine's process starts. */
export interface Check {
  readonly gate: string;
  readonly passed: boolean;
  readonly reason: string | null;
  readonly detail: string;
}

function passed(gate: string, detail: string): Check {
  return { gate, passed: true, reason: null, detail };
}

function refused(gate: string, reason: string, detail: string): Check {
  return { gate, passed: false, reason, detail };
}

export function checkTestCommand(contract: Contract): Check {
  return contract.test_command === null
    ? refused('test command', 'missing test command', 'the task names no test_command: nothing could prove a patch')
    : passed('test command', contract.test_command);
}

/** A result that the code under test could forge cannot carry a high-risk change. */
export function checkIsolation(contract: Contract): Check {
  return contract.risk_class === 'high' && contract.isolation === 'in_process'
    ? refused(
        'isolation',
        'isolation too weak for a high-risk task',
        'risk_class is high and the tests share the process of the code they judge',
      )
    : passed('isolation', `${contract.isolation} for a ${contract.risk_class}-risk task`);
}

export function checkProbe(probe: { readonly passed: boolean; readonly detail: string }, confined: boolean): Check {
  if (!confined) return passed('probe', 'not confined, as asked: this run is no evidence for a stage');
  return probe.passed ? passed('probe', probe.detail) : refused('probe', 'confinement probe failed', probe.detail);
}

export function checkCleanTree(dirty: readonly string[]): Check {
  return dirty.length > 0
    ? refused(
        'clean tree',
        'dirty starting tree',
        `changed before the engine started: ${dirty.slice(0, 5).join(', ')}${dirty.length > 5 ? ', …' : ''}`,
      )
    : passed('clean tree', 'the workspace is the base commit');
}
