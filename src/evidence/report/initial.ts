import { sha256, ZERO_DIGEST } from '../../kernel/digest.ts';
import { reason } from '../reasons/catalogue.ts';
import { DEFAULT_REQUIRED_EVENTS } from '../schema/events.ts';
import { type Report, REPORT_VERSION } from '../schema/report.ts';

const INTERRUPTED = reason('run_interrupted');
/** True at any moment before a run has examined its tree, including while it is running. */
export const CUT_OFF = 'the run did not get that far';

export interface RunIdentity {
  readonly runId: string;
  readonly dir: string;
  readonly task: string;
  readonly engine: string;
  readonly nonce: string;
  readonly startedAt: string;
  readonly ledgerHeadAtStart: string;
}

/** The report a run is created with: true at any moment the run may be interrupted, and never a pass. */
export function interruptedReport(run: RunIdentity): Report {
  return {
    schema_version: REPORT_VERSION,
    run_id: run.runId,
    run_dir: run.dir,
    task: run.task,
    status: 'blocked',
    failure_reason: INTERRUPTED.text,
    blockers: [INTERRUPTED.text],
    blocker_codes: [INTERRUPTED.code],
    markers: [],
    backend: run.engine,
    backend_exit_code: null,
    backend_process_started: false,
    backend_completion: 'not_started',
    run_started_at: run.startedAt,
    run_ended_at: null,
    duration_ms: null,
    stage: null,
    mutation: 'none',
    writable_roots: { runtime_workspace_root: '', run_artifact_dir: run.dir },
    frozen_tree: { examined: 'no', detail: CUT_OFF },
    changed_files: [],
    patch: { path: 'patch.diff', sha256: sha256(''), bytes: 0 },
    tests: {
      command: null,
      passed: false,
      exit_code: null,
      duration_ms: null,
      expected: [],
      seen: [],
      isolation: 'in_process',
      note: null,
    },
    required_events_passed: false,
    missing_events: [...DEFAULT_REQUIRED_EVENTS],
    allowed_writes_passed: null,
    disallowed_writes: [],
    ignored_files: [],
    source_admission_status: 'not_admitted',
    executable: null,
    model: null,
    usage: { requests: null, input_tokens: null, output_tokens: null, cost_usd: null },
    confinement: null,
    provision: null,
    baseline: null,
    artifacts: {},
    digests: {},
    freshness: {
      nonce: run.nonce,
      chain_head: ZERO_DIGEST,
      ledger_head_at_start: run.ledgerHeadAtStart,
      started_at: run.startedAt,
      sealed_at: null,
    },
    approvals: [],
    review: null,
    toolchain: [],
  };
}
