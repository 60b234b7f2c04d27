import type { ReasonCode } from '../evidence/reasons/catalogue.ts';
import type { AdmissionRecord } from '../evidence/schema/admission.ts';
import type { EventType } from '../evidence/schema/events.ts';
import type { ModelScript } from '../gateway/scripted/schema.ts';
import type { Fault } from '../gateway/types.ts';
import type { ExitCode } from '../kernel/exit-codes.ts';
import type { Terms } from '../task/contract.ts';

/** A reason of a run. Without a text its parameters do not matter. */
export interface ExpectedReason {
  readonly code: string;
  readonly text?: string;
}

export const anyWithCode = (code: ReasonCode): ExpectedReason => ({ code });

/** What a self-test must lead to. */
export interface Expected {
  /** Null: a pass has no reason. */
  readonly reason: ExpectedReason | null;
  /** Null: it is not about a run, but about what was kept of one. */
  readonly event: EventType | null;
  readonly status: string;
  readonly exit: ExitCode;
  /** What the report says of how far it can be trusted. */
  readonly note?: RegExp;
  /** What the engine must have said, for rows that are about what it could find out. */
  readonly says?: RegExp;
}

/** The caller's side of a run: a scenario changes one thing about it. */
export interface Setting {
  readonly env: Readonly<Record<string, string>>;
  readonly records: readonly AdmissionRecord[];
  readonly earnedStage: number;
  readonly terms: Terms;
  /** Whether a record admits the task with these terms as artificial. */
  readonly admitsTask: boolean;
  /** Whether a bridge counts as shown. */
  readonly provesBridge?: boolean;
}

/** The program that is checked: the real one, or a simulator of it. */
export interface CheckedProgram {
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
}

/** The sign-in of a scenario, at an upstream that demands it. */
export interface LoginTrial {
  /** When the run starts. */
  readonly at_start: 'valid' | 'expired' | 'absent';
  /** What happens to it when the upstream has answered this many requests. `renewed`: only the new token is valid from then on. */
  readonly later?: { readonly after: number; readonly what: 'renewed' | 'expired' | 'revoked' };
}

/** One thing that an adapter must do: how the model behaves, what the caller changed, and what must come of it. */
export interface Scenario {
  readonly name: string;
  readonly script: ModelScript;
  readonly fault?: Fault;
  readonly change?: (setting: Setting) => Setting;
  /** The model is asked with a program's sign-in instead of a key. */
  readonly login?: LoginTrial;
  /** A file of the bundle that cannot be written: a directory is in its place. */
  readonly obstructs?: string;
  readonly expected: Expected;
}

/** What the suites of an engine run with. Loaded only when a suite is called. */
export interface SelfTest {
  readonly scenarios: Readonly<Record<string, readonly Scenario[]>>;
  /** A setting in which the engine may run: program and model are admitted, the stage is named. */
  setting(program: CheckedProgram, modelUrl: string, terms: Terms): Setting;
  /** The model's key in that setting, looked for in everything that was kept. */
  readonly keyCanary: string;
}

/** The suite that shows a bridge: `seatrial check auth-bridge <provider>`. */
export const bridgeSuite = (provider: string): string => `auth-bridge-${provider}`;

/** `seatrial check <name>`. A complete pass is evidence for its stage, or for the bridge to a provider. */
export interface CheckSuite {
  readonly name: string;
  /** Null: it shows a bridge. */
  readonly stage: number | null;
  readonly summary: string;
}

export interface SelfTestEntry {
  readonly suites: readonly CheckSuite[];
  /** Ships in dist/ and is checked when the caller names no program of its own. */
  readonly simulator: string;
  load(): Promise<SelfTest>;
}
