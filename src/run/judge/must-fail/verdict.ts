import { reason } from '../../../evidence/reasons/catalogue.ts';
import type { Reason } from '../../../evidence/reasons/reason.ts';
import type { TestRecord } from '../../../evidence/schema/report.ts';
import type { Sample } from './sample.ts';
import { mustFail, type TestVariant } from './variants.ts';

/** What came of one altered copy of a test. */
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

/** A copy that answered wrongly, and did so again as the only one that was altered. */
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
  /** Fixed tests that pass only so often. */
  readonly wornOut: readonly string[];
  /** The product can say what equals its values, as in Python and JavaScript: then expected values must have been altered too. */
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
  /** Tests that failed where they had to and passed where they had to. */
  readonly shown: number;
  readonly isolation: 'checked' | 'in_process';
  /** Empty: nothing speaks against the tests. */
  readonly faults: readonly Reason<'fail'>[];
}

/** So many others must have answered where no test was fixed. */
const MIN_SHOWN = 5;

/** A copy that is skipped or not reported decides nothing. */
export function readCopyAnswer({ variant, outcome }: Omit<CopyAnswer, 'test'>): 'right' | 'wrong' | 'none' {
  if (outcome === null || outcome === 'skipped') return 'none';
  return mustFail(variant) === (outcome !== 'passed') ? 'right' : 'wrong';
}

export function decideMustFail(facts: MustFailFacts): MustFailVerdict {
  const { seed, sample, answers, notAltered, alarms, wornOut, definesEquality } = facts;
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
      ...(wornOut.length === 0 ? [] : [reason('stops_working', { n: wornOut.length })]),
    ],
  };
}

/**
 * It failed where it had to, and passed where it had to. The copies look alike: where one passes, the other one did not fail
 * because it was no program any more.
 */
function isShown(test: string, answers: readonly CopyAnswer[]): boolean {
  const right = answers.filter((answer) => answer.test === test && readCopyAnswer(answer) === 'right');
  return right.some(({ variant }) => mustFail(variant)) && right.some(({ variant }) => !mustFail(variant));
}

/** It failed by an expected value, not only by what was thrown at its end. */
function isCompared(test: string, answers: readonly CopyAnswer[]): boolean {
  return answers.some((one) => one.test === test && one.variant === 'literal' && readCopyAnswer(one) === 'right');
}
