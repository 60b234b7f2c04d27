import type { Duplex, Readable, Writable } from 'node:stream';
import type { ConfinementReport } from '../evidence/schema/report.ts';

/** A folder or file of this machine, shown inside at `target`; `link`: what another mount shows at `source` is found at `target` too. */
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
  /** Bytes that all writable mounts together may hold. */
  readonly disk_bytes: number;
  readonly memory_bytes: number;
  readonly tmp_bytes: number;
  readonly home_bytes: number;
}

/** One command in one confinement. Nothing of the caller's environment gets in: what is not here is not there. */
export interface SandboxSpec {
  /** As seen inside; the first word is an absolute path inside or found on the PATH of `env`. */
  readonly argv: readonly string[];
  /** Laid over the confinement's own PATH, HOME, TMPDIR, LANG and TZ. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly mounts: readonly Mount[];
  readonly limits: Limits;
  readonly timeoutMs: number;
  /** Extra two-way pipes, on descriptors 3, 4, … inside; the harness holds the other ends. */
  readonly channels?: number;
  /** `host`: the network of this machine, for fetching what is pinned. Without it there is none. */
  readonly network?: 'none' | 'host';
  /** Ends the command when stdout and stderr together have carried more than this; `MAX_OUTPUT_BYTES` unless said. */
  readonly outputBytes?: number;
}

/** How a confined command ended. Always reported after its whole process tree is gone. */
export type SandboxResult =
  | { readonly kind: 'exited'; readonly exitCode: number; readonly durationMs: number }
  | { readonly kind: 'timed_out'; readonly durationMs: number }
  | { readonly kind: 'killed'; readonly durationMs: number } // by `kill()`
  | { readonly kind: 'over_limit'; readonly limit: 'disk' | 'output'; readonly durationMs: number }
  /** The command never ran: set-up or exec failed, or something outside killed the confinement itself. */
  | { readonly kind: 'not_run'; readonly detail: string; readonly durationMs: number };

export interface Sandboxed {
  /** What is written after the command has gone is dropped in silence. */
  readonly stdin: Writable;
  /** Unread output holds the command back; destroying a stream discards the rest of it and lets the command go on. */
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly channels: readonly Duplex[];
  /**
   * Resolves (never rejects) when no process of it is left and everything it wrote has been taken over: what was not
   * read by then can still be read from the streams.
   */
  readonly ended: Promise<SandboxResult>;
  /** Ends the whole process tree now. Safe to call at any time, any number of times. */
  kill(): void;
}

/** Where commands run. One per run; every command of the run goes through the same one. */
export interface Confinement {
  readonly kind: 'bubblewrap' | 'none';
  /** Must not throw: whatever goes wrong is a `not_run` end. */
  start(spec: SandboxSpec): Sandboxed;
  /** What is enforced here and what could not be, for the report. */
  describe(): Omit<ConfinementReport, 'probe_passed'>;
  /**
   * The name that a path below one of the mounts' targets has for the command: itself, or its source when nothing is
   * mounted.
   */
  pathInside(target: string, mounts: readonly Mount[]): string;
  /** Makes a file or tree belong to whoever runs inside, so that it can be written there. Never follows a link. */
  give(path: string): void;
}
