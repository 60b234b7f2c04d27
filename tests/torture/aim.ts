import type { Followed } from './followed.ts';
import { pick, type Random } from './random.ts';
import { STEPS, type Step, type Workload, WORKLOADS } from './workloads.ts';

/** How long each step of a workload takes when nothing goes wrong. */
export type Durations = ReadonlyMap<Step, number>;

export function durationsOf(run: Followed, endedAt: number): Durations {
  const times = [...run.begun];
  return new Map(times.map(([step, begun], index) => [step, (times[index + 1]?.[1] ?? endedAt) - begun]));
}

/** Where to strike next. */
export interface Target {
  readonly step: Step;
  /** How much of the step is over by then. */
  readonly fraction: number;
  readonly workload: Workload;
}

/** Chooses the steps that were aimed at and struck least, so that short ones get as much attention as long ones. */
export class Aim {
  readonly #aimed = new Map<Step, number>();
  readonly #struck = new Map<Step, number>();
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  next(among: readonly Step[] = STEPS): Target {
    const tries = (step: Step): number => Math.max(this.#aimed.get(step) ?? 0, this.#struck.get(step) ?? 0);
    const least = Math.min(...among.map(tries));
    const [first = 'start', ...rest] = among.filter((step) => tries(step) === least);
    const step = pick([first, ...rest], this.#random);
    this.#aimed.set(step, (this.#aimed.get(step) ?? 0) + 1);
    const [workload = WORKLOADS[0], ...others] = WORKLOADS.filter(({ lacks }) => !lacks.includes(step));
    return { step, fraction: this.#random(), workload: pick([workload, ...others], this.#random) };
  }

  /** Counted by what was hit, which may be the step after the one that was aimed at. */
  count(step: Step): void {
    this.#struck.set(step, (this.#struck.get(step) ?? 0) + 1);
  }
}

/** Waits until the moment has come. False: the run ended before. */
export async function momentComes(run: Followed, { step, fraction }: Target, durations: Durations): Promise<boolean> {
  if (!(await run.reaches(step))) return false;
  // Before the first step there is little but the start of node: what matters happens near its end.
  const share = step === 'start' ? 0.8 + 0.25 * fraction : fraction;
  const due = (run.begun.get(step) ?? 0) + share * (durations.get(step) ?? 0);
  const ahead = due - performance.now();
  if (ahead > 3) await new Promise((resolve) => setTimeout(resolve, ahead - 1));
  while (performance.now() < due && run.ended === null); // a timer is too coarse for steps of a millisecond
  return run.ended === null;
}
