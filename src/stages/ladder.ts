import { COMPARED_AT_TOP } from '../engines/list.ts';
import { STAGE_SCOPES } from '../admission/stage-scopes.ts';
import { wilsonInterval } from '../kernel/statistics.ts';

/** What a batch must show before a person may grant a stage. */
export interface StageMinimum {
  /** Judged runs, over all batches of the stage. */
  readonly runs: number;
  /** Lower end of the Wilson interval (95 %) of the pass rate. */
  readonly bound: number;
  /** Share of runs that may be excluded because nothing could be judged. */
  readonly notJudged: number;
  /** Evidence older than this is stale. */
  readonly maxAgeDays: number;
}

/** One rung: everything that decides about it is here. */
export interface LadderStage {
  readonly number: number;
  readonly name: string;
  /** What must be earned and admitted before a run at this stage starts. */
  readonly entry: readonly string[];
  /** The only thing that a run may change. */
  readonly mutation: string;
  readonly requiredArtifacts: readonly string[];
  /** The command that produces the evidence. */
  readonly validator: string;
  readonly failureModes: readonly string[];
  readonly promotion: string;
  /** Null: earned by a check suite, not by a batch. */
  readonly minimum: StageMinimum | null;
  /** How the change of a passing run leaves the bundle; null: it does not. */
  readonly delivery: 'sandbox' | 'owned' | null;
}

const BUNDLE = [
  'report.json',
  'report.md',
  'events.normalized.jsonl',
  'trace.jsonl',
  'patch.diff',
  'test.log',
  'eligibility.json',
  'stage2-no-target-inspection.json',
  'manifest.json',
  'attestation.json',
  'backend/',
];

const ALWAYS_REFUSED = [
  'fail',
  'blocked',
  'timeout, also after a valid patch',
  'unconfined',
  'stale',
  'replayed',
  'tampered or unsigned',
  'a target within reach',
  'files that decide changed with leave',
];

const minimum = (runs: number, bound: number): StageMinimum => ({ runs, bound, notJudged: 0.2, maxAgeDays: 90 });

const scope = (stage: number): string => STAGE_SCOPES[stage] ?? 'none';

const byBatch = ({ runs, bound, notJudged }: StageMinimum, also = ''): string =>
  `at least ${runs} judged runs of declared batches, lower bound of the pass rate at least ${bound}, at most ${notJudged * 100} % not judged${also}; signed by a person`;

const USUAL = minimum(5, 0.5);
const DEFAULT = minimum(8, 0.65);

/** The way from a gated engine to a candidate default. Default status is earned, not assumed; nothing here promotes to Core. */
export const LADDER: readonly LadderStage[] = [
  {
    number: 1,
    name: 'gated engine',
    entry: ['enabled', 'program and model admitted'],
    mutation: scope(1),
    requiredArtifacts: ['check.json'],
    validator: 'seatrial check <suite>',
    failureModes: ['a check failed', 'another build of Seatrial', 'another program'],
    promotion: "every check of the adapter's suite passes with this program and this build",
    minimum: null,
    delivery: null,
  },
  {
    number: 2,
    name: 'artificial fixture',
    entry: ['stage 1', 'a built-in task, or one admitted by its digest'],
    mutation: scope(2),
    requiredArtifacts: [...BUNDLE, 'baseline/'],
    validator: 'seatrial stage run <batch>',
    failureModes: ALWAYS_REFUSED,
    promotion: byBatch(USUAL),
    minimum: USUAL,
    delivery: null,
  },
  {
    number: 3,
    name: 'copied repo fixture',
    entry: ['stage 2', 'source of the program admitted', 'a repository at a commit, with --must-fix or --sealed'],
    mutation: scope(3),
    requiredArtifacts: [...BUNDLE, 'inputs/base-record.json'],
    validator: 'seatrial stage run <batch>',
    failureModes: [...ALWAYS_REFUSED, 'no named test was fixed'],
    promotion: byBatch(USUAL),
    minimum: USUAL,
    delivery: null,
  },
  {
    number: 4,
    name: 'disposable sandbox repo',
    entry: ['stage 3', 'a clone that Seatrial made, with a bare remote of its own'],
    mutation: scope(4),
    requiredArtifacts: [...BUNDLE, 'inputs/base-record.json', 'landing record of the pushed branch'],
    validator: 'seatrial stage run <batch>',
    failureModes: [...ALWAYS_REFUSED, 'no named test was fixed', 'branch not pushed', 'pushed tree does not pass'],
    promotion: byBatch(USUAL, '; every passing change pushed as a branch and judged again there'),
    minimum: USUAL,
    delivery: 'sandbox',
  },
  {
    number: 5,
    name: 'owned noncritical repo',
    entry: ['stage 4', 'a repository listed as owned and noncritical', 'an approval for each branch'],
    mutation: scope(5),
    requiredArtifacts: [...BUNDLE, 'inputs/base-record.json', 'landing record of the delivered branch', 'approval'],
    validator: 'seatrial stage run <batch>',
    failureModes: [...ALWAYS_REFUSED, 'no named test was fixed', 'delivery not approved', 'default branch'],
    promotion: byBatch(USUAL, '; every passing change delivered as a branch after an approval'),
    minimum: USUAL,
    delivery: 'owned',
  },
  {
    number: 6,
    name: 'candidate default',
    entry: ['stage 5', `a comparison with ${COMPARED_AT_TOP.join(', ')}, as far as they may run`],
    mutation: scope(6),
    requiredArtifacts: [...BUNDLE, 'inputs/base-record.json', 'comparison.json'],
    validator: 'seatrial stage run <batch>',
    failureModes: [...ALWAYS_REFUSED, 'the known solution fails', 'clearly worse than a compared engine'],
    promotion: byBatch(DEFAULT, '; not clearly worse than any compared engine; absent ones are recorded'),
    minimum: DEFAULT,
    delivery: null,
  },
];

export const TOP_STAGE = 6;

export function stageNumbered(number: number): LadderStage | null {
  return LADDER.find((stage) => stage.number === number) ?? null;
}

/** The lower bound that a minimum is compared with. */
export const lowerBound = (passed: number, judged: number): number => wilsonInterval(passed, judged).low;
