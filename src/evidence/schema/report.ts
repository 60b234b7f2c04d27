import * as z from 'zod/mini';
import { targetConclusion } from './no-target.ts';
import { repositorySettings } from './repository-settings.ts';
import { completion, count, isoTime, isolation, sha256Hex, status } from './parts.ts';

export const admission = z.enum(['admitted', 'not_admitted']);
const nullableString = z.nullable(z.string());

export const testRecord = z.strictObject({ id: z.string(), outcome: z.enum(['passed', 'failed', 'skipped', 'error']) });
export type TestRecord = z.infer<typeof testRecord>;

/** One program that contributed to the verdict, pinned by its digest. */
export const tool = z.strictObject({ name: z.string(), path: z.string(), version: z.string(), sha256: sha256Hex });
export type Tool = z.infer<typeof tool>;

export const approval = z.strictObject({
  id: z.string(),
  action: z.string(),
  /** `open`: asked after judging; `seatrial approve` answers it in a new bundle. */
  decision: z.enum(['granted', 'denied', 'open']),
  by: z.string(),
  how: z.string(),
  at: isoTime,
  /** When an open question counts as denied. Absent: an earlier version asked it, and it waits as long as the bundle is kept. */
  answer_by: z.optional(isoTime),
});
export type Approval = z.infer<typeof approval>;

const reviewFinding = z.strictObject({
  file: z.string(),
  /** Null: the finding is about the file as a whole. */
  line: z.nullable(z.int()),
  message: z.string(),
});

export const review = z.strictObject({
  verdict: z.enum(['accepted', 'rejected', 'unavailable']),
  by: z.string(),
  comment: z.string(),
  /** Absent: the reviewer gave no structured answer. */
  findings: z.optional(z.array(reviewFinding)),
  /** The run in which an engine reviewed; absent for a command. */
  run_id: z.optional(z.string()),
});
export type Review = z.infer<typeof review>;

export const confinement = z.strictObject({
  kind: z.enum(['bubblewrap', 'none']),
  network: z.enum(['none', 'gateway', 'host']),
  probe_passed: z.boolean(),
  limits: z.record(z.string(), z.number()),
  not_enforced: z.array(z.string()),
  /** Every path of this machine that is shown inside, read-only. */
  read_only: z.array(z.string()),
  /** Keyrings have no namespace: the sandbox has the caller's, and a filter of system calls between. Absent in older bundles. */
  session_keyring: z.optional(z.enum(['inherited', 'inherited, calls refused'])),
  /** How the engine got the files of the base: laid under its changes, or as a copy of its own. Absent in older bundles. */
  workspace: z.optional(z.enum(['overlay', 'copy'])),
  /**
   * Number of accesses to a target path, and of connections to addresses other than the gateway's, by a traced engine;
   * absent if it was not traced.
   */
  audit: z.optional(z.strictObject({ complete: z.boolean(), target_attempts: count, connection_attempts: count })),
});
export type ConfinementReport = z.infer<typeof confinement>;

/** The setup that ran before engine and judge: its command and result. */
/** The image of a task: built, or stood in for by this machine. */
export const standInImage = z.strictObject({
  from: z.string(),
  /** Absent: this machine stood in for it. */
  built: z.optional(z.strictObject({ builder: z.string(), sha256: z.string() })),
  workdir: z.string(),
  /** Packages that it installs, and what stands in for each. */
  packages: z.array(z.string()),
  /** What differs, and keys of the task that have no effect. */
  notes: z.array(z.string()),
});
export type StandInImage = z.infer<typeof standInImage>;

export const provisionSchema = z.strictObject({
  lockfile: nullableString,
  setup_command: z.string(),
  /** Derived from everything that determines the result: lockfile or tree, command, programs, machine. */
  key: sha256Hex,
  products_sha256: sha256Hex,
  /** Restored from the cache; the setup did not run. */
  cached: z.boolean(),
  duration_ms: count,
});
export type Provision = z.infer<typeof provisionSchema>;

/** Test ids by the effect of the change. A new test counts as fixed when it passes. */
const beforeAfter = z.strictObject({
  fixed: z.array(z.string()),
  still_passing: z.array(z.string()),
  /** Passed before, fails now. */
  newly_failing: z.array(z.string()),
  /**
   * Ran before, skipped or missing now. Absent in reports of earlier versions, which counted these tests as newly
   * failing and did not decide by them.
   */
  no_longer_reported: z.optional(z.array(z.string())),
  still_failing: z.array(z.string()),
});
export type BeforeAfter = z.infer<typeof beforeAfter>;

/**
 * The control. `oracle`: the known solution, which must pass. `before`: the unchanged base, to record its test results.
 */
export const baseline = z.strictObject({
  kind: z.enum(['oracle', 'before']),
  run_id: z.string(),
  status,
  paths: z.record(z.string(), z.string()),
  comparison: z.strictObject({
    same_status: z.boolean(),
    same_patch: z.boolean(),
    changed_files: z.record(z.string(), z.array(z.string())),
    tests: z.nullable(beforeAfter),
  }),
});

/** Copies of tests that had to fail, or had to pass, to show that the tests can tell the two apart. */
export const mustFailReport = z.strictObject({
  /** Drawn after the engine had ended; judging again with it alters the same tests in the same way. */
  seed: z.string(),
  sampled: count,
  altered: count,
  not_altered: z.array(z.strictObject({ test: z.string(), why: z.string() })),
  /** Copies that answered wrongly, also as the only altered one. */
  alarms: z.array(z.strictObject({ test: z.string(), variant: z.string() })),
});

/** The run with the whole patch and its own tests. It is shown and decides nothing. */
export const shownTests = z.strictObject({
  reported: count,
  failing: z.array(z.string()),
  /** Tests that the base does not have. */
  added: z.array(z.string()),
});

/** Which files of a change had a vote on it. */
export const deciding = z.strictObject({
  found_by: z.enum(['strace', 'access_times', 'names']),
  /** Judged in the base's version. `own_tests`: files of the product of which that holds for altered tests inside of them. */
  no_vote: z.array(z.strictObject({ path: z.string(), why: z.string() })),
  own_tests: z.optional(z.array(z.string())),
  /** Must not be changed by a patch that they judge. */
  refused: z.array(z.strictObject({ path: z.string(), why: z.string() })),
  /** Decide, and were let through by `--allow-deciding`. */
  allowed: z.array(z.string()),
});

export const executable = z.strictObject({
  path: z.string(),
  sha256: sha256Hex,
  source_commit: nullableString,
  admission_status: admission,
  /** What the program said of itself when it was admitted. Absent: it is not admitted. */
  version: z.optional(z.string()),
});

/** The model that was asked for; the report adds which ones answered. */
export const requestedModel = z.strictObject({
  provider: z.string(),
  name: z.string(),
  runtime_provider: nullableString,
  admission_status: admission,
});

export const totalUsage = z.strictObject({
  requests: z.nullable(count),
  input_tokens: z.nullable(count),
  output_tokens: z.nullable(count),
  cost_usd: z.nullable(z.number()),
});

/**
 * Whether the tree left by the engine was examined. `complete`: `changed_files` and the patch cover all of it.
 * `partial`: `detail` says what could not be read or stored. `no`: an empty `changed_files` means nothing, and `detail`
 * says why.
 */
const frozenTree = z.strictObject({ examined: z.enum(['complete', 'partial', 'no']), detail: nullableString });
export type FrozenTree = z.infer<typeof frozenTree>;

/** A change merged with the tip of a branch. */
const landing = z.strictObject({
  /** Full name of the branch. */
  onto: z.string(),
  /** The branch's commit that the change was merged with. */
  tip: z.string(),
  /** The merged commit and its tree; the branch moves to it only if the merged tree passes. */
  commit: z.string(),
  tree: z.string(),
});
export type Landing = z.infer<typeof landing>;

/** Written by this version. `verify/version-check.ts` has what a report of each version must say. */
export const REPORT_VERSION = 2;

export const report = z.strictObject({
  schema_version: z.union([z.literal(1), z.literal(2)]),
  run_id: z.string(),
  run_dir: z.string(),
  task: z.string(),
  status,
  failure_reason: nullableString,
  blockers: z.array(z.string()),
  /** The code of each blocker, in the same order. Absent in bundles of earlier versions. */
  blocker_codes: z.optional(z.array(z.string())),
  markers: z.array(z.string()),
  backend: z.string(),
  backend_exit_code: z.nullable(z.int()),
  backend_process_started: z.boolean(),
  backend_completion: completion,
  run_started_at: isoTime,
  run_ended_at: z.nullable(isoTime),
  duration_ms: z.nullable(count),
  stage: z.nullable(z.int()),
  mutation: z.string(),
  writable_roots: z.strictObject({ runtime_workspace_root: z.string(), run_artifact_dir: z.string() }),
  /** Absent in bundles of earlier versions. */
  frozen_tree: z.optional(frozenTree),
  changed_files: z.array(z.string()),
  /**
   * Neither in the patch nor a fault: new files ignored by the base's `.gitignore` files, or setup output changed
   * since.
   */
  ignored_files: z.array(z.string()),
  patch: z.strictObject({ path: z.string(), sha256: sha256Hex, bytes: count }),
  tests: z.strictObject({
    command: nullableString,
    passed: z.boolean(),
    exit_code: z.nullable(z.int()),
    duration_ms: z.nullable(count),
    expected: z.array(z.string()),
    seen: z.array(testRecord),
    isolation,
    note: nullableString,
    must_fail: z.optional(mustFailReport),
    /** Absent: the patch changes no tests. */
    shown: z.optional(shownTests),
  }),
  required_events_passed: z.boolean(),
  missing_events: z.array(z.string()),
  /** False: a file that is not allowed or a protected path was changed. Null: not shown, because nothing was confined or compared. */
  allowed_writes_passed: z.nullable(z.boolean()),
  disallowed_writes: z.array(z.string()),
  source_admission_status: admission,
  executable: z.nullable(executable),
  model: z.nullable(z.strictObject({ ...requestedModel.shape, observed: z.array(z.string()) })),
  usage: totalUsage,
  confinement: z.nullable(confinement),
  provision: z.nullable(provisionSchema),
  baseline: z.nullable(baseline),
  artifacts: z.record(z.string(), z.string()),
  /** SHA-256 of every artifact, by its name in `artifacts`. */
  digests: z.record(z.string(), sha256Hex),
  /** The file with the digest of each artifact that is not in `digests`, because it is written later. Absent in earlier versions. */
  digests_elsewhere: z.optional(z.record(z.string(), z.string())),
  freshness: z.strictObject({
    nonce: z.string(),
    chain_head: sha256Hex,
    ledger_head_at_start: sha256Hex,
    started_at: isoTime,
    sealed_at: z.nullable(isoTime),
  }),
  approvals: z.array(approval),
  review: z.nullable(review),
  toolchain: z.array(tool),
  /** `fixed`: a test that failed on the base passes. `kept`: nothing broke, and no test shows that the ask was done. */
  proof: z.optional(z.nullable(z.enum(['fixed', 'kept']))),
  fixed: z.optional(z.array(z.string())),
  base_record: z.optional(z.nullable(z.strictObject({ sha256: sha256Hex, cached: z.boolean() }))),
  deciding: z.optional(z.nullable(deciding)),
  /** The commit that was judged; no engine ran. Absent: an engine made the change. */
  judged_commit: z.optional(z.string()),
  /** The run whose change was judged again; no engine ran. */
  parent: z.optional(z.strictObject({ run_id: z.string(), report_sha256: sha256Hex })),
  /** Present where that change was judged merged with a branch. */
  landing: z.optional(landing),
  /** The number of this attempt of `run --retry`, and the attempt before it. Absent: the first, or the only one. */
  attempt: z.optional(count),
  previous_run: z.optional(z.strictObject({ run_id: z.string(), report_sha256: sha256Hex })),
  /** The work item that the run was for. Absent: none was named, or an earlier version wrote this. */
  work_item: z.optional(z.string()),
  /** Whether the engine could reach a path of `target_paths`. Absent: no engine was about to start, or an earlier version wrote this. */
  target_conclusion: z.optional(targetConclusion),
  /** Settings in the repository that the engine would obey. Absent: there are none, or the run ended before. */
  repository_settings: z.optional(repositorySettings),
  /** The image of the task, and what of this machine stood in for it. Absent: the task describes none. */
  image: z.optional(standInImage),
  case_process_started: z.optional(z.boolean()),
  case_model_provider: z.optional(z.string()),
  case_model: z.optional(z.string()),
  case_runtime_model_provider: z.optional(z.string()),
  case_model_admission_status: z.optional(admission),
});
export type Report = z.infer<typeof report>;
