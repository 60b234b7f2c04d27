import { Duplex } from 'node:stream';
import type { Clock } from '../kernel/clock.ts';
import { messageOf } from '../kernel/errors.ts';
import type { Sandboxed, SandboxResult } from './types.ts';

type WithoutDuration<T> = T extends unknown ? Omit<T, 'durationMs'> : never;
export type EndReason = WithoutDuration<SandboxResult>;

const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Why a command ended. The first reason wins. */
export class Termination {
  readonly #clock: Clock;
  readonly #began: number;
  readonly #deadline: NodeJS.Timeout;
  readonly #endTree: () => void;
  #reason: EndReason | null = null;

  /** `endTree` is called for every reason to stop, so it must be idempotent. */
  constructor(clock: Clock, timeoutMs: number, endTree: () => void) {
    this.#clock = clock;
    this.#began = clock.mono();
    this.#endTree = endTree;
    const delay = Math.min(Math.max(timeoutMs, 0), LONGEST_TIMER_MS);
    this.#deadline = setTimeout(() => this.stop({ kind: 'timed_out' }), delay);
  }

  stop(reason: EndReason): void {
    this.#reason ??= reason;
    this.#endTree();
  }

  /** Call when the first process has ended. `itself` counts unless the command was stopped earlier. */
  settle(itself: EndReason): void {
    clearTimeout(this.#deadline);
    this.#reason ??= itself;
  }

  report(): SandboxResult {
    const reason = this.#reason ?? { kind: 'not_run', detail: 'the command was never started' };
    return { ...reason, durationMs: this.#clock.mono() - this.#began };
  }
}

/** Stands in for a command that could not be started. */
export function failedToStart(channels: number, error: unknown): Sandboxed {
  const closed = (): Duplex =>
    new Duplex({
      // Readers that wait for the end of the stream must not hang.
      allowHalfOpen: false,
      read() {
        this.push(null);
      },
      write: (_chunk, _encoding, done) => done(),
    });
  return {
    stdin: closed(),
    stdout: closed(),
    stderr: closed(),
    channels: Array.from({ length: channels }, closed),
    ended: Promise.resolve({ kind: 'not_run', detail: messageOf(error), durationMs: 0 }),
    kill: () => {},
  };
}
