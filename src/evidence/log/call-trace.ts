import type { Clock } from '../../kernel/clock.ts';
import type { DescribedSpan } from './gen-ai.ts';
import type { OpenSpan, Trace } from './trace.ts';

/** Calls of tools and models: while an engine works, they belong to it. */
export class CallTrace {
  readonly #trace: Trace;
  readonly #clock: Clock;
  #engine: OpenSpan | null = null;

  constructor(trace: Trace, clock: Clock) {
    this.#trace = trace;
    this.#clock = clock;
  }

  /** A call that took this long and has just ended. */
  add(span: DescribedSpan, durationMs: number, ok: boolean): void {
    this.#trace.add({ ...span, startedMono: this.#clock.mono() - durationMs, ok }, this.#engine);
  }

  beginEngine(): void {
    this.#engine = this.#trace.open();
  }

  endEngine(span: DescribedSpan, ok: boolean): void {
    this.#engine?.end({ ...span, ok });
    this.#engine = null;
  }
}
