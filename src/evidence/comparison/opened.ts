import type { ReasonCatalogue } from '../reasons/reason.ts';
import { type CountedRuns, countRuns } from './count-runs.ts';
import { readComparisonRuns } from './read-runs.ts';
import type { ComparisonResult } from './schema.ts';
import { type ReadPlan, readComparisonPlan } from './store.ts';
import { summarizeComparison } from './summarize.ts';

export interface OpenedComparison extends ReadPlan, CountedRuns {
  readonly dir: string;
  readonly result: ComparisonResult;
}

/** A comparison as its plan and bundles tell it now. Writes nothing. */
export function openComparison(dir: string, known: ReasonCatalogue): OpenedComparison {
  const read = readComparisonPlan(dir);
  const counted = countRuns(read.plan, read.planSha256, readComparisonRuns(dir), known);
  return { dir, ...read, ...counted, result: summarizeComparison(read.plan, read.planSha256, counted.runs) };
}
