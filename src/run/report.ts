import { engineNamed } from '../engines/list.ts';
import { interruptedReport } from '../evidence/report/initial.ts';
import type { FrozenTree, Report } from '../evidence/schema/report.ts';
import type { Contract } from '../task/contract.ts';
import type { Verdict } from './verdict.ts';
import type { Findings } from './steps/findings.ts';
import type { Bundle } from '../evidence/bundle/create.ts';

export interface ReportFacts {
  readonly bundle: Bundle;
  readonly contract: Contract | null;
  readonly findings: Findings;
  readonly verdict: Verdict;
  readonly missingEvents: readonly string[];
  readonly frozenTree: FrozenTree;
  readonly chainHead: string;
  readonly artifacts: Readonly<Record<string, string>>;
  readonly digests: Readonly<Record<string, string>>;
  readonly now: Date;
  readonly durationMs: number;
}

/** The report from what was found. Starts from the one the run was born with, so no field can be forgotten. */
export function buildReport(facts: ReportFacts): Report {
  const { bundle, contract, findings, verdict, missingEvents } = facts;
  const born = interruptedReport(bundle);
  const { tests } = findings;
  return {
    ...born,
    status: verdict.status,
    failure_reason: verdict.failureReason,
    blockers: verdict.blockers.map(({ text }) => text),
    blocker_codes: verdict.blockers.map(({ code }) => code),
    markers: [...findings.markers],
    backend_exit_code: findings.engine.exitCode,
    backend_process_started: findings.engine.started,
    backend_completion: findings.engine.completion,
    run_ended_at: facts.now.toISOString(),
    duration_ms: Math.round(facts.durationMs),
    ...candidateFields(born, findings),
    mutation: contract?.mutation ?? born.mutation,
    writable_roots: { runtime_workspace_root: findings.workspaceRoot, run_artifact_dir: bundle.dir },
    frozen_tree: facts.frozenTree,
    changed_files: [...findings.changedFiles],
    ignored_files: [...findings.ignoredFiles],
    patch: { path: 'patch.diff', ...findings.patch },
    tests: {
      command: contract?.test_command ?? null,
      passed: tests?.passed ?? false,
      exit_code: tests?.exitCode ?? null,
      duration_ms: tests?.durationMs ?? null,
      expected: [...(contract?.expected_tests ?? [])],
      seen: [...(tests?.seen ?? [])],
      isolation: tests?.isolation ?? contract?.isolation ?? 'in_process',
      note: tests?.note ?? null,
      ...changeTestFields(findings),
    },
    required_events_passed: missingEvents.length === 0,
    missing_events: [...missingEvents],
    allowed_writes_passed: findings.allowedWritesPassed,
    disallowed_writes: [...findings.disallowedWrites],
    confinement: findings.confinement,
    provision: findings.provision,
    baseline: findings.baseline,
    artifacts: { ...facts.artifacts },
    digests: { ...facts.digests },
    freshness: { ...born.freshness, chain_head: facts.chainHead },
    approvals: [...findings.approvals],
    review: findings.review,
    toolchain: [...findings.toolchain],
    ...repositoryFields(contract, findings, verdict.status),
    ...givenFields(contract),
  };
}

function changeTestFields({ change }: Findings): Pick<Report['tests'], 'must_fail' | 'shown'> {
  const mustFail = change?.mustFail ?? null;
  const shown = change?.shown ?? null;
  return { ...(mustFail === null ? {} : { must_fail: mustFail }), ...(shown === null ? {} : { shown }) };
}

/** Whose change was judged, where no engine made it. */
function givenFields(contract: Contract | null): Partial<Report> {
  const given = contract?.given;
  if (given === undefined) return {};
  return given.kind === 'commit'
    ? { judged_commit: given.commit }
    : { parent: { run_id: given.run_id, report_sha256: given.report_sha256 } };
}

/** What only a change to a repository has. */
function repositoryFields(
  contract: Contract | null,
  { change, baseRecord }: Findings,
  status: Report['status'],
): Partial<Report> {
  if (contract?.judging === undefined) return {};
  return {
    // A run that failed for another reason has proven nothing, whatever its tests say.
    proof: status === 'pass' ? (change?.proof ?? null) : null,
    fixed: [...(change?.fixed ?? [])],
    base_record: baseRecord,
    deciding: change?.deciding ?? null,
  };
}

/** Who did it with which model. The admitted names and those at run time stay apart: only the former are an identity. */
function candidateFields(born: Report, { candidate, model, engine }: Findings): Partial<Report> {
  if (candidate === null) return {};
  const fields: Partial<Report> = {
    stage: candidate.stage,
    source_admission_status: candidate.sourceAdmitted ? 'admitted' : 'not_admitted',
    executable: candidate.executable,
    model: candidate.model === null ? null : { ...candidate.model, observed: [...model.observed] },
    usage: model.usage ?? born.usage,
  };
  const own = engineNamed(born.backend)?.reportFields;
  return own === undefined ? fields : { ...fields, ...own({ started: engine.started, model: candidate.model }) };
}
