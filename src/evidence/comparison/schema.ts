import * as z from 'zod/mini';
import { count, isoTime, sha256Hex } from '../schema/parts.ts';

const positive = z.int().check(z.positive());
const nullableNumber = z.nullable(z.number());

const plannedEngine = z.strictObject({
  /** As tables show it: the engine's name, with its model where `--model` names one. */
  label: z.string(),
  engine: z.string(),
  /** `<provider>/<model>`; null: it asks no model, or variables name it. */
  model: z.nullable(z.string()),
  /** Flags that only this engine takes. */
  options: z.record(z.string(), z.string()),
  /** The program at the time of the plan; null: the engine has none, or it was not found. */
  executable_sha256: z.nullable(sha256Hex),
});

/** How the task is found again when a comparison is resumed. */
const taskSource = z.union([
  z.strictObject({ kind: z.literal('directory'), path: z.string() }),
  z.strictObject({
    kind: z.literal('repository'),
    repo: z.string(),
    commit: z.string(),
    dirty: z.optional(z.literal(true)),
    ask: z.string(),
    test: z.optional(z.string()),
    setup: z.optional(z.string()),
    allow: z.optional(z.array(z.string())),
    allowDeciding: z.optional(z.array(z.string())),
    mustFix: z.optional(z.array(z.string())),
    accept: z.optional(z.literal('exit_code')),
    sealed: z.optional(z.string()),
    history: z.optional(positive),
    /** What a stage lets an engine change, where that is not just a copy. */
    mutation: z.optional(z.string()),
    /** A directory with `solve.sh`: what the fake engine does. */
    solution: z.optional(z.string()),
  }),
]);
export type TaskSource = z.infer<typeof taskSource>;

const plannedTask = z.strictObject({
  name: z.string(),
  source: taskSource,
  /** Digest of all that is asked: instruction, terms, files and sealed tests. */
  task_sha256: sha256Hex,
});

/** `plan.json`: what a comparison will run, signed before its first run. Its runs are numbered: see `plannedRunsOf`. */
export const comparisonPlan = z.strictObject({
  schema_version: z.literal(1),
  comparison_id: z.string(),
  declared_at: isoTime,
  nonce: z.string(),
  engines: z.array(plannedEngine).check(z.minLength(1)),
  tasks: z.array(plannedTask).check(z.minLength(1)),
  repeat: positive,
  /** The stage that these runs are to show. Absent: they are only compared. */
  stage: z.optional(z.int().check(z.gte(2), z.lte(6))),
  agent_timeout_sec: z.nullable(positive),
  budgets: z.strictObject({
    max_requests: z.nullable(positive),
    max_tokens: z.nullable(positive),
    max_cost_usd: nullableNumber,
  }),
});
export type ComparisonPlan = z.infer<typeof comparisonPlan>;
export type PlannedEngine = z.infer<typeof plannedEngine>;

export const outcome = z.enum(['pass', 'fail', 'not_judged']);
export type Outcome = z.infer<typeof outcome>;

/** Why a run was not judged; a fail is the engine's own. */
export const reasonClass = z.enum(['work', 'provider', 'limit', 'setup', 'infrastructure']);
export type ReasonClass = z.infer<typeof reasonClass>;

const comparedRun = z.strictObject({
  slot: count,
  engine: z.string(),
  task: z.string(),
  /** From 1. */
  repeat: positive,
  run_id: z.string(),
  report_sha256: sha256Hex,
  outcome,
  reason: z.nullable(z.strictObject({ code: z.string(), class: reasonClass, text: z.string() })),
  /** Time of the engine alone; null: it did not start. */
  engine_ms: z.nullable(z.number()),
  /** Null: unknown, or no model was asked. */
  tokens: z.nullable(count),
  cost_usd: nullableNumber,
  asks_model: z.boolean(),
  /** Earlier runs of the same place in the plan that were interrupted; they count nowhere. */
  interrupted: z.array(z.string()),
});
export type ComparedRun = z.infer<typeof comparedRun>;

/** Per judged run. `known` of them told; the median is over those. `total` null: not every run told. */
const spending = z.strictObject({ known: count, median: nullableNumber, total: nullableNumber });
export type Spending = z.infer<typeof spending>;

const interval95 = z.strictObject({ low: z.number(), high: z.number() });
export type Interval95 = z.infer<typeof interval95>;

const counts = {
  planned: count,
  passed: count,
  failed: count,
  not_judged: count,
  /** Of judged runs; null: none was judged. */
  pass_rate: nullableNumber,
  /** Wilson interval of 95 %. */
  interval: interval95,
  median_ms: nullableNumber,
  tokens: spending,
  cost_usd: spending,
  asks_model: z.boolean(),
};

const reasonCount = z.strictObject({
  outcome: z.enum(['fail', 'not_judged']),
  class: reasonClass,
  code: z.string(),
  /** The text of the first run with this code. */
  text: z.string(),
  count: positive,
});
export type ReasonCount = z.infer<typeof reasonCount>;

const engineSummary = z.strictObject({
  engine: z.string(),
  ...counts,
  /** Mean over tasks with at least k judged runs, of which there are `tasks`; null: none has. */
  pass_all: z.strictObject({ k: positive, tasks: count, value: nullableNumber }),
  reasons: z.array(reasonCount),
});
export type EngineSummary = z.infer<typeof engineSummary>;

const cellSummary = z.strictObject({ engine: z.string(), task: z.string(), ...counts });
export type CellSummary = z.infer<typeof cellSummary>;

/** `comparison.json`: what came of a plan. Everything in it follows from the plan and the bundles below `runs/`. */
export const comparisonResult = z.strictObject({
  schema_version: z.literal(1),
  comparison_id: z.string(),
  plan_sha256: sha256Hex,
  /** Every planned run has ended. */
  complete: z.boolean(),
  planned: count,
  engines: z.array(engineSummary),
  cells: z.array(cellSummary),
  runs: z.array(comparedRun),
});
export type ComparisonResult = z.infer<typeof comparisonResult>;

const digestedFile = z.strictObject({ name: z.string(), digest: z.strictObject({ sha256: sha256Hex }) });

/** The payload of `plan.attestation.json` and `attestation.json`: an in-toto Statement v1 about files of a comparison. */
export const comparisonStatement = z.strictObject({
  _type: z.literal('https://in-toto.io/Statement/v1'),
  subject: z.array(digestedFile).check(z.minLength(1)),
  predicateType: z.enum(['urn:seatrial:comparison-plan:v1', 'urn:seatrial:comparison:v1']),
  predicate: z.strictObject({ comparison_id: z.string(), at: isoTime, signer: z.string() }),
});
export type ComparisonStatement = z.infer<typeof comparisonStatement>;
