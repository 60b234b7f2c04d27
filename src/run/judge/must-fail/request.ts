import type { TestRecord } from '../../../evidence/schema/report.ts';
import type { TestFiles } from './locate/site.ts';

export type Outcomes = ReadonlyMap<string, TestRecord['outcome']>;

/** Runs tests of a tree in which some files have another text. Never rejects for what the tests do. */
export type RunAltered = (run: AlteredRun) => Promise<Outcomes>;

export interface AlteredRun {
  /** By path, relative to the tree's root. */
  readonly files: ReadonlyMap<string, string>;
  /** Those whose outcomes are asked for; others may run too. */
  readonly ids: readonly string[];
  /** What has been reported until then counts. */
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
  /** Of the tree that the tests decide on. */
  readonly files: TestFiles;
  /** How long the deciding run took. */
  readonly firstRunMs: number;
  readonly run: RunAltered;
  /** The base, where an alarm about a kept test is tried too: what happens there is not the patch's doing. */
  readonly base: { readonly read: TestFiles['read']; readonly run: RunAltered } | null;
}
