import type { StepTiming } from '../../evidence/log/run-log.ts';
import type { Clock } from '../../kernel/clock.ts';

const LINES_MS = 2000;

/** Prints each step with the time it took, soon after it has ended. */
export class StepLines {
  readonly #stream: { readonly write: (text: string) => unknown };
  readonly #clock: Pick<Clock, 'mono'>;
  readonly #timer: NodeJS.Timeout;
  #steps: readonly StepTiming[] = [];
  #shown = 0;

  constructor(stream: { readonly write: (text: string) => unknown }, clock: Pick<Clock, 'mono'>) {
    this.#stream = stream;
    this.#clock = clock;
    this.#timer = setInterval(() => this.showEnded(), LINES_MS);
    this.#timer.unref();
  }

  /** `steps` grows while the run goes on. */
  begin(runId: string, steps: readonly StepTiming[]): void {
    this.#stream.write(`run ${runId}\n`);
    this.#steps = steps;
    this.#shown = 0;
  }

  showEnded(): void {
    this.#show(({ ended }) => ended !== null);
  }

  showAll(): void {
    this.#show(() => true);
  }

  end(): void {
    clearInterval(this.#timer);
    this.showAll();
  }

  #show(until: (step: StepTiming) => boolean): void {
    for (let next = this.#steps[this.#shown]; next !== undefined && until(next); next = this.#steps[this.#shown]) {
      this.#stream.write(`${secondsBetween(next.started, next.ended ?? this.#clock.mono())}  ${next.name}\n`);
      this.#shown += 1;
    }
  }
}

export function secondsBetween(started: number, ended: number): string {
  return `${((ended - started) / 1000).toFixed(1).padStart(6)} s`;
}
