import * as z from 'zod/mini';
import { EVENT_TYPES } from '../evidence/schema/events.ts';
import { count, sha256Hex } from '../evidence/schema/parts.ts';
import { imageTerms } from './image/terms.ts';

const riskClass = z.enum(['low', 'medium', 'high']);

const judgedAs = z.enum(['black_box', 'in_process']);
export const taskSeconds = z.number().check(z.positive(), z.maximum(86_400));
const command = z.string().check(z.regex(/\S/, 'must not be empty'));
/** Variables that the sandbox itself sets. */
const OF_SANDBOX = new Set(['PATH', 'HOME', 'TMPDIR', 'GIT_CONFIG_SYSTEM']);
const variableName = z.string().check(
  z.regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be the name of a variable'),
  z.refine((name) => !OF_SANDBOX.has(name), 'is set by the sandbox'),
);
const eventType = z.enum(EVENT_TYPES);

/** Our own table of `task.toml`. */
export const seatrialTable = z.optional(
  z.strictObject({
    test_command: z.optional(command),
    setup_command: z.optional(z.string()),
    allowed_files: z.optional(z.array(command)),
    protected_files: z.optional(z.array(command)),
    required_events: z.optional(z.array(eventType)),
    expected_tests: z.optional(z.array(z.string())),
    isolation: z.optional(judgedAs),
    risk_class: z.optional(riskClass),
    mutation: z.optional(z.string()),
    approvals: z.optional(z.array(command)),
    review: z.optional(command),
    review_engine: z.optional(command),
    must_commit: z.optional(z.boolean()),
    env: z.optional(z.record(variableName, z.string())),
    known_failing: z.optional(z.array(command)),
    accept: z.optional(z.enum(['exit_code'])),
  }),
);

/** The format of `task.toml`. Tables for other tools of the same format are ignored. */
export const taskFileSchema = z.strictObject({
  version: z.optional(z.string()),
  metadata: z.optional(z.record(z.string(), z.unknown())),
  environment: z.optional(z.record(z.string(), z.unknown())),
  agent: z.optional(z.strictObject({ timeout_sec: z.optional(taskSeconds) })),
  verifier: z.optional(z.strictObject({ timeout_sec: z.optional(taskSeconds) })),
  seatrial: seatrialTable,
});
export type TaskFile = z.infer<typeof taskFileSchema>;

const archive = z.strictObject({ sha256: sha256Hex, bytes: count });

/** The repository that a contract was built from; null for a task directory. */
const repository = z.strictObject({
  path: z.string(),
  commit: z.string(),
  /** True: the work tree was copied instead of the commit. */
  dirty: z.boolean(),
  /** Caveats of the copy: empty submodules, git-lfs pointers. */
  notes: z.array(z.string()),
  /**
   * Paths in the tree that git or Seatrial on this machine would execute or read settings from; no engine may change them. With a slash at
   * the end, everything below as well. Absent: written by a version of Seatrial that did not record them.
   */
  guarded_paths: z.optional(z.array(z.string())),
  /** Number of commits of its history that the engine sees. Absent: none. */
  history: z.optional(count),
});
export type Repository = z.infer<typeof repository>;

const judging = z.strictObject({
  /** Globs of files that decide and that this change may change all the same. */
  allow_deciding: z.array(z.string()),
  /** Tests, or files of tests, that must be fixed; empty: any one that fails on the base. */
  must_fix: z.array(z.string()),
  /** Tests that fail on the base and have no vote. */
  known_failing: z.array(z.string()),
  /** What is accepted as a result where a command reports no tests. */
  accept: z.enum(['tests', 'exit_code']),
  /** `kept`: it is enough that nothing broke, as for a landing. Absent: where tests fail on the base, one must be fixed. */
  require: z.optional(z.enum(['fixed_if_failing', 'kept'])),
});
export type Judging = z.infer<typeof judging>;

/**
 * A change that was made elsewhere and is only judged: a commit, the change of another run whose questions were answered, or the
 * change of another run merged with a branch.
 */
const givenChange = z.union([
  z.strictObject({ kind: z.literal('commit'), commit: z.string() }),
  z.strictObject({
    kind: z.literal('run'),
    run_id: z.string(),
    report_sha256: sha256Hex,
    /** Ids of the questions that a person answered with yes, and who it was. */
    approved: z.array(z.string()),
    by: z.string(),
  }),
  z.strictObject({
    kind: z.literal('landing'),
    /** The run whose change lands. */
    run_id: z.string(),
    report_sha256: sha256Hex,
    /** Full name of the branch. */
    onto: z.string(),
    /** The branch's commit that the change was merged with. */
    tip: z.string(),
    /** The commit that the branch is moved to if it passes, and its tree. */
    commit: z.string(),
    tree: z.string(),
  }),
]);

const reviewedChange = z.strictObject({
  run_id: z.string(),
  /** The tree before the change. */
  base: archive,
  /** `patch.diff` of that run, which leads to the tree after it. */
  patch_sha256: sha256Hex,
});

/** A further attempt of `run --retry` or `land --retry`. */
const attempt = z.strictObject({
  /** The attempts before this one, oldest first. */
  earlier: z
    .array(
      z.strictObject({
        run_id: z.string(),
        report_sha256: sha256Hex,
        /** `held`: it passed, and was held when it was to land. */
        status: z.enum(['fail', 'blocked', 'held']),
        failure_reason: z.nullable(z.string()),
      }),
    )
    .check(z.minLength(1)),
  /** What the engine is told of the previous attempt, after the instruction. */
  feedback: z.string(),
  /** The tree that the engine starts from; the patch is always the change from the base. */
  starts_from: z.enum(['base', 'previous_work']),
  /** What the earlier attempts left of the engine's time limit. */
  time_left_sec: z.number(),
});
export type FurtherAttempt = z.infer<typeof attempt>;

/** `inputs/contract.json`: all that was asked, in one document; with the two archives beside it a run can be judged again. */
export const contract = z.strictObject({
  /** Version 2 added `judging`, `env` and `given`; each may be absent in both. */
  schema_version: z.union([z.literal(1), z.literal(2)]),
  task: z.string(),
  instruction: z.string(),
  /** What the user tells this engine in every run, after the instruction. Absent: nothing. */
  engine_instructions: z.optional(z.string()),
  test_command: z.nullable(z.string()),
  setup_command: z.nullable(z.string()),
  allowed_files: z.array(z.string()),
  protected_files: z.array(z.string()),
  required_events: z.array(eventType),
  expected_tests: z.nullable(z.array(z.string())),
  isolation: judgedAs,
  risk_class: riskClass,
  mutation: z.string(),
  approvals: z.array(z.string()),
  review: z.nullable(z.string()),
  /** The engine that reviews the change, in a run of its own. Absent: none. */
  review_engine: z.optional(z.string()),
  must_commit: z.boolean(),
  /** Variables for setup, engine, tests and review. Absent: none. */
  env: z.optional(z.record(z.string(), z.string())),
  agent_timeout_sec: z.number(),
  verifier_timeout_sec: z.number(),
  has_oracle: z.boolean(),
  repository: z.nullable(repository),
  /** How a change to a repository is judged against its base. Absent: a contract of a Seatrial that did not do that. */
  judging: z.optional(judging),
  /** Absent: an engine makes the change. */
  given: z.optional(givenChange),
  /**
   * The change that a review is about, where its engine saw both trees, as `base/` and `patched/`, without their being in `base`. Absent: it
   * is no review, or they are.
   */
  reviewed: z.optional(reviewedChange),
  /** Absent: the first attempt. */
  attempt: z.optional(attempt),
  /** The signed plan that this run belongs to, and its place in it. Absent: a run of its own. */
  declared: z.optional(z.strictObject({ plan_sha256: sha256Hex, slot: count })),
  /** The entry of a workboard that the run is to prove. Absent: none. */
  work_item: z.optional(z.string()),
  /** Absent: the task describes no image. */
  image: z.optional(imageTerms),
  base: archive,
  sealed_tests: z.nullable(archive),
});
export type Contract = z.infer<typeof contract>;
/** The contract before its archives are packed. */
export type Terms = Omit<Contract, 'base' | 'sealed_tests'>;
