import type { RunEvent } from '../schema/events.ts';
import type { Report } from '../schema/report.ts';

/** What exports are made from: the documents of one bundle. */
export interface ExportSource {
  readonly report: Report;
  readonly events: readonly RunEvent[];
  /** All that the engine was told; empty if the run ended before there was a contract. */
  readonly instruction: string;
  /** `trace.jsonl`. */
  readonly trace: string;
  /** The end of what the tests printed. */
  readonly testOutputEnd: string;
}
