import type { ReasonCatalogue } from '../../reasons/reason.ts';
import type { RunEvent } from '../../schema/events.ts';
import type { AttemptFacts } from '../reduce.ts';
import type { Report } from '../../schema/report.ts';

/** Everything a rendered report shows. Rendering is pure: the same view gives the same bytes. */
export interface ReportView {
  readonly report: Report;
  readonly events: readonly RunEvent[];
  /** Explains the reasons: those of the harness and of the engines. */
  readonly reasons: ReasonCatalogue;
  /** What the engine was told; empty when the run ended before a contract existed. */
  readonly instruction: string;
  /** What the user tells this engine in every run; empty: nothing. */
  readonly engineInstructions: string;
  /** Commits of the repository's history that it was given; null: none. */
  readonly history: number | null;
  /** Present from the second attempt on. */
  readonly attempt?: AttemptFacts | undefined;
  /** `patch.diff`, decoded as UTF-8. */
  readonly patch: string;
  /** The caller handed over less than the whole file. */
  readonly patchCut: boolean;
  /** `test.log`, decoded as UTF-8. */
  readonly testLog: string;
  readonly testLogCut: boolean;
  /** The end of what the tests printed; empty if they did not run. */
  readonly testOutputEnd: string;
  /** The same of the setup command. */
  readonly setupOutputEnd: string;
}
