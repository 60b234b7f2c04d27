import { reason } from '../../evidence/reasons/catalogue.ts';
import type { Reason } from '../../evidence/reasons/reason.ts';
import type { Completion } from '../../evidence/schema/parts.ts';

export interface EngineExit {
  readonly completion: Completion;
  readonly exitCode: number | null;
}

/**
 * What the engine's own end says against a pass. A deadline is never a pass, whatever the patch. `isExplained`: another reason says why
 * it was ended from outside.
 */
export function lifecycleReasons(
  engine: string,
  end: EngineExit,
  patchIsValid: boolean,
  isExplained: boolean,
): Reason<'fail'>[] {
  if (end.completion === 'timed_out') {
    const late = reason('engine_timed_out', { engine });
    return patchIsValid ? [reason('timeout_after_patch', { engine }), late] : [late];
  }
  if (end.completion !== 'exited' || end.exitCode === 0) return [];
  switch (end.exitCode) {
    case null:
      return isExplained ? [] : [reason('engine_ended', { engine })];
    case TIMEOUT_EXIT:
      return [reason('engine_timed_out', { engine })];
    default: {
      const failed = reason('engine_failed', { engine, exit: end.exitCode });
      const signal = CRASHES[end.exitCode - SIGNAL_EXIT];
      return signal === undefined ? [failed] : [reason('engine_crashed', { engine, signal }), failed];
    }
  }
}

/** A program that a signal ended exits with 128 and its number. These a program brings upon itself. */
const SIGNAL_EXIT = 128;
const CRASHES: Readonly<Record<number, string>> = {
  4: 'SIGILL',
  5: 'SIGTRAP',
  6: 'SIGABRT',
  7: 'SIGBUS',
  8: 'SIGFPE',
  11: 'SIGSEGV',
  31: 'SIGSYS',
};

/** `timeout(1)` exits with it, and so do wrappers of engines. */
const TIMEOUT_EXIT = 124;
