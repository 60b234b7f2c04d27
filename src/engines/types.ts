import type { EventData } from '../evidence/schema/events.ts';
import type { Contract } from '../task/schema.ts';

/** What an engine may know of a run. Nothing here names a sealed test, a key or a path of this machine. */
export interface Order {
  readonly contract: Contract;
  /** Where a path of the confinement really is (`/workspace` stays `/workspace` under bubblewrap). */
  readonly at: (insidePath: string) => string;
}

/** How to start an engine once. It is described here and started by the run, confined. */
export interface Launch {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: string;
  /** The engine's isolated configuration, kept below `backend/config/`. */
  readonly config: Readonly<Record<string, string>>;
}

/** What an engine says of itself: a claim, recorded with `source: engine`, never proof. */
export type EngineSaid =
  | { readonly type: 'plan.updated'; readonly data: EventData<'plan.updated'> }
  | { readonly type: 'engine.message'; readonly data: EventData<'engine.message'> }
  | { readonly type: 'engine.tool'; readonly data: EventData<'engine.tool'> }
  | { readonly type: 'engine.claim'; readonly data: EventData<'engine.claim'> };

export interface RawLogs {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number | null;
}

/** A cause that the raw logs show and that outranks its symptoms (an exit code, a missing answer). */
export interface Cause {
  readonly reason: 'provider unavailable';
  readonly detail: string;
}

/** An adapter to one coding-agent program. Must not throw: what cannot be read says nothing. */
export interface Engine {
  readonly name: string;
  /** Shown the task's oracle at `/solution`: the fake engine alone. */
  readonly usesOracle: boolean;
  launch(order: Order): Launch;
  /** One line of standard output, as events. */
  read(line: string): readonly EngineSaid[];
  /** Derived from the raw logs alone, again whenever a report is made. */
  diagnose(logs: RawLogs): Cause | null;
}
