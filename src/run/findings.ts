import type {
  Approval,
  ConfinementReport,
  Provision,
  Report,
  Review,
  TestRecord,
  Tool,
} from '../evidence/schema/report.ts';
import type { Isolation } from '../evidence/schema/parts.ts';
import { sha256 } from '../kernel/digest.ts';
import type { Blocker, EngineEnd } from './decide.ts';

export interface TestFindings {
  readonly passed: boolean;
  readonly exitCode: number | null;
  readonly durationMs: number | null;
  readonly seen: readonly TestRecord[];
  readonly isolation: Isolation;
  readonly note: string | null;
}

/** What a run has found so far. Complete from the start (with "nothing yet"), so that a report can be made at any moment. */
export interface Findings {
  blockers: Blocker[];
  markers: string[];
  engine: EngineEnd & { readonly started: boolean };
  changedFiles: readonly string[];
  disallowedWrites: readonly string[];
  ignoredFiles: readonly string[];
  patch: { readonly sha256: string; readonly bytes: number };
  tests: TestFindings | null;
  confinement: ConfinementReport | null;
  provision: Provision | null;
  allowedWritesPassed: boolean;
  baseline: Report['baseline'];
  approvals: Approval[];
  review: Review | null;
  toolchain: readonly Tool[];
  workspaceRoot: string;
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
    approvals: [],
    review: null,
    toolchain: [],
    workspaceRoot: '',
  };
}
