import type {
  Approval,
  ConfinementReport,
  Provision,
  Report,
  Review,
  TestRecord,
  Tool,
} from '../../evidence/schema/report.ts';
import type { Isolation } from '../../evidence/schema/parts.ts';
import type { ModelCall } from '../../gateway/exchange/provider-failure.ts';
import { sha256 } from '../../kernel/digest.ts';
import type { Blocker, EngineExit } from '../verdict.ts';

export interface TestFindings {
  readonly passed: boolean;
  readonly exitCode: number | null;
  readonly durationMs: number | null;
  readonly seen: readonly TestRecord[];
  readonly isolation: Isolation;
  readonly note: string | null;
}

/** Who was to do the work, and whether that was admitted. */
export interface CandidateFindings {
  readonly stage: number | null;
  readonly sourceAdmitted: boolean;
  readonly executable: Report['executable'];
  readonly model: Omit<NonNullable<Report['model']>, 'observed'> | null;
}

/** What went through the gateway. */
export interface ModelFindings {
  readonly calls: ModelCall[];
  readonly observed: Set<string>;
  /** Commits as which an answer said that the work is done. */
  readonly claims: Set<string>;
  usage: Report['usage'] | null;
}

/** What a run has found so far. Complete from the start (with "nothing yet"), so that a report can be made at any moment. */
export interface Findings {
  blockers: Blocker[];
  markers: string[];
  engine: EngineExit & { readonly started: boolean };
  changedFiles: readonly string[];
  disallowedWrites: readonly string[];
  ignoredFiles: readonly string[];
  patch: { readonly sha256: string; readonly bytes: number };
  tests: TestFindings | null;
  confinement: ConfinementReport | null;
  provision: Provision | null;
  allowedWritesPassed: boolean;
  baseline: Report['baseline'];
  candidate: CandidateFindings | null;
  model: ModelFindings;
  approvals: Approval[];
  review: Review | null;
  toolchain: readonly Tool[];
  workspaceRoot: string;
  /** What judging a change to a repository found; null: not come that far, or a task directory. */
  change: ChangeFindings | null;
  baseRecord: NonNullable<Report['base_record']> | null;
}

/** What the report says about a change to a repository. */
export interface ChangeFindings {
  readonly proof: 'fixed' | 'kept' | null;
  readonly fixed: readonly string[];
  readonly deciding: NonNullable<Report['deciding']>;
  readonly mustFail: NonNullable<Report['tests']['must_fail']> | null;
  readonly shown: NonNullable<Report['tests']['shown']> | null;
}

export function nothingFound(): Findings {
  return {
    blockers: [],
    markers: [],
    engine: { completion: 'not_started', exitCode: null, started: false },
    changedFiles: [],
    disallowedWrites: [],
    ignoredFiles: [],
    patch: { sha256: sha256(''), bytes: 0 },
    tests: null,
    confinement: null,
    provision: null,
    allowedWritesPassed: false,
    baseline: null,
    candidate: null,
    model: { calls: [], observed: new Set(), claims: new Set(), usage: null },
    approvals: [],
    review: null,
    toolchain: [],
    workspaceRoot: '',
    change: null,
    baseRecord: null,
  };
}
