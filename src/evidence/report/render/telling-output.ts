import { decidingCode, explainCode } from '../../reasons/explain.ts';
import { lastLines } from '../test-output.ts';
import { failingTests } from './failing-tests.ts';
import type { VerdictFacts } from './verdict.ts';

interface TellingOutput {
  readonly by: 'tests' | 'setup';
  readonly lines: readonly string[];
}

/** The last lines of the program that explains why a run did not pass; null: none does, or it printed nothing. */
export function tellingOutput(facts: VerdictFacts, count: number): TellingOutput | null {
  const { report, reasons, testOutputEnd, setupOutputEnd } = facts;
  const code = decidingCode(report);
  const explaining = code === null ? undefined : explainCode(code, reasons).output;
  const by = failingTests(report).length > 0 ? 'tests' : explaining;
  if (by === undefined) return null;
  const lines = lastLines(by === 'tests' ? testOutputEnd : setupOutputEnd, count);
  return lines.length === 0 ? null : { by, lines };
}
