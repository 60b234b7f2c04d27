import type { PaneScreen } from '../../engines/pane/screen.ts';

/** How a program in a pane ended, as far as the host knows: tmux loses some exit codes. */
export interface PaneDeath {
  readonly code: number | null;
  readonly signal: string | null;
}

/** One session as the host sees it now. */
export interface SessionFacts {
  readonly name: string;
  /** Id of the project that started it, and of that start. Null: it carries none. */
  readonly project: string | null;
  readonly spawn: string | null;
  /** First process of the pane. */
  readonly pid: number;
  /** Null: the pane's process lives. */
  readonly dead: PaneDeath | null;
  readonly createdAt: Date;
  /** When the pane last printed something, to the second. */
  readonly outputAt: Date;
  /** When a person attached to it last typed. Null: no person is attached. */
  readonly personActiveAt: Date | null;
  readonly title: string;
}

/** `unknown`: the server exists and did not answer. That is never the same as `absent`. */
export type HostView =
  | { readonly kind: 'present'; readonly sessions: ReadonlyMap<string, SessionFacts> }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unknown'; readonly why: string };

/**
 * Under which conditions a session may be changed. The host checks them in the moment of the change, in one step with it: a session of
 * another project, of another start, or a watchdog that was replaced changes nothing.
 */
export interface Guard {
  readonly project: string;
  /** Null: any start of the project. */
  readonly spawn: string | null;
  /** Null: the change comes from a person, not from a watchdog. */
  readonly fence: Fence | null;
}

/** A number that only the current watchdog knows. A higher one, set by its successor, shuts it out. */
export interface Fence {
  /** `watchdog-<hash of socket and prefix>`. */
  readonly name: string;
  readonly value: number;
}

/** `refused`: the guard did not hold. `gone`: there is no such session. */
export type SessionChange =
  | { readonly kind: 'done' }
  | { readonly kind: 'refused' }
  | { readonly kind: 'gone' }
  | { readonly kind: 'unknown'; readonly why: string };

export interface SessionRequest {
  readonly name: string;
  readonly project: string;
  readonly spawn: string;
  readonly cwd: string;
  /** Not a secret in it: every user of the machine can read it. */
  readonly argv: readonly string[];
  readonly fence: Fence | null;
}

/** `taken`: a session of that name exists already, whoever it belongs to. */
export type CreateResult =
  | { readonly kind: 'done' }
  | { readonly kind: 'taken' }
  | { readonly kind: 'refused' }
  | { readonly kind: 'unknown'; readonly why: string };

/**
 * Where sessions live: tmux, or a fake. One conformance suite holds for all. Names are exact. No function rejects: what could not be found
 * out is `unknown`, with the reason. A session whose process has ended stays, with a dead pane, until it is ended by `end`.
 */
export interface SessionHost {
  /** Every session of the server. Starts no server and writes nothing. */
  list(): Promise<HostView>;
  create(request: SessionRequest): Promise<CreateResult>;
  /** Ends the session and its processes, stopped ones too. */
  end(name: string, guard: Guard): Promise<SessionChange>;
  /** Null: no such session. Writes nothing. */
  screen(name: string): Promise<PaneScreen | null>;
  /** Types text as one paste, without a final Enter. */
  paste(name: string, text: string, guard: Guard): Promise<SessionChange>;
  press(name: string, key: 'Enter' | 'Escape', guard: Guard): Promise<SessionChange>;
  /** The fence of a name. Null: none is set, so no watchdog may act. */
  fence(name: string): Promise<number | null>;
  /** Raises the fence. False: it is as high or higher already, or there is no server. */
  raiseFence(fence: Fence): Promise<boolean>;
  /** Releases connections. Sessions stay. */
  close(): Promise<void>;
}
