import { type Durations, momentComes, type Target } from './aim.ts';
import { examine, falsePassesNow, type Findings } from './examine.ts';
import { Followed } from './followed.ts';
import { descendantsOf, type Seen } from './processes.ts';
import type { Random } from './random.ts';
import type { Ground } from './scene.ts';
import { killHarness, type Strike } from './strikes.ts';
import { type Step } from './workloads.ts';

export interface Outcome {
  readonly step: Step;
  readonly findings: Findings;
}

const PATIENCE_MS = 120_000;

/** Strikes one run and looks at what is left. Null: it was over before it could be struck. */
export async function strikeRun(
  strike: Strike,
  target: Target,
  durations: Durations,
  random: Random,
): Promise<Outcome | null> {
  const { ground } = strike;
  const scene = ground.scene();
  const run = new Followed(ground.place, target.workload, ground.options);
  const hit = (await momentComes(run, target, durations)) && (await strike.hit(run, random));
  const step = run.step;
  const ended = await run.end(PATIENCE_MS);
  if (ended === null) run.running.child.kill('SIGKILL');
  await run.running.ended;
  if (!hit) return null;
  const early = await falsePassesNow(scene);
  strike.mend();
  const found = await examine(scene, [], 1);
  const faults = [...found.faults, ...(ended === null ? [`hung in ${run.step}`] : endFaults(run))];
  return {
    step: run.ended?.signal === 'SIGKILL' ? run.step : step,
    findings: { ...found, faults, falsePasses: [...early, ...found.falsePasses] },
  };
}

function endFaults({ ended }: Followed): string[] {
  if (ended === null || ended.signal === 'SIGKILL') return [];
  if (ended.stderr.includes('internal error')) return [`told of an internal error: ${ended.stderr}`];
  if (ended.code === null) return [`died of ${ended.signal}`];
  return [];
}

/** Kills one or more harnesses that share a runs directory, all at once, and recovers with as many commands at once. */
export async function killTogether(
  ground: Ground,
  targets: readonly Target[],
  durations: (target: Target) => Durations,
): Promise<Outcome | null> {
  const scene = ground.scene();
  const runs = targets.map((target) => ({
    target,
    run: new Followed(ground.place, target.workload, ground.options),
  }));
  const moments = runs.map(({ run, target }) => momentComes(run, target, durations(target)));
  const comes = await Promise.race(moments);
  const watched = runs.flatMap(({ run }) => descendantsOf(run.pid)) satisfies Seen[];
  const hits = await Promise.all(runs.map(({ run }) => killHarness(run)));
  const [first] = runs;
  for (const { run } of runs) await run.running.ended;
  if (first === undefined || !comes || !hits.includes(true)) return null;
  return { step: first.run.step, findings: await examine(scene, watched, runs.length) };
}

/** Kills a recovery in the middle; what is left is examined like any other crash. */
export async function killRecovery(
  ground: Ground,
  target: Target,
  durations: Durations,
  fraction: number,
): Promise<Outcome | null> {
  const scene = ground.scene();
  const run = new Followed(ground.place, target.workload, ground.options);
  if (await momentComes(run, target, durations)) run.running.child.kill('SIGKILL');
  await run.running.ended;
  const recovery = ground.place.start(['runs', 'recover'], ground.options);
  const timer = setTimeout(() => recovery.child.kill('SIGKILL'), RECOVERY_MS * (0.3 + 0.7 * fraction));
  const { signal } = await recovery.ended;
  clearTimeout(timer);
  return { step: signal === null ? 'seal' : run.step, findings: await examine(scene, [], 1) };
}

/** About what a recovery takes. */
const RECOVERY_MS = 250;
