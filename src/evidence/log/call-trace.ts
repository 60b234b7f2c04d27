import type { Clock } from '../../kernel/clock.ts';
import type { EventData, RunEvent } from '../schema/events.ts';
import type { Report } from '../schema/report.ts';
import { agentSpan, type DescribedSpan, toolSpan } from './gen-ai.ts';
import type { OpenSpan, Trace } from './trace.ts';

/** Calls of tools and models: while an engine works, they belong to it. */
export class CallTrace {
  readonly #trace: Trace;
  readonly #clock: Clock;
  #engine: OpenSpan | null = null;
  /** Tools that have been called and have not answered, by the id of the call. */
  readonly #called = new Map<string, { readonly name: string; readonly startedMono: number }>();

  constructor(trace: Trace, clock: Clock) {
    this.#trace = trace;
    this.#clock = clock;
  }

  /** A call that took this long and has just ended. */
  add(span: DescribedSpan, durationMs: number, ok: boolean): void {
    this.#trace.add({ ...span, startedMono: this.#clock.mono() - durationMs, ok }, this.#engine);
  }

  toolCalled({ id, name }: EventData<'engine.tool'>): void {
    if (id !== undefined) this.#called.set(id, { name, startedMono: this.#clock.mono() });
  }

  toolAnswered({ id, ok }: EventData<'engine.tool_result'>): void {
    const called = this.#called.get(id);
    if (called !== undefined)
      this.add(toolSpan({ name: called.name, id, ok }), this.#clock.mono() - called.startedMono, ok);
    this.#called.delete(id);
  }

  beginEngine(): void {
    this.#engine = this.#trace.open();
  }

  /** `report`: as far as it can be told by now. */
  endEngine(report: Report, events: readonly RunEvent[]): void {
    const { backend: name, executable, model, backend_exit_code: exitCode } = report;
    const conversation = events.findLast((event) => event.type === 'engine.session')?.data.id ?? null;
    const span = agentSpan({ name, version: executable?.version ?? null, conversation, model, exitCode });
    this.#engine?.end({ ...span, ok: exitCode === 0 });
    this.#engine = null;
  }
}
