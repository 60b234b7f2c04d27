import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ARTIFACTS = [
  'report.json',
  'report.md',
  'report.html',
  'events.normalized.jsonl',
  'trace.jsonl',
  'patch.diff',
  'test.log',
  'inputs/contract.json',
  'inputs/base.tar',
  'inputs/tests.tar',
  'backend/stdout.log',
  'backend/stderr.log',
  'eligibility.json',
  'stage2-no-target-inspection.json',
  'manifest.json',
  'attestation.json',
];

/** Every field that a report must have, null where an engine has none; a dot is a field of an object that is there. */
const FIELDS = `
  schema_version run_id run_dir task status failure_reason blockers markers backend backend_exit_code
  backend_process_started backend_completion run_started_at run_ended_at duration_ms stage mutation
  writable_roots.runtime_workspace_root writable_roots.run_artifact_dir changed_files patch.path patch.sha256 patch.bytes
  tests.command tests.passed tests.exit_code tests.duration_ms tests.expected tests.seen tests.isolation
  required_events_passed missing_events allowed_writes_passed disallowed_writes ignored_files source_admission_status
  executable executable.path executable.sha256 executable.source_commit executable.admission_status
  model model.provider model.name model.runtime_provider model.admission_status model.observed
  usage.requests usage.input_tokens usage.output_tokens usage.cost_usd
  confinement confinement.kind confinement.network confinement.probe_passed confinement.limits confinement.not_enforced
  baseline baseline.run_id baseline.status baseline.paths baseline.comparison artifacts digests
  freshness.nonce freshness.chain_head freshness.ledger_head_at_start freshness.started_at freshness.sealed_at
  approvals review toolchain`;

/** What a bundle lacks of what every bundle must hold. */
export function missingFrom(runDir: string): string[] {
  const files = ARTIFACTS.filter((name) => !existsSync(join(runDir, name)));
  const report: unknown = JSON.parse(readFileSync(join(runDir, 'report.json'), 'utf8'));
  const fields = FIELDS.trim()
    .split(/\s+/)
    .filter((field) => !holds(report, field.split('.')));
  return [...files, ...fields.map((field) => `report.json: ${field}`)];
}

/** An object that is null as a whole holds none of its fields, and need not. */
function holds(value: unknown, [first, ...rest]: readonly string[]): boolean {
  if (first === undefined || (value === null && rest.length === 0)) return true;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, first)) return false;
  const field: unknown = Reflect.get(value, first);
  return rest.length > 0 && field === null ? true : holds(field, rest);
}
