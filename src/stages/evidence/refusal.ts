import type { StageSubject } from '../../evidence/stage-records/schema.ts';
import type { Report } from '../../evidence/schema/report.ts';
import type { Contract } from '../../task/contract.ts';
import type { LadderStage } from '../ladder.ts';

/** A run that a batch counts, as it was found. */
export interface StageRun {
  readonly report: Report;
  readonly contract: Pick<Contract, 'declared' | 'judging' | 'sealed_tests' | 'expected_tests' | 'risk_class'>;
  /** What verifying the bundle came to, and the first fault. */
  readonly verified: { readonly ok: boolean; readonly detail: string };
}

/** What the run was declared as. */
export interface StageClaim {
  readonly stage: LadderStage;
  readonly subject: StageSubject;
  readonly planSha256: string;
  readonly declaredAt: string;
  /** Reports that an earlier decision has used. */
  readonly usedBefore: ReadonlySet<string>;
  readonly now: Date;
}

const DAY_MS = 86_400_000;

/** Pure: why a run is no evidence for a stage; null: it is. The first reason decides. */
export function evidenceRefusal({ report, contract, verified }: StageRun, claim: StageClaim): string | null {
  const { stage, subject, planSha256, declaredAt, usedBefore, now } = claim;
  if (!verified.ok) return `tampered or unverifiable: ${verified.detail}`;
  if (report.status === 'blocked') return `blocked: ${report.failure_reason ?? 'no verdict'}`;
  if (report.backend_completion === 'timed_out')
    return `timed out: ${report.failure_reason ?? 'the deadline ended it'}; a deadline is never a pass, whatever the patch`;
  if (report.status !== 'pass') return `fail: ${report.failure_reason ?? 'no reason'}`;
  if (report.confinement?.kind !== 'bubblewrap' || !report.confinement.probe_passed)
    return 'unconfined: it did not run in a sandbox that was probed';
  if (report.markers.some((marker) => marker.endsWith('model-replayed.txt')))
    return 'replayed: its model was a recording';
  if (usedBefore.has(report.run_id)) return 'replayed: an earlier decision has counted this run';
  if (contract.declared?.plan_sha256 !== planSha256) return 'replayed: it was not run for this batch';
  if (report.run_started_at < declaredAt) return 'stale: it began before its batch was declared';
  if (now.getTime() - Date.parse(report.run_started_at) > (stage.minimum?.maxAgeDays ?? 0) * DAY_MS)
    return `stale: it is older than ${stage.minimum?.maxAgeDays ?? 0} days`;
  if (report.parent !== undefined || report.judged_commit !== undefined) return 'no engine made the change';
  return subjectRefusal(report, subject) ?? scopeRefusal(report, stage) ?? proofRefusal(report, contract);
}

function subjectRefusal({ backend, executable, model }: Report, subject: StageSubject): string | null {
  if (backend !== subject.engine) return `it is a run of ${backend}`;
  if ((executable?.sha256 ?? null) !== subject.executable_sha256) return 'another program ran';
  if (executable !== null && executable.admission_status !== 'admitted') return 'its program is not admitted';
  const asked = model === null ? null : `${model.provider}/${model.name}`;
  if (asked !== subject.model) return 'another model was asked';
  if (model !== null && model.admission_status !== 'admitted') return 'its model is not admitted';
  return null;
}

const SOURCE_NEEDED_FROM = 3;

function scopeRefusal(report: Report, { number, mutation }: LadderStage): string | null {
  if (report.stage !== null && report.stage !== number) return `it ran at stage ${report.stage}`;
  if (report.mutation !== mutation) return `mutation out of scope: ${report.mutation}`;
  if (report.allowed_writes_passed !== true) return 'nothing shows that it wrote only where it may';
  if (report.target_conclusion !== 'not reachable') return `targets: ${report.target_conclusion ?? 'not inspected'}`;
  if (number >= SOURCE_NEEDED_FROM && report.executable !== null && report.source_admission_status !== 'admitted')
    return 'the source of its program is not admitted';
  return report.required_events_passed ? null : 'a required event is missing';
}

/** Only tests that were named before the run, or that the engine never saw, show that the ask was done. */
function proofRefusal(report: Report, contract: StageRun['contract']): string | null {
  const { deciding, tests, proof } = report;
  if ((deciding?.allowed.length ?? 0) > 0) return 'files that decide were changed with leave';
  if (contract.risk_class === 'high' && tests.isolation !== 'black_box')
    return `a high-risk task needs black_box tests, not ${tests.isolation}`;
  if (tests.isolation === 'exit_code') return 'only an exit code shows that it works';
  if (contract.judging === undefined)
    return (contract.expected_tests ?? []).length > 0 ? null : 'its task names no expected tests';
  if (contract.judging.must_fix.length === 0 && contract.sealed_tests === null)
    return 'neither --must-fix nor --sealed says what had to be fixed';
  if (deciding !== undefined && deciding !== null && deciding.found_by === 'names')
    return 'files that decide were found by their names alone; install strace';
  return proof === 'fixed' ? null : 'no test shows that the ask was done';
}
