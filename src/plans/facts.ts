import type { EvidenceLine, PlanDocument } from './document.ts';

/** One fault: where, what, and how to mend it. */
export interface PlanFault {
  readonly rule: string;
  readonly file: string;
  readonly line: number;
  readonly message: string;
  readonly hint: string;
}

export interface PlannedDocument extends PlanDocument {
  readonly path: string;
  readonly kind: string;
  readonly text: string;
}

export interface Workboard {
  readonly documents: readonly { readonly path: string; readonly kind: string; readonly line: number }[];
  readonly items: readonly {
    readonly id: string;
    readonly status: string;
    readonly document: string;
    readonly line: number;
  }[];
}

/** What only the file system, git and bundles can tell. */
export interface PlanFacts {
  exists(path: string): boolean;
  /** Day of the last commit of a file, `yyyy-mm-dd`; null: unknown. */
  lastCommitDay(path: string): string | null;
  /** Null: it holds as evidence. */
  evidenceFault(evidence: EvidenceLine, itemId: string): string | null;
  readonly today: string;
}
