import { existsSync } from 'node:fs';
import { withLock } from '../../evidence/storage/lock.ts';
import { join } from 'node:path';
import { SeatrialError } from '../../kernel/errors.ts';
import { sampleWatchdogs, type Sampled } from './sampler.ts';
import type { Surroundings } from './plan.ts';
import type { CutoverEntry, CutoverPlan, CutoverStep } from './schema.ts';
import {
  changedByCutover,
  keptFilesDir,
  hasKeptState,
  keepFiles,
  keepState,
  phaseIndexes,
  restoreFile,
  restoreState,
  retireSnapshot,
} from './snapshot.ts';
import { cutoverStanding, stepsOf } from './standing.ts';
import {
  awaitCommands,
  hold,
  liveRuns,
  pointAtStaged,
  pointAtState,
  startByUnit,
  stopLive,
  stopStaged,
} from './steps.ts';
import { appendEntry, cutoverDir, readEntries } from './store.ts';

export type ProgressChoice = 'keep' | 'discard' | null;
type Way = CutoverEntry['way'];
/** Does a step, again if need be, and says what is so now. */
type Work = () => string | Promise<string>;

export interface CutoverResult {
  readonly notes: readonly string[];
  readonly sampled: Sampled;
}

/** Puts the staged project in the place of the live one. Goes on where an earlier call was killed. */
export async function runCutover(
  plan: CutoverPlan,
  surroundings: Surroundings,
  log: (line: string) => void,
): Promise<CutoverResult> {
  const works: Readonly<Record<string, Work>> = {
    'keep-files': () => {
      keepFiles(plan);
      return `kept ${changedByCutover(plan).join(' and ')}`;
    },
    hold: () => hold(plan),
    'stop-live': () => stopLive(plan, surroundings),
    'keep-state': () => {
      keepState(plan);
      return `kept the state in ${plan.live_log_dir}`;
    },
    config: () => pointAtState(plan),
    shim: () => pointAtStaged(plan, surroundings),
    start: () => startByUnit(plan, plan.staged, surroundings),
  };
  return walk('forward', plan, surroundings, works, log);
}

/** Puts the live project back: shim, configuration and state byte for byte. Goes on where an earlier call was killed. */
export async function rollBackCutover(
  plan: CutoverPlan,
  progress: ProgressChoice,
  surroundings: Surroundings,
  log: (line: string) => void,
): Promise<CutoverResult> {
  if (cutoverStanding(readEntries(plan.staged)).way === null)
    throw new SeatrialError('blocked', 'nothing was cut over: there is nothing to roll back');
  if (!existsSync(keptFilesDir(plan))) return walk('back', plan, surroundings, NOTHING_CHANGED, log);
  const { kept, now } = phaseIndexes(plan);
  const moved = hasKeptState(plan) && kept !== now;
  if (moved && progress === null)
    throw new SeatrialError(
      'blocked',
      `nothing was changed: the phase index moved from ${kept ?? 'none'} to ${now ?? 'none'} since the cutover; go back with --keep-progress, or with --discard-progress, which archives it`,
    );
  const works: Record<string, Work> = {
    hold: () => hold(plan),
    'stop-staged': () => stopStaged(plan, surroundings),
    state: () => {
      if (!hasKeptState(plan)) return 'the state was not touched';
      if (liveRuns(plan)) return 'the live project runs, so its state is left to it';
      if (progress === 'keep') return 'the state stays as it is now';
      return `the state is as before; what it was lies in ${restoreState(plan, surroundings.clock.now())}`;
    },
    config: () => {
      restoreFile(plan, join(plan.staged, 'agents.toml'));
      return 'agents.toml of the staged project is as before';
    },
    shim: () => {
      restoreFile(plan, plan.shim);
      return `${plan.shim} is as before`;
    },
    start: () => (plan.live_runs ? startByUnit(plan, plan.live, surroundings) : 'the live project did not run before'),
    finish: () => {
      retireSnapshot(plan, surroundings.clock.now());
      return 'the live project is back';
    },
  };
  return walk('back', plan, surroundings, works, log);
}

/** Killed before anything was kept, which comes first. */
const NOTHING_CHANGED: Readonly<Record<string, Work>> = Object.fromEntries(
  stepsOf('back').map((step) => [step, () => 'nothing was changed'] as const),
);

async function walk(
  way: Way,
  plan: CutoverPlan,
  surroundings: Surroundings,
  works: Readonly<Record<string, Work>>,
  log: (line: string) => void,
): Promise<CutoverResult> {
  const { staged } = plan;
  return withLock(join(cutoverDir(staged), '.lock'), async () => {
    await awaitCommands(plan);
    const standing = cutoverStanding(readEntries(staged));
    const done = new Set(standing.way === way ? standing.done : []);
    const note = (step: CutoverStep, state: CutoverEntry['state'], text: string | null): void =>
      appendEntry(staged, { version: 1, time: surroundings.clock.now().toISOString(), way, step, state, note: text });
    const sampler = sampleWatchdogs(plan, surroundings.clock);
    const notes: string[] = [];
    const report = (line: string): void => {
      notes.push(line);
      log(line);
    };
    const finish = (): Sampled => {
      const sampled = sampler.end();
      report(sampledText(sampled));
      return sampled;
    };
    try {
      for (const step of stepsOf(way)) {
        if (done.has(step)) continue;
        note(step, 'begun', null);
        const text = (await works[step]?.()) ?? '';
        note(step, 'done', text);
        report(`${step}: ${text}`);
      }
    } catch (error) {
      finish();
      throw error;
    }
    const sampled = finish();
    if (sampled.most > 1)
      throw new SeatrialError(
        'blocked',
        `${sampled.most} watchdogs were alive at the same time; \`seatrial cutover status ${staged}\` shows them`,
      );
    return { notes, sampled };
  });
}

const sampledText = ({ samples, most, gapMs }: Sampled): string =>
  `watchdogs: never more than ${most} in ${samples} looks; ${gapMs === null ? 'no gap' : `${(gapMs / 1000).toFixed(1)} s without one`}`;
