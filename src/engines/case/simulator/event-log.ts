import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type StateChange, type Event, NO_STATE, reduce, type State, taskFields } from './state.ts';
import { changeTask } from './task-file.ts';
import type { Phase } from './words.ts';

/** The end of these leaves a file for people beside the log. */
const MARKERS: Partial<Record<Phase, string>> = { verify: 'tested', review: 'reviewed' };

/** `<repo>/.case/<task>/events/run-<id>.jsonl`, and what follows from every line of it. */
export class SimulatorEventLog {
  readonly path: string;
  readonly #folder: string;
  readonly #taskPath: string;
  readonly #runId: string;
  readonly #markers = new Set<string>();
  #state: State;

  constructor(dir: string, taskPath: string, runId: string, resumed: State | null) {
    const events = join(dir, 'events');
    mkdirSync(events, { recursive: true });
    this.path = join(events, `run-${runId}.jsonl`);
    this.#folder = dir;
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
    writeFileSync(join(this.#folder, name), time);
    this.#markers.add(name);
  }
}

/** Where the last run of the same task was broken off, by the last log in order of names; null if there is none to go on with. */
export function unfinishedState(dir: string): State | null {
  const events = join(dir, 'events');
  const last = existsSync(events) ? readdirSync(events).sort().at(-1) : undefined;
  if (last === undefined) return null;
  const lines = readFileSync(join(events, last), 'utf8').split('\n').flatMap(readEvent);
  const state = lines.reduce(reduce, NO_STATE);
  return lines.length === 0 || state.ended ? null : state;
}

/** A line that was not written to its end is none. */
function readEvent(line: string): Event[] {
  try {
    // Its own words.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return [JSON.parse(line) as Event];
  } catch {
    return [];
  }
}
