import type { Readable, Writable } from 'node:stream';
import type { Reason, ReasonCatalogue } from '../evidence/reasons/reason.ts';
import type { EventData, EventType } from '../evidence/schema/events.ts';
import type { Wire } from '../evidence/schema/exchange.ts';
import type { EngineFields } from '../evidence/report/reduce.ts';
import type { ModelCall } from '../gateway/exchange/provider-failure.ts';
import type { Contract } from '../task/contract.ts';
import type { PermissionRequest } from './permission-request.ts';
import type { AdmissionPolicy } from './policy.ts';
import type { StandInLogin } from './sign-in/stand-in.ts';
import type { SelfTestEntry } from './self-test.ts';

/** How a program shows that it is the one an engine is made for. */
export interface Identification {
  /** Arguments that make it describe itself and do nothing else. */
  readonly args: readonly string[];
  /** What its answer must contain. */
  readonly expects: RegExp;
}

/**
 * Everything that Seatrial knows about one coding-agent program: `engines/<name>/index.ts` exports one, `engines/list.ts` lists it, and
 * names, admission, help, suites and loops derive from that list. docs/add-an-engine.md shows a complete one.
 */
export interface EngineDefinition {
  readonly name: string;
  readonly policy: AdmissionPolicy;
  /** Arguments that make the program describe itself and do nothing else. Null: it has no program of its own. */
  readonly identify: Identification | null;
  readonly headless: {
    /** Flags of `seatrial run` that only this engine takes. */
    readonly options: readonly EngineOption[];
    /** Throws a usage error for a wrong option. What it returns must not throw. */
    configure(options: EngineOptions): Engine;
  };
  /** Reasons of its own, which `launch` and `diagnose` may give beside those of the harness. */
  readonly reasons: ReasonCatalogue;
  /** Report fields under names that readers of this engine's reports know. */
  readonly reportFields?: EngineFields;
  readonly selfTest: SelfTestEntry | null;
  readonly loops: readonly EngineLoop[];
}

/** A flag of `seatrial run`: `--<name> <value>`. */
export interface EngineOption {
  readonly name: string;
  readonly value: string;
  readonly description: string;
}

export type EngineOptions = Readonly<Record<string, string | undefined>>;

/** `seatrial loop <name>`: a run in which stage, model and task are already chosen. */
export interface EngineLoop {
  readonly name: string;
  readonly summary: string;
  readonly task: string;
  readonly env: Readonly<Record<string, string>>;
  /** Variables that the caller must still set. */
  readonly needs: readonly string[];
}

/** Access to a model through the gateway, under the engine's own names, which may differ from the admitted ones. */
export interface ModelAccess {
  /** `http://127.0.0.1:<port>`, without a path. */
  readonly origin: string;
  /** Only valid in this run. */
  readonly key: string;
  /** The key in the shape of a program's sign-in; null where a key serves. */
  readonly standIn: StandInLogin | null;
  readonly wire: Wire;
  readonly provider: string;
  readonly name: string;
  /** Further models that it may ask, for titles and summaries. */
  readonly helpers: readonly string[];
  /** Output tokens it may ask for at once; null: the engine's own choice. */
  readonly maxOutputTokens: number | null;
}

/** What an engine may know of a run: no sealed test, no key and no path of this machine. */
export interface LaunchContext {
  readonly contract: Contract;
  /** The real path of a sandbox path (`/workspace` stays `/workspace` under bubblewrap). */
  readonly at: (insidePath: string) => string;
  /** Unique for every attempt. */
  readonly attempt: string;
  /** Start of the run; of a replay, start of the recorded run. */
  readonly startedAt: string;
  /** Path of the engine's program in the sandbox, if it has one. */
  readonly program: string | null;
  readonly model: ModelAccess | null;
  /** An approval policy decides about tool calls, so the engine is to ask before it acts, if it can. */
  readonly asks: boolean;
}

/** Why an engine cannot be started with this model or program: blocks the run. */
export interface LaunchRefusal {
  readonly refused: Reason<'blocked'>;
}

/** How to start an engine once. It is described here and started by the run, in a sandbox. */
export interface Launch {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: string;
  /** The engine's own configuration files: written below `/artifacts` before it starts, kept below `backend/`. */
  readonly files: Readonly<Record<string, string>>;
  /**
   * Talks with the started program, which then gets nothing else on standard input. Called at once, so that no output is missed. Must
   * neither throw nor reject.
   */
  readonly converse?: (peer: ConversationPeer) => Promise<ConversationEnd>;
}

/** The started program, and whoever decides about what it asks. */
export interface ConversationPeer {
  readonly input: Writable;
  readonly output: Readable;
  record(events: readonly EngineEvent[]): void;
  /** Has a tool call decided by policy or by a person. `onlyDenied`: why it cannot be granted; null if it can. `signal`: whoever asks is gone. */
  ask(request: PermissionRequest, onlyDenied: string | null, signal: AbortSignal): Promise<'granted' | 'denied'>;
}

/** `finished`: the program has said that its turn is over, and may be ended. `cause`: why that is no success. */
export type ConversationEnd =
  | { readonly kind: 'finished'; readonly cause?: Cause }
  | { readonly kind: 'broken'; readonly reason: Reason<'fail' | 'blocked'>; readonly detail: string };

/** What an engine reports about itself: recorded with `source: engine`, never proof. */
export type EngineEvent = {
  [T in EngineEventType]: {
    readonly type: T;
    readonly data: EventData<T>;
    /** Of a message that the program prints in parts: the next part may follow. Parts are joined before they are recorded. */
    readonly partial?: true;
  };
}[EngineEventType];

type EngineEventType = Extract<EventType, 'plan.updated' | `engine.${string}`>;

/** A log that an engine writes in the workspace while it works. */
export interface OwnLog {
  /** A directory below the workspace; every `*.jsonl` file in it is part of the log. */
  readonly dir: string;
  /** Reads one line. `done`: the log claims that the work is finished as this commit, so the harness may end the engine. */
  read(line: string): { readonly said: readonly EngineEvent[]; readonly done: string | null };
}

export interface RawLogs {
  readonly stdout: string;
  readonly stderr: string;
  /** Its own log, as far as it was read. */
  readonly ownLog: string;
  /** What its model answered, as the gateway saw it. */
  readonly calls: readonly ModelCall[];
  /** Commits that one of those answers claims as the finished work. */
  readonly claims: ReadonlySet<string>;
  /** Models that are not admitted, as often as it asked for them. */
  readonly refusedModels: readonly string[];
  /** Tool calls that were not allowed, as they were asked for. */
  readonly denials: readonly string[];
  readonly exitCode: number | null;
}

/** A cause of failure found in the raw logs. It outranks its symptoms (an exit code, a missing patch). */
export interface Cause {
  /** Blocked: no engine could have worked. Fail: the engine broke its own protocol. */
  readonly reason: Reason<'fail' | 'blocked'>;
  /** Also the content of the reason's marker file. */
  readonly detail: string;
}

/** A configured adapter to one coding-agent program. No function of it may throw: output that cannot be read gives no events. */
export interface Engine {
  readonly name: string;
  /** Shown the task's oracle at `/solution`: the fake engine alone. */
  readonly usesOracle: boolean;
  /** A shell line that it runs: programs in it are looked up on the caller's PATH too. */
  readonly shellLine?: string;
  /** Directories that it creates for itself at the top of the workspace: never part of a patch. */
  readonly stateDirs: readonly string[];
  /** Names of files and directories with settings of a repository that it would obey, at any depth; after a slash, at the root. Shown to it empty. */
  readonly hides: readonly string[];
  /** Files of those that configure MCP servers, by path, and the key below which the servers are. */
  readonly mcpServersIn?: Readonly<Record<string, string>>;
  launch(context: LaunchContext): Launch | LaunchRefusal;
  /** One line of standard output, as events. */
  read(line: string): readonly EngineEvent[];
  ownLog(context: LaunchContext): OwnLog | null;
  /** The commit that a model's answer claims as the finished work. Any process in the workspace can write the engine's log; answers come through the gateway. */
  claimIn(answer: string): string | null;
  /** Derived from the raw logs alone, whenever a report is made. */
  diagnose(logs: RawLogs): readonly Cause[];
  /** Why it changed nothing, if its logs say so. Asked only then. */
  explainNoChange?(logs: RawLogs): Cause | null;
}
