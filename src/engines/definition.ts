import type { EventData } from '../evidence/schema/events.ts';
import type { Wire } from '../evidence/schema/exchange.ts';
import type { ModelCall } from '../gateway/exchange/provider-failure.ts';
import type { Contract } from '../task/contract.ts';

/** The way to a model: through the gateway, and under the names that the engine knows, which need not be the admitted ones. */
export interface ModelAccess {
  /** `http://127.0.0.1:<port>`, without a path. */
  readonly origin: string;
  /** Worth nothing outside this run. */
  readonly key: string;
  readonly wire: Wire;
  readonly provider: string;
  readonly name: string;
}

/** What an engine may know of a run. Nothing here names a sealed test, a key or a path of this machine. */
export interface LaunchContext {
  readonly contract: Contract;
  /** Where a path of the confinement really is (`/workspace` stays `/workspace` under bubblewrap). */
  readonly at: (insidePath: string) => string;
  /** Another one for every attempt. */
  readonly attempt: string;
  /** When the run began; of a replayed one, when it began first. */
  readonly startedAt: string;
  /** For engines that need one: where their program is, inside. */
  readonly program: string | null;
  readonly model: ModelAccess | null;
}

/** How to start an engine once. It is described here and started by the run, confined. */
export interface Launch {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: string;
  /** The engine's isolated configuration: laid below `/artifacts` before it starts, kept below `backend/`. */
  readonly files: Readonly<Record<string, string>>;
}

/** What an engine says of itself: a claim, recorded with `source: engine`, never proof. */
export type EngineEvent =
  | { readonly type: 'plan.updated'; readonly data: EventData<'plan.updated'> }
  | { readonly type: 'engine.message'; readonly data: EventData<'engine.message'> }
  | { readonly type: 'engine.tool'; readonly data: EventData<'engine.tool'> }
  | { readonly type: 'engine.claim'; readonly data: EventData<'engine.claim'> };

/** A log that an engine writes in the workspace while it works. */
export interface OwnLog {
  /** A folder below the workspace; every `*.jsonl` file in it is part of the log. */
  readonly folder: string;
  /** One line of it. `done`: the work is committed as this, it says, and what comes after need not be waited for. */
  read(line: string): { readonly said: readonly EngineEvent[]; readonly done: string | null };
}

export interface RawLogs {
  readonly stdout: string;
  readonly stderr: string;
  /** Of its own log, as far as it was followed. */
  readonly ownLog: string;
  /** What its model answered, as the gateway saw it. */
  readonly calls: readonly ModelCall[];
  /** Commits as which one of those answers said that the work is done. */
  readonly claims: ReadonlySet<string>;
  readonly exitCode: number | null;
}

/** What the raw logs show to be the reason of a failure, and outranks its symptoms (an exit code, a missing patch). */
export interface Cause {
  readonly reason: string;
  /** `provider`: nobody could have worked so; no verdict. `protocol`: it did not keep to what it must say; a failure. */
  readonly kind: 'provider' | 'protocol';
  readonly detail: string;
  /** A file below `backend/` for people. */
  readonly marker: string | null;
}

/** An adapter to one coding-agent program. Must not throw: what cannot be read says nothing. */
export interface Engine {
  readonly name: string;
  /** Shown the task's oracle at `/solution`: the fake engine alone. */
  readonly usesOracle: boolean;
  /** What it leaves of its own at the top of the workspace: in no patch. */
  readonly leavings: readonly string[];
  /** Folders at the top of a repository whose settings it would obey: shown to it empty. */
  readonly hides: readonly string[];
  launch(order: LaunchContext): Launch;
  /** One line of standard output, as events. */
  read(line: string): readonly EngineEvent[];
  ownLog(order: LaunchContext): OwnLog | null;
  /** The commit that a model's answer says the work is done as. Anybody in the workspace can write the engine's log; answers come through the gateway. */
  claimIn(answer: string): string | null;
  /** Derived from the raw logs alone, again whenever a report is made. */
  diagnose(logs: RawLogs): readonly Cause[];
}
