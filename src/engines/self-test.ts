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
}

/** The program that is checked: the real one, or a simulator of it. */
export interface CheckedProgram {
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
}

/** One thing that an adapter must do: how the model behaves, what the caller changed, and what must come of it. */
export interface Scenario {
  readonly name: string;
  readonly script: ModelScript;
  readonly fault?: Fault;
  readonly change?: (setting: Setting) => Setting;
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

/** `seatrial check <name>`. A complete pass is evidence for its stage. */
export interface CheckSuite {
  readonly name: string;
  readonly stage: number;
  readonly summary: string;
}

export interface SelfTestEntry {
  readonly suites: readonly CheckSuite[];
  /** Ships in dist/ and is checked when the caller names no program of its own. */
  readonly simulator: string;
  load(): Promise<SelfTest>;
}
