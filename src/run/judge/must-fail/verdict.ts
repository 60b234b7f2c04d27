import { reason } from '../../../evidence/reasons/catalogue.ts';
import type { Reason } from '../../../evidence/reasons/reason.ts';
import type { TestRecord } from '../../../evidence/schema/report.ts';
import { listedTests } from '../results/listed-tests.ts';
import type { Sample } from './sample.ts';
import { mustFail, type TestVariant } from './variants.ts';

/** The result of one altered copy of a test. */
export interface CopyAnswer {
  readonly test: string;
  readonly variant: TestVariant;
  /** Null: it was not reported. */
  readonly outcome: TestRecord['outcome'] | null;
}

export interface NotAltered {
  readonly test: string;
  readonly why: string;
}

/** A copy that answered wrongly, and did so again when it was the only altered one. */
export interface Alarm {
  readonly test: string;
  readonly variant: TestVariant;
}

export interface MustFailFacts {
  readonly seed: string;
  readonly sample: Sample;
  readonly answers: readonly CopyAnswer[];
  readonly notAltered: readonly NotAltered[];
  readonly alarms: readonly Alarm[];
  /** Fixed tests that pass at first and fail when repeated. */
  readonly stopsPassing: readonly string[];
  /** The product can redefine equality, as in Python and JavaScript; then expected values must have been altered too. */
  readonly definesEquality: boolean;
}

export interface MustFailVerdict {
  /** As the report has it. */
  readonly mustFail: {
    readonly seed: string;
    readonly sampled: number;
    readonly altered: number;
    readonly not_altered: readonly NotAltered[];
    readonly alarms: readonly Alarm[];
  };
  /** The number of tests that failed where they must and passed where they must. */
  readonly shown: number;
  readonly isolation: 'checked' | 'in_process';
  /** Empty: no check of the tests failed. */
  readonly faults: readonly Reason<'fail'>[];
}

/** If no test was fixed, at least this many others must have answered. */
const MIN_SHOWN = 5;

/** A copy that is skipped or not reported decides nothing. */
export function readCopyAnswer({ variant, outcome }: Omit<CopyAnswer, 'test'>): 'right' | 'wrong' | 'none' {
  if (outcome === null || outcome === 'skipped') return 'none';
  return mustFail(variant) === (outcome !== 'passed') ? 'right' : 'wrong';
}

export function decideMustFail(facts: MustFailFacts): MustFailVerdict {
  const { seed, sample, answers, notAltered, alarms, stopsPassing, definesEquality } = facts;
  const sampled = [...sample.fixed, ...sample.others];
  const alarmed = new Set(alarms.map(({ test }) => test));
  const altered = new Set(answers.map(({ test }) => test));
  const shown = new Set(sampled.filter((test) => !alarmed.has(test) && isShown(test, answers)));
  const isEnough = (test: string): boolean => shown.has(test) && (!definesEquality || isCompared(test, answers));
  const enough = sample.fixed.length > 0 ? sample.fixed.every(isEnough) : shown.size >= MIN_SHOWN;
  return {
    mustFail: {
      seed,
      sampled: sampled.length,
      altered: altered.size,
      not_altered: notAltered.filter(
        ({ test }, index) => !altered.has(test) && notAltered.findIndex((one) => one.test === test) === index,
      ),
      alarms,
    },
    shown: shown.size,
    isolation: enough && alarmed.size === 0 ? 'checked' : 'in_process',
    faults: [
      ...(alarmed.size === 0 ? [] : [reason('tests_cannot_fail', { n: alarmed.size })]),
      ...(stopsPassing.length === 0 ? [] : [reason('stops_working', { tests: listedTests(stopsPassing) })]),
    ],
  };
}

/**
 * Failed where it must, and passed where it must. The copies look alike, so if one passes, the other did not fail merely because it is
 * no valid program.
 */
function isShown(test: string, answers: readonly CopyAnswer[]): boolean {
  const right = answers.filter((answer) => answer.test === test && readCopyAnswer(answer) === 'right');
  return right.some(({ variant }) => mustFail(variant)) && right.some(({ variant }) => !mustFail(variant));
}

/** Failed because of an altered expected value, not only by a `throw` at its end. */
function isCompared(test: string, answers: readonly CopyAnswer[]): boolean {
  return answers.some((one) => one.test === test && one.variant === 'literal' && readCopyAnswer(one) === 'right');
}
