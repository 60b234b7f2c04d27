import * as z from 'zod/mini';
import { count, isoTime, sha256Hex } from '../schema/parts.ts';

/** What earns a stage: an engine with one program and one model. */
export const stageSubject = z.strictObject({
  engine: z.string(),
  /** Null: the engine has no program of its own. */
  executable_sha256: z.nullable(sha256Hex),
  /** `<provider>/<model>`; null: the engine asks no model. */
  model: z.nullable(z.string()),
});
export type StageSubject = z.infer<typeof stageSubject>;

/** An engine that a comparison of stage 6 is without, and why. */
const absentEngine = z.strictObject({ engine: z.string(), why: z.string() });
export type AbsentEngine = z.infer<typeof absentEngine>;

const record = {
  schema_version: z.literal(1),
  id: z.string(),
  at: isoTime,
  /** Digest of the record before this one; zeros for the first. */
  previous: sha256Hex,
  /** Digest of `allowed_signers` when it was signed; null: a demotion that no person signed. */
  signers_sha256: z.nullable(sha256Hex),
  subject: stageSubject,
};

/** `batches/<id>.json`: runs that are to show a stage, declared before the first of them. */
export const stageBatch = z.strictObject({
  ...record,
  kind: z.literal('batch'),
  stage: z.int().check(z.gte(2), z.lte(6)),
  comparison_id: z.string(),
  /** Every run names this plan in its contract. */
  plan_sha256: sha256Hex,
  /** Runs of the subject. */
  runs: count,
  /** The repository that a sandbox was made of; null: there is no sandbox. */
  sandbox_of: z.nullable(z.string()),
  absent: z.array(absentEngine),
  /** The batch that this one repeats with another program or model; null: none. */
  repeats: z.nullable(z.string()),
});
export type StageBatch = z.infer<typeof stageBatch>;

const countedRun = z.strictObject({
  run_id: z.string(),
  report_sha256: sha256Hex,
  outcome: z.enum(['pass', 'fail', 'not_judged']),
  /** Why it is no pass. */
  why: z.nullable(z.string()),
});
export type CountedRun = z.infer<typeof countedRun>;

const tally = z.strictObject({ passed: count, failed: count, not_judged: count, bound: z.number() });
export type StageTally = z.infer<typeof tally>;

/** `decisions/<id>.json`: a stage that was granted, with its evidence, or taken back, with its cause. */
export const stageDecision = z.strictObject({
  ...record,
  kind: z.literal('decision'),
  action: z.enum(['promote', 'demote']),
  /** The highest stage that the subject has from now on. */
  stage: z.int().check(z.gte(1), z.lte(6)),
  /** Of a demotion. */
  cause: z.nullable(z.string()),
  evidence: z.array(
    z.strictObject({
      batch: z.string(),
      batch_sha256: sha256Hex,
      plan_sha256: sha256Hex,
      runs: z.array(countedRun),
    }),
  ),
  tally: z.nullable(tally),
  absent: z.array(absentEngine),
});
export type StageDecision = z.infer<typeof stageDecision>;

export const stageRecord = z.discriminatedUnion('kind', [stageBatch, stageDecision]);
export type StageRecord = z.infer<typeof stageRecord>;
