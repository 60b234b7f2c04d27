import type { BaseRecord } from '../../../../evidence/schema/base-record.ts';
import { actsOnTests } from '../../inline/aware/aware.ts';
import type { AwareLine } from './aware-line.ts';
import { languageOf } from '../../syntax/language.ts';
import { reportsNothing } from '../compare.ts';

/**
 * Whose exit codes say how tests went: of everything, where nothing else is seen; of test programs, where a script reports what they say, so
 * that a library which ends its process with success makes its test pass; of nothing, where the runner tells.
 */
export type SeenExitCodes = 'all' | 'of_test_programs' | 'none';

/** `reports`: files in which the tests report, which can be written by whoever ends the process first. */
export function seenExitCodes(record: BaseRecord, reports: readonly string[]): SeenExitCodes {
  if (reportsNothing(record) || reports.length > 0) return 'all';
  return record.runner === 'script' ? 'of_test_programs' : 'none';
}

/** Whether a patch with this line is refused. `source`: of the file, with the patch. */
export function actsOnExitCode(line: AwareLine, seen: SeenExitCodes, source: string): boolean {
  if (seen !== 'of_test_programs') return actsOnTests(line, seen === 'all');
  if (actsOnTests(line, false)) return true;
  const ends = line.kind === 'exit' || (line.kind === 'process' && languageOf(line.path, source) === 'c');
  return ends && !isProgram(source);
}

const MAIN =
  /^#!|\b(?:int|void)\s+main\s*\(|\b__main__\b|^(?:async\s+)?def\s+main\s*\(|^package\s+main\b|\bfn\s+main\b|\bprocess\s*\.\s*argv\b/m;

/** How a program ends is for its main function to say; tests that call it look at that. */
const isProgram = (source: string): boolean => MAIN.test(source);
