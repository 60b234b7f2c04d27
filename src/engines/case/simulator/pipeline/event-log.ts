import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type StateChange, type Event, NO_STATE, reduce, type State, taskFields } from './state.ts';
import { changeTask } from '../task-file.ts';
import type { CasePhase } from './words.ts';

/** Phases that write a marker file beside the log when they end. */
const MARKERS: Partial<Record<CasePhase, string>> = { verify: 'tested', review: 'reviewed' };

/** Writes `<repo>/.case/<task>/events/run-<id>.jsonl`, and updates the state and task file from each line. */
export class SimulatorEventLog {
  readonly path: string;
  readonly #dir: string;
  readonly #taskPath: string;
  readonly #runId: string;
  readonly #markers = new Set<string>();
  #state: State;

  constructor(dir: string, taskPath: string, runId: string, resumed: State | null) {
    const events = join(dir, 'events');
    mkdirSync(events, { recursive: true });
    this.path = join(events, `run-${runId}.jsonl`);
    this.#dir = dir;
    this.#taskPath = taskPath;
    this.#runId = runId;
    this.#state = resumed ?? NO_STATE;
  }

  get state(): State {
    return this.#state;
  }

  append(change: StateChange): void {
    const meta = { ts: new Date().toISOString(), sequence: this.#state.sequence + 1, runId: this.#runId };
    const event: Event = { ...change, ...meta };
    appendFileSync(this.path, `${JSON.stringify(event)}\n`);
    this.#state = reduce(this.#state, event);
    if (event.event === 'phase_end' && event.outcome === 'completed') this.#mark(MARKERS[event.phase], event.ts);
    changeTask(this.#taskPath, taskFields(this.#state, this.#markers));
  }

  #mark(name: string | undefined, time: string): void {
    if (name === undefined || this.#markers.has(name)) return;
    writeFileSync(join(this.#dir, name), time);
    this.#markers.add(name);
  }
}

/** The state of the task's last run, by log name, if it was interrupted; null if there is nothing to resume. */
export function unfinishedState(dir: string): State | null {
  const events = join(dir, 'events');
  const last = existsSync(events) ? readdirSync(events).sort().at(-1) : undefined;
  if (last === undefined) return null;
  const lines = readFileSync(join(events, last), 'utf8').split('\n').flatMap(readEvent);
  const state = lines.reduce(reduce, NO_STATE);
  return lines.length === 0 || state.ended ? null : state;
}

/** Ignores an incomplete line. */
function readEvent(line: string): Event[] {
  try {
    // Written by this class.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return [JSON.parse(line) as Event];
  } catch {
    return [];
  }
}
