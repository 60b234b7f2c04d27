import { DEFAULT_REQUIRED_EVENTS } from '../../evidence/schema/events.ts';
import type { Terms } from '../../task/contract.ts';

/** A way for the fake engine to go wrong: what it does instead, and what the contract must say for that to matter. */
export interface Misbehaviour {
  /** Shell, run in the workspace. `solve` does what the oracle does; `claim` and `say` report like any engine. */
  readonly script: string;
  readonly terms?: Partial<Terms>;
  /** A file of the bundle that cannot be written: something else lies in its place. */
  readonly obstructs?: string;
}

/** One for each row of the failure matrix, named as the row is. */
export const MISBEHAVIOURS = {
  'no diff': { script: 'say engine.message "Created the fix."' },
  'disallowed file': { script: 'solve; echo "while I was here" > UNASKED.md' },
  'failed tests': { script: 'printf "\\n# touched, not mended\\n" >> "$FIRST_ALLOWED_FILE"' },
  'missing test command': { script: 'solve', terms: { test_command: null } },
  'missing event': { script: 'solve', terms: { required_events: [...DEFAULT_REQUIRED_EVENTS, 'engine.tool'] } },
  'reviewer reject': { script: 'solve', terms: { review: 'echo "not like this"; exit 1' } },
  'approval denied': { script: 'solve', terms: { approvals: ['deliver'] } },
  timeout: { script: 'sleep 600', terms: { agent_timeout_sec: 0.5 } },
  'timeout after a valid patch': { script: 'solve; sleep 600', terms: { agent_timeout_sec: 4 } },
  'dirty starting tree': { script: 'solve', terms: { setup_command: 'for file in *; do echo >> "$file"; done' } },
  'dirty ending tree': { script: 'solve', terms: { must_commit: true } },
  'artifact write failure': { script: 'solve', obstructs: 'patch.diff' },
  'provider unavailable': { script: 'echo "provider unavailable: connection refused" >&2; exit 69' },
  'claimed commit not there': { script: 'solve; claim 0123456789012345678901234567890123456789' },
  'tests silenced': { script: 'printf "import os\\nos._exit(0)\\n" > "$FIRST_ALLOWED_FILE"' },
} as const satisfies Record<string, Misbehaviour>;

export type MisbehaviourName = keyof typeof MISBEHAVIOURS;

export function misbehaviourNamed(name: string): Misbehaviour | undefined {
  return Object.entries(MISBEHAVIOURS).find(([known]) => known === name)?.[1];
}
