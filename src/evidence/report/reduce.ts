import type { EventData, RunEvent } from '../schema/events.ts';
import type { Isolation } from '../schema/parts.ts';
import type { Approval, Landing, Report, StandInImage } from '../schema/report.ts';
import { frozenTreeOf } from './frozen-tree.ts';
import { blockersIn, decideVerdict } from './verdict.ts';

/** The terms of a contract that a report repeats. */
export interface ContractFacts {
  readonly mutation: string;
  readonly test_command: string | null;
  readonly expected_tests: readonly string[] | null;
  readonly isolation: Isolation;
  /** Present for a change to a repository. */
  readonly judging?: unknown;
  readonly work_item?: string | undefined;
  /** Where a change came from that no engine made. */
  readonly given?: GivenChange | undefined;
  /** Present from the second attempt on. */
  readonly attempt?: AttemptFacts | undefined;
  /** The task's image, built or stood in for. */
  readonly image?: (StandInImage & { readonly root?: StandInImage['built'] }) | undefined;
}

export interface AttemptFacts {
  /** Oldest first, not empty. */
  readonly earlier: readonly EarlierAttempt[];
  /** What the engine was told of the previous attempt. */
  readonly feedback: string;
}

interface EarlierAttempt {
  readonly run_id: string;
  readonly report_sha256: string;
  readonly status: 'fail' | 'blocked' | 'held';
  readonly failure_reason: string | null;
}

type GivenChange =
  | { readonly kind: 'commit'; readonly commit: string }
  | { readonly kind: 'run'; readonly run_id: string; readonly report_sha256: string }
  | ({ readonly kind: 'landing'; readonly run_id: string; readonly report_sha256: string } & Landing);

/** Report fields under names that readers of one engine's reports know. */
export type EngineFields = (facts: {
  readonly started: boolean;
  readonly model: EventData<'candidate.described'>['model'];
  readonly named: NonNullable<EventData<'candidate.described'>['model_named']>;
}) => Partial<Report>;

export interface ReducedFrom {
  /** The report written when the run was created. */
  readonly born: Report;
  readonly events: readonly RunEvent[];
  /** Null: the run ended before there was a contract. */
  readonly contract: ContractFacts | null;
  readonly engineFields?: EngineFields | undefined;
  /** Why the tree of a started engine was not examined, if it was not. */
  readonly notExamined: string;
}

/**
 * The report as the events tell it: of a run under way, of a finished one and of one that was cut off. Paths and digests of artifacts
 * are not part of the events.
 */
export function reduceReport(from: ReducedFrom): Report {
  const { born, events, contract, notExamined } = from;
  const started = contract === null ? born : withContract(born, contract);
  const told = events.reduce(applyEvent, started);
  const { status, failureReason, blockers } = decideVerdict(blockersIn(events));
  const isOver = events.some(({ type }) => type === 'run.completed');
  const report: Report = {
    ...told,
    ...(isOver || blockers.length > 0
      ? {
          status,
          failure_reason: failureReason,
          blockers: blockers.map(({ text }) => text),
          blocker_codes: blockers.map(({ code }) => code),
        }
      : {}),
    frozen_tree: frozenTreeOf(events, notExamined),
    freshness: { ...born.freshness, chain_head: events.at(-1)?.hash ?? born.freshness.chain_head },
  };
  return { ...report, ...repositoryFields(report, contract), ...engineFields(report, from) };
}

function withContract(born: Report, contract: ContractFacts): Report {
  const { mutation, test_command: command, expected_tests: expected, isolation } = contract;
  const tests = { ...born.tests, command, expected: [...(expected ?? [])], isolation };
  return {
    ...born,
    mutation,
    tests,
    ...givenFields(contract),
    ...attemptFields(contract),
    ...(contract.work_item === undefined ? {} : { work_item: contract.work_item }),
    ...imageFields(contract),
  };
}

function attemptFields({ attempt }: ContractFacts): Partial<Report> {
  const previous = attempt?.earlier.at(-1);
  if (attempt === undefined || previous === undefined) return {};
  const { run_id, report_sha256 } = previous;
  return { attempt: attempt.earlier.length + 1, previous_run: { run_id, report_sha256 } };
}

function imageFields({ image }: ContractFacts): Partial<Report> {
  if (image === undefined) return {};
  const { from, workdir, packages, notes, root } = image;
  const built = root === undefined ? {} : { built: { builder: root.builder, sha256: root.sha256 } };
  return { image: { from, ...built, workdir, packages, notes } };
}

function givenFields({ given }: ContractFacts): Partial<Report> {
  switch (given?.kind) {
    case undefined:
      return {};
    case 'commit':
      return { judged_commit: given.commit };
    case 'run':
      return { parent: { run_id: given.run_id, report_sha256: given.report_sha256 } };
    case 'landing': {
      const { kind: _kind, run_id, report_sha256, ...landing } = given;
      return { parent: { run_id, report_sha256 }, landing };
    }
  }
}

/** What only a change to a repository has. A run that failed for another reason has proven nothing, whatever its tests say. */
function repositoryFields(report: Report, contract: ContractFacts | null): Partial<Report> {
  if (contract?.judging === undefined) return {};
  return {
    proof: report.status === 'pass' ? (report.proof ?? null) : null,
    fixed: report.fixed ?? [],
    base_record: report.base_record ?? null,
    deciding: report.deciding ?? null,
  };
}

function engineFields({ backend_process_started: started }: Report, from: ReducedFrom): Partial<Report> {
  const described = from.events.findLast((event) => event.type === 'candidate.described');
  if (described?.type !== 'candidate.described') return {};
  const { model, model_named: named = { provider: model?.provider ?? null, name: model?.name ?? null } } =
    described.data;
  return from.engineFields?.({ started, model, named }) ?? {};
}

function applyEvent(report: Report, event: RunEvent): Report {
  switch (event.type) {
    case 'candidate.described': {
      const { model, model_named: _named, ...admitted } = event.data;
      return { ...report, ...admitted, model: model === null ? null : { ...model, observed: [] } };
    }
    case 'sandbox.described': {
      const { workspace_root: root, confinement } = event.data;
      return { ...report, confinement, writable_roots: { ...report.writable_roots, runtime_workspace_root: root } };
    }
    case 'repository_settings.checked':
      return { ...report, repository_settings: event.data };
    case 'targets.inspected':
      return { ...report, target_conclusion: event.data.conclusion };
    case 'protected_roots.checked':
      return { ...report, allowed_writes_passed: report.disallowed_writes.length > 0 ? false : event.data.passed };
    case 'marker.written':
      return { ...report, markers: [...report.markers, event.data.path] };
    case 'provision.completed':
      return { ...report, provision: event.data };
    case 'base.recorded':
      return { ...report, base_record: { sha256: event.data.sha256, cached: event.data.cached } };
    case 'backend.started':
      // Until its end is recorded, an engine that was started was ended from outside.
      return { ...report, backend_process_started: true, backend_exit_code: null, backend_completion: 'exited' };
    case 'backend.exited': {
      const { exit_code: exitCode, completion } = event.data;
      const started = completion !== 'not_started';
      return {
        ...report,
        backend_process_started: started,
        backend_exit_code: exitCode,
        backend_completion: completion,
      };
    }
    case 'backend.timeout':
      return { ...report, backend_exit_code: 124, backend_completion: 'timed_out' };
    case 'backend.completed_by_harness':
      return { ...report, backend_exit_code: null, backend_completion: 'completed_by_harness' };
    case 'model.request':
      return withRequest(report, event.data);
    case 'usage.counted':
      return { ...report, usage: event.data };
    case 'git.diff.checked': {
      const { changed_files, disallowed_writes, ignored_files, patch_sha256: sha256, patch_bytes: bytes } = event.data;
      const patch = bytes === undefined ? report.patch : { ...report.patch, sha256, bytes };
      const writes = disallowed_writes.length > 0 ? false : report.allowed_writes_passed;
      return { ...report, changed_files, disallowed_writes, ignored_files, patch, allowed_writes_passed: writes };
    }
    case 'review.completed':
      return { ...report, review: event.data };
    case 'approval.requested': {
      const { id, action, how, answer_by } = event.data;
      const asked = { id, action, decision: 'open', by: '', how: how ?? 'not answered', at: event.time } as const;
      // A question of a run that goes on ends with it.
      return withApproval(report, how === undefined || answer_by === undefined ? asked : { ...asked, answer_by });
    }
    case 'approval.granted':
      return withApproval(report, { ...event.data, decision: 'granted', at: event.time });
    case 'approval.denied':
      return withApproval(report, { ...event.data, decision: 'denied', at: event.time });
    case 'change.judged': {
      const { proof, fixed, deciding = null, shown } = event.data;
      const tests = shown === undefined ? report.tests : { ...report.tests, shown };
      return { ...report, proof, fixed, deciding, tests };
    }
    case 'verification.completed':
      return withTests(report, event.data);
    case 'baseline.completed': {
      const { run_id, status, kind, paths, comparison } = event.data;
      if (kind === undefined || paths === undefined || comparison === undefined) return report;
      return { ...report, baseline: { kind, run_id, status, paths, comparison } };
    }
    case 'run.completed': {
      const { missing_events } = event.data;
      return {
        ...report,
        run_ended_at: event.time,
        duration_ms: Math.round(event.mono_ms),
        missing_events,
        required_events_passed: missing_events.length === 0,
      };
    }
    default:
      return report;
  }
}

function withRequest(report: Report, { answered_by: name }: EventData<'model.request'>): Report {
  const { model, usage } = report;
  const observed = model === null || name === undefined ? [] : [...new Set([...model.observed, name])];
  return {
    ...report,
    model: model === null || name === undefined ? model : { ...model, observed },
    usage: { ...usage, requests: (usage.requests ?? 0) + 1 },
  };
}

/** An answer replaces its question. */
function withApproval(report: Report, approval: Approval): Report {
  return { ...report, approvals: [...report.approvals.filter(({ id }) => id !== approval.id), approval] };
}

function withTests(report: Report, data: EventData<'verification.completed'>): Report {
  const { command, passed, exit_code, isolation, tests: seen, duration_ms, note, toolchain, must_fail } = data;
  return {
    ...report,
    tests: {
      ...report.tests,
      command,
      passed,
      exit_code,
      isolation,
      seen,
      duration_ms: duration_ms ?? null,
      note: note ?? null,
      ...(must_fail === undefined ? {} : { must_fail }),
    },
    toolchain: toolchain ?? report.toolchain,
  };
}
