import type { Ended, Place, Running } from '../support/seatrial.ts';
import { isStep, type Step, type Workload } from './workloads.ts';

/** A run that is watched from outside, by the lines it prints when a step begins. */
export class Followed {
  readonly running: Running;
  readonly begun = new Map<Step, number>([['start', performance.now()]]);
  runId: string | null = null;
  /** The step that it is in, or was in when it ended. */
  step: Step = 'start';
  ended: Ended | null = null;
  readonly #waiting = new Set<() => void>();
  #text = '';

  constructor(place: Place, workload: Workload, options: Parameters<Place['start']>[1]) {
    this.running = place.start(['run', ...workload.args], options);
    this.running.child.stderr?.on('data', (text: string) => this.#take(text));
    void this.running.ended.then((ended) => {
      this.ended = ended;
      this.#tell();
    });
  }

  get pid(): number {
    return this.running.child.pid ?? -1;
  }

  /** False: it ended before. */
  async reaches(step: Step): Promise<boolean> {
    await this.#until(() => this.begun.has(step) || this.ended !== null);
    return this.begun.has(step) && this.ended === null;
  }

  /** Null: it is still there after all this time. */
  async end(patienceMs: number): Promise<Ended | null> {
    const timer = setTimeout(() => this.#tell(), patienceMs);
    const deadline = performance.now() + patienceMs;
    await this.#until(() => this.ended !== null || performance.now() >= deadline);
    clearTimeout(timer);
    return this.ended;
  }

  #take(text: string): void {
    this.#text += text;
    const lines = this.#text.split('\n');
    this.#text = lines.pop() ?? '';
    for (const line of lines) {
      this.runId ??= /^run (\S+)$/.exec(line)?.[1] ?? null;
      const word = /^ *[\d.]+ s {2}(\w+)$/.exec(line)?.[1] ?? '';
      if (!isStep(word)) continue;
      this.step = word;
      this.begun.set(word, performance.now());
    }
    this.#tell();
  }

  #tell(): void {
    for (const waiting of this.#waiting) waiting();
  }

  #until(holds: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (!holds()) return;
        this.#waiting.delete(look);
        resolve();
      };
      this.#waiting.add(look);
      look();
    });
  }
}
