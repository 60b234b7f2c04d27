import { Aim, type Durations, durationsOf, type Target } from './aim.ts';
import { killRecovery, killTogether, type Outcome, strikeRun } from './attempt.ts';
import { Followed } from './followed.ts';
import type { Random } from './random.ts';
import { Ground } from './scene.ts';
import { NEEDS_ROOT, type Strike, STRIKES } from './strikes.ts';
import type { Row } from './table.ts';
import { STEPS, type Step, type Workload, WORKLOADS } from './workloads.ts';

export interface SweepOptions {
  readonly kills: number;
  /** The one row to play, as often as `kills` says; null: all of them. */
  readonly only: string | null;
  readonly jobs: number;
  readonly random: Random;
  readonly tell: (line: string) => void;
  /** Ends the sweep once what is under way is over. */
  readonly signal: AbortSignal;
}

/** One thing to do to a run; null when the run was over too soon to be struck. */
type Deed = { readonly row: string; readonly steps: readonly Step[]; run(target: Target): Promise<Outcome | null> };

/** Steps in which something runs confined. */
const CONFINED: readonly Step[] = ['checks', 'provision', 'engine', 'review', 'judge', 'control'];
const AFTER_BIRTH = STEPS.filter((step) => step !== 'start');
const MAX_MISSES = 10;

/** The whole sweep: kills spread over the steps, then a share of everything else that can go wrong. */
export class Sweep {
  readonly #options: SweepOptions;
  readonly #durations = new Map<Workload, Durations>();
  readonly #outcomes = new Map<string, Outcome[]>();
  readonly #grounds = new Set<Ground>();

  constructor(options: SweepOptions) {
    this.#options = options;
  }

  async run(): Promise<Row[]> {
    for (const workload of WORKLOADS) await this.#calibrate(workload);
    const { kills, only, random } = this.#options;
    const share = Math.max(1, Math.round(kills / 20));
    const aims = new Map<string, Aim>();
    const others = this.#others();
    const deeds =
      only === null
        ? [...repeat(kills, this.#kill()), ...others.flatMap((deed) => repeat(share, deed))]
        : [this.#kill(), ...others].filter(({ row }) => row === only).flatMap((deed) => repeat(kills, deed));
    if (deeds.length === 0) throw new Error(`no row is called ${only}`);
    const work = async (): Promise<void> => {
      for (let deed = deeds.shift(); deed !== undefined && !this.#options.signal.aborted; deed = deeds.shift()) {
        const aim = aims.get(deed.row) ?? new Aim(random);
        aims.set(deed.row, aim);
        await this.#do(deed, aim);
      }
    };
    try {
      await Promise.all(Array.from({ length: this.#options.jobs }, work));
    } finally {
      for (const ground of this.#grounds) await ground.remove();
    }
    return this.#rows([...STEPS, ...others.map(({ row }) => row)]);
  }

  async #do(deed: Deed, aim: Aim): Promise<void> {
    for (let misses = 0; misses < MAX_MISSES; misses += 1) {
      const target = aim.next(deed.steps);
      const outcome = await deed.run(target);
      if (outcome === null) continue;
      aim.count(outcome.step);
      const row = deed.row === 'kill' ? outcome.step : deed.row;
      this.#outcomes.set(row, [...(this.#outcomes.get(row) ?? []), outcome]);
      const { lost, orphans, falsePasses, faults } = outcome.findings;
      const bad = [...lost, ...orphans, ...falsePasses, ...faults];
      this.#options.tell(`${deed.row} in ${outcome.step} (${target.workload.name}): ${bad.join('; ') || 'ok'}`);
      return;
    }
    throw new Error(`${deed.row}: no run could be struck in ${MAX_MISSES} tries`);
  }

  #kill(): Deed {
    return {
      row: 'kill',
      steps: STEPS,
      run: (target) =>
        this.#on(new Ground('caller'), (ground) =>
          killTogether(ground, [target], (of) => this.#durationsOf(of.workload)),
        ),
    };
  }

  #others(): Deed[] {
    const { random, tell } = this.#options;
    const isRoot = process.getuid?.() === 0;
    const struck = (row: keyof typeof STRIKES, steps: readonly Step[]): Deed[] => {
      if (NEEDS_ROOT.has(row) && !isRoot) {
        tell(`${row}: not tried, only root can make a small disk`);
        return [];
      }
      const run = (target: Target): Promise<Outcome | null> => {
        const strike: Strike = STRIKES[row]();
        return this.#on(strike.ground, () => strikeRun(strike, target, this.#durationsOf(target.workload), random));
      };
      return [{ row, steps, run }];
    };
    const pair = (target: Target): Promise<Outcome | null> =>
      this.#on(new Ground('caller'), (ground) =>
        killTogether(ground, [target, { ...target, fraction: random() }], (of) => this.#durationsOf(of.workload)),
      );
    const recovery = (target: Target): Promise<Outcome | null> =>
      this.#on(new Ground('caller'), (ground) =>
        killRecovery(ground, target, this.#durationsOf(target.workload), random()),
      );
    return [
      ...struck('bwrap killed', CONFINED),
      ...struck('runs disk full', STEPS),
      ...struck('tmp disk full', STEPS),
      ...struck('read-only', STEPS),
      ...struck('replaced', AFTER_BIRTH),
      { row: 'two killed at once', steps: STEPS, run: pair },
      { row: 'recovery killed', steps: STEPS, run: recovery },
    ];
  }

  async #on<T>(ground: Ground, work: (ground: Ground) => Promise<T>): Promise<T> {
    this.#grounds.add(ground);
    try {
      return await work(ground);
    } finally {
      await ground.remove();
      this.#grounds.delete(ground);
    }
  }

  async #calibrate(workload: Workload): Promise<void> {
    await this.#on(new Ground('caller'), async ({ place, options }) => {
      const run = new Followed(place, workload, options);
      const { code, stdout, stderr } = await run.running.ended;
      if (code !== 0) throw new Error(`${workload.name} does not pass when left alone:\n${stdout}${stderr}`);
      this.#durations.set(workload, durationsOf(run, performance.now()));
    });
  }

  #durationsOf(workload: Workload): Durations {
    return this.#durations.get(workload) ?? new Map();
  }

  #rows(names: readonly string[]): Row[] {
    return names.flatMap((name) => {
      const outcomes = this.#outcomes.get(name);
      return outcomes === undefined ? [] : [{ name, outcomes }];
    });
  }
}

function repeat<T>(times: number, what: T): T[] {
  return Array.from({ length: times }, () => what);
}
