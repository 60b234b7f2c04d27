import { Duplex } from 'node:stream';
import type { Clock } from '../kernel/clock.ts';
import { messageOf } from '../kernel/errors.ts';
import type { Sandboxed, SandboxResult } from './types.ts';

type WithoutDuration<T> = T extends unknown ? Omit<T, 'durationMs'> : never;
export type EndReason = WithoutDuration<SandboxResult>;

const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Why one command ends: decided once, the first reason stands. */
export class Termination {
  readonly #clock: Clock;
  readonly #began: number;
  readonly #deadline: NodeJS.Timeout;
  readonly #endTree: () => void;
  #reason: EndReason | null = null;

  /** `endTree` is called at every reason to stop; it must bear being called again. */
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

  /** The first process is gone. What it ended with stands, unless it was stopped before. */
  settle(itself: EndReason): void {
    clearTimeout(this.#deadline);
    this.#reason ??= itself;
  }

  report(): SandboxResult {
    const reason = this.#reason ?? { kind: 'not_run', detail: 'it was never started' };
    return { ...reason, durationMs: this.#clock.mono() - this.#began };
  }
}

/** A command that could not be started, in the shape of one that was. */
export function failedToStart(channels: number, error: unknown): Sandboxed {
  const closed = (): Duplex =>
    new Duplex({
      // Whoever waits for the end of what it says must not wait for ever.
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
