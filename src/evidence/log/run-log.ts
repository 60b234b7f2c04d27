import type { Clock } from '../../kernel/clock.ts';
import type { Bundle } from '../bundle/bundle.ts';
import { writeArtifact } from '../bundle/create.ts';
import type { StepName } from '../report/verdict.ts';
import type { Masker } from '../secrets/mask.ts';
import type { EventData, EventSource, EventType, RunEvent } from '../schema/events.ts';
import { CUT_OFF, interruptedReport } from '../report/initial.ts';
import { type ContractFacts, type EngineFields, reduceReport } from '../report/reduce.ts';
import type { Report } from '../schema/report.ts';
import { CallTrace } from './call-trace.ts';
import { EVENTS_FILE, EventLog } from './events.ts';
import { Trace, TRACE_FILE, traceIdOf } from './trace.ts';

/** When a step began and ended, by the run's clock in monotonic milliseconds. */
export interface StepTiming {
  readonly name: StepName;
  readonly started: number;
  /** Null: it goes on. */
  readonly ended: number | null;
  /** It ended without a reason against the run. */
  readonly ok: boolean;
}

export interface RunLogOptions {
  readonly bundle: Bundle;
  readonly clock: Clock;
  /** Grows while the run goes on. */
  readonly steps: readonly StepTiming[];
  readonly mask: Masker;
  readonly engineFields: EngineFields | undefined;
}

/** What a run writes while it goes on: artifacts, events, and with each event the spans of the steps that have ended since the last. */
export class RunLog {
  readonly calls: CallTrace;
  /** Null until the first step has written it. */
  contract: ContractFacts | null = null;
  readonly #bundle: Bundle;
  readonly #mask: Masker;
  readonly #engineFields: EngineFields | undefined;
  readonly #events: EventLog;
  readonly #trace: Trace;
  readonly #steps: readonly StepTiming[];
  #traced = 0;

  constructor({ bundle, clock, steps, mask, engineFields }: RunLogOptions) {
    this.#bundle = bundle;
    this.#mask = mask;
    this.#engineFields = engineFields;
    this.#events = new EventLog(`${bundle.dir}/${EVENTS_FILE}`, { clock, startedMono: bundle.startedMono });
    this.#trace = new Trace(`${bundle.dir}/${TRACE_FILE}`, {
      clock,
      traceId: traceIdOf(bundle.nonce),
      resource: { run_id: bundle.runId },
    });
    this.#steps = steps;
    this.calls = new CallTrace(this.#trace, clock);
  }

  get events(): readonly RunEvent[] {
    return this.#events.events;
  }

  /** What the events say so far. */
  get report(): Report {
    return reduceReport({
      born: interruptedReport(this.#bundle),
      events: this.#events.events,
      contract: this.contract,
      engineFields: this.#engineFields,
      notExamined: CUT_OFF,
    });
  }

  /** The event is in its file when this returns. */
  append<T extends EventType>(type: T, source: EventSource, data: EventData<T>): void {
    this.#events.append(type, source, data);
    this.#traceSteps();
  }

  write(name: string, content: string | Uint8Array): void {
    writeArtifact(this.#bundle, name, content);
  }

  /** For text that quotes names of files or words of programs. */
  writeMasked(name: string, text: string): void {
    this.write(name, this.#mask.text(text));
  }

  /** A note for people below `backend/` that a reason refers to. */
  mark(name: string, text: string): void {
    this.write(`backend/${name}`, `${text}\n`);
    this.append('marker.written', 'harness', { path: `backend/${name}` });
  }

  /** Nothing may be added afterwards. */
  end(blockers: number): void {
    this.#traceSteps();
    this.#trace.end({ ok: blockers === 0, attributes: { blockers } });
    this.#events.close();
  }

  #traceSteps(): void {
    for (let next = this.#steps[this.#traced]; next !== undefined; next = this.#steps[this.#traced]) {
      const { name, started, ended, ok } = next;
      if (ended === null) return;
      this.#trace.add({ name, startedMono: started, endedMono: ended, ok });
      this.#traced += 1;
    }
  }
}
