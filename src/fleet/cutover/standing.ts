import { BACK_STEPS, type CutoverEntry, type CutoverStep, FORWARD_STEPS } from './schema.ts';

/** Where a cutover stands. */
export interface Standing {
  /** Null: nothing was done yet, or it was rolled back completely. */
  readonly way: CutoverEntry['way'] | null;
  /** Steps of this way that are done. */
  readonly done: readonly CutoverStep[];
  /** A step that was begun and did not end. */
  readonly open: CutoverStep | null;
  readonly finished: boolean;
}

export const stepsOf = (way: CutoverEntry['way']): readonly CutoverStep[] =>
  way === 'forward' ? FORWARD_STEPS : BACK_STEPS;

/** Only the steps since the last change of direction count: after one, everything is done again. Pure. */
export function cutoverStanding(entries: readonly CutoverEntry[]): Standing {
  const last = entries.at(-1);
  if (last === undefined || (last.way === 'back' && last.step === 'finish' && last.state === 'done'))
    return { way: null, done: [], open: null, finished: false };
  const { way } = last;
  const turned = entries.findLastIndex((entry) => entry.way !== way);
  const pass = entries.slice(turned + 1);
  const done = pass.filter(({ state }) => state === 'done').map(({ step }) => step);
  return {
    way,
    done,
    open: last.state === 'begun' ? last.step : null,
    finished: stepsOf(way).every((step) => done.includes(step)),
  };
}
