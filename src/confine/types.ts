import type { Duplex, Readable, Writable } from 'node:stream';
import type { OverlaySpace } from './overlay/space.ts';
import type { ConfinementReport } from '../evidence/schema/report.ts';

/** A host directory or file mounted at `target`; `link`: a symbolic link at `target` to `source`, a path in the sandbox. */
export interface Mount {
  readonly source: string;
  readonly target: string;
  readonly mode: 'ro' | 'rw' | 'link';
}

export interface Limits {
  readonly processes: number;
  readonly open_files: number;
  readonly cpu_seconds: number;
  readonly file_bytes: number;
  /** Limit of bytes in all writable mounts together. */
  readonly disk_bytes: number;
  readonly memory_bytes: number;
  readonly tmp_bytes: number;
  readonly home_bytes: number;
}

/** What a sandbox looks like from within, beside what its commands need. */
export interface SandboxMachine {
  readonly hostname: string;
  /** Empty, and made where nothing else is. */
  readonly dirs: readonly string[];
}

/** One command in one sandbox. It inherits nothing of the caller's environment; it gets only what is listed here. */
export interface SandboxSpec {
  /** The first word is an absolute path in the sandbox or is looked up on the PATH of `env`. */
  readonly argv: readonly string[];
  /** Overrides the sandbox's own PATH, HOME, TMPDIR, LANG and TZ. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly mounts: readonly Mount[];
  readonly limits: Limits;
  readonly timeoutMs: number;
  /** Number of extra two-way pipes, on descriptors 3, 4, … of the command; the harness holds the other ends. */
  readonly channels?: number;
  /** `host`: the machine's network, for fetching pinned dependencies. Default: `none`. */
  readonly network?: 'none' | 'host';
  /** Default: a bare one, which says what it is. */
  readonly machine?: SandboxMachine;
  /** Finds out whether the command reaches for addresses beyond its sandbox, where it has no network. */
  readonly watchNetwork?: true;
  /** Ends the command when stdout and stderr together exceed this. Default: `MAX_OUTPUT_BYTES`. */
  readonly outputBytes?: number;
}

/** How a confined command ended. Reported only after its whole process tree is gone. */
export type SandboxResult =
  | { readonly kind: 'exited'; readonly exitCode: number; readonly durationMs: number }
  | { readonly kind: 'timed_out'; readonly durationMs: number }
  | { readonly kind: 'killed'; readonly durationMs: number } // by `kill()`
  | { readonly kind: 'over_limit'; readonly limit: 'disk' | 'output' | 'memory'; readonly durationMs: number }
  /** The command never ran: setup or exec failed, or an outside process killed the sandbox itself. */
  | { readonly kind: 'not_run'; readonly detail: string; readonly durationMs: number };

export interface Sandboxed {
  /** Writes after the command has ended are silently dropped. */
  readonly stdin: Writable;
  /** Unread output blocks the command; destroying a stream discards the rest and unblocks it. */
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly channels: readonly Duplex[];
  /**
   * Resolves (never rejects) when no process of the command is left and all its output has been received; output not
   * read yet can still be read from the streams.
   */
  readonly ended: Promise<SandboxResult>;
  /** Whether it reached for an address or a name beyond its sandbox; known once it has ended. Absent: that was not watched. */
  readonly reachedOut?: () => boolean;
  /** Kills the whole process tree. Safe to call at any time, any number of times. */
  kill(): void;
}

/** Which host paths a sandbox shows, and which paths in it are hidden by an empty file or directory. */
export interface SandboxView {
  readonly shown: readonly { readonly source: string; readonly target: string; readonly mode: 'ro' | 'rw' }[];
  readonly masked: readonly string[];
}

/** Where commands run. Every command of a run goes through the same instance. */
export interface Confinement {
  readonly kind: 'bubblewrap' | 'none';
  /** Where directories can be laid over each other for its commands; null: nowhere. */
  readonly space: OverlaySpace | null;
  /** Must not throw: every failure is reported as a `not_run` result. */
  start(spec: SandboxSpec): Sandboxed;
  /** Which limits are enforced and which could not be, for the report. */
  describe(): Omit<ConfinementReport, 'probe_passed'>;
  /** What a command with these mounts sees of this machine. */
  view(mounts: readonly Mount[]): SandboxView;
  /** Gives a file or tree to the user that commands run as, so that they can write to it. Never follows links. */
  give(path: string): void;
}
