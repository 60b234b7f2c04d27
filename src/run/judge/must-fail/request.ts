import type { TestRecord } from '../../../evidence/schema/report.ts';
import type { TestFiles } from './locate/site.ts';

export type Outcomes = ReadonlyMap<string, TestRecord['outcome']>;

/** Runs tests of a tree in which some files have other contents. Never rejects because of what the tests do. */
export type RunAltered = (run: AlteredRun) => Promise<Outcomes>;

/** Runs of a suite share a limit on processes, and tests may be sensitive to a busy machine. */
export const AT_ONCE = 2;

export interface AlteredRun {
  /** By path, relative to the tree's root. */
  readonly files: ReadonlyMap<string, string>;
  /** The tests whose outcomes are needed; others may run too. */
  readonly ids: readonly string[];
  /** What has been reported by then counts. */
  readonly timeoutMs: number;
}

export interface MustFailRequest {
  /** Hexadecimal, drawn when the patch could no longer change. */
  readonly seed: string;
  readonly runner: string;
  /** Tests that failed on the base and passed after the patch. */
  readonly fixed: readonly string[];
  /** Tests that passed on the base and after the patch. */
  readonly kept: readonly string[];
  /** The file that a test was reported from, relative to the root; null: not known. */
  readonly fileOf?: (id: string) => string | null;
  /** The files of the deciding tree. */
  readonly files: TestFiles;
  /** How long the deciding run took. */
  readonly firstRunMs: number;
  readonly run: RunAltered;
  /** The base, where a wrong answer of a kept test is tried too: if it happens there as well, the patch did not cause it. */
  readonly base: { readonly read: TestFiles['read']; readonly run: RunAltered } | null;
}
