import type { CountedRun, StageBatch, StageTally } from '../evidence/stage-records/schema.ts';
import type { Interval } from '../kernel/statistics.ts';
import { lowerBound, type LadderStage } from './ladder.ts';

/** One declared batch of a stage, as its runs are now. */
export interface BatchFacts {
  readonly batch: StageBatch;
  /** Planned runs of any engine that have not come to their end. */
  readonly open: number;
  /** Runs of the subject that have. */
  readonly runs: readonly CountedRun[];
  /** Passing runs whose change was not delivered as the stage demands, and why. */
  readonly undelivered: readonly { readonly run: string; readonly why: string }[];
  /** What the compared engines came to, by label. Empty below stage 6. */
  readonly others: readonly { readonly engine: string; readonly label: string; readonly interval: Interval }[];
}

export interface PromotionFacts {
  readonly stage: LadderStage;
  /** The highest stage that the subject has now; 0: not even the first. */
  readonly earned: number;
  /** Every batch of this stage that was declared for the subject since it was last demoted. */
  readonly batches: readonly BatchFacts[];
}

/** What stands between a subject and a stage. */
export interface Missing {
  readonly what: string;
  readonly next: string;
}

export interface PromotionRuling {
  readonly grantable: boolean;
  readonly tally: StageTally;
  readonly missing: readonly Missing[];
}

/**
 * Pure: whether a person may grant this stage. Every run of every declared batch counts, so that declaring again until it comes out well
 * is of no use, and one run more or less decides nothing that the others do not.
 */
export function decidePromotion({ stage, earned, batches }: PromotionFacts): PromotionRuling {
  const runs = batches.flatMap((one) => one.runs);
  const tally = tallyOf(runs);
  const missing = [
    ...entryMissing(stage, earned),
    ...batchesMissing(stage, batches),
    ...countMissing(stage, tally, batches),
  ];
  return { grantable: missing.length === 0, tally, missing };
}

export function tallyOf(runs: readonly CountedRun[]): StageTally {
  const of = (outcome: CountedRun['outcome']): number => runs.filter((run) => run.outcome === outcome).length;
  const [passed, failed] = [of('pass'), of('fail')];
  return { passed, failed, not_judged: of('not_judged'), bound: lowerBound(passed, passed + failed) };
}

function entryMissing({ number }: LadderStage, earned: number): Missing[] {
  if (earned === number - 1) return [];
  return earned >= number
    ? [{ what: `stage ${number} is already granted`, next: 'nothing to do' }]
    : [{ what: `stage ${number - 1} is not earned`, next: `earn stage ${earned + 1} first` }];
}

function batchesMissing({ number }: LadderStage, batches: readonly BatchFacts[]): Missing[] {
  if (batches.length === 0)
    return [{ what: 'no batch is declared', next: `declare one: seatrial stage declare --to ${number} --help` }];
  return batches.flatMap(({ batch: { id }, open, undelivered, others }) => [
    ...(open === 0 ? [] : [{ what: `batch ${id} has ${open} runs to go`, next: `seatrial stage run ${id}` }]),
    ...undelivered.map(({ run, why }) => ({
      what: `the change of ${run} was not delivered: ${why}`,
      next: `seatrial stage run ${id}`,
    })),
    ...others
      .filter(({ engine, interval }) => engine === 'fake' && interval.low <= 0)
      .map(() => ({
        what: `the known solution never passed in batch ${id}`,
        next: 'correct the task, then declare another batch',
      })),
  ]);
}

function countMissing({ minimum }: LadderStage, tally: StageTally, batches: readonly BatchFacts[]): Missing[] {
  if (minimum === null || batches.length === 0) return [];
  const judged = tally.passed + tally.failed;
  const all = judged + tally.not_judged;
  const more = { next: 'declare a further batch; every run so far still counts' };
  const upper = upperBound(tally);
  const better = batches
    .flatMap(({ others }) => others)
    .filter(({ engine, interval }) => engine !== 'fake' && interval.low > upper);
  return [
    ...(judged < minimum.runs ? [{ what: `${judged} runs were judged, ${minimum.runs} are needed`, ...more }] : []),
    ...(tally.bound < minimum.bound
      ? [
          {
            what: `${tally.passed} of ${judged} passed: the lower bound is ${tally.bound.toFixed(3)}, ${minimum.bound} is needed`,
            ...more,
          },
        ]
      : []),
    ...(all > 0 && tally.not_judged / all > minimum.notJudged
      ? [
          {
            what: `${tally.not_judged} of ${all} runs were not judged, at most ${minimum.notJudged * 100} % may be`,
            next: 'remove what kept them from being judged, then declare a further batch',
          },
        ]
      : []),
    ...better.map(({ label }) => ({ what: `clearly worse than ${label}`, next: 'it stays at its stage' })),
  ];
}

/** By symmetry of the interval. */
function upperBound({ passed, failed }: StageTally): number {
  return 1 - lowerBound(failed, passed + failed);
}
