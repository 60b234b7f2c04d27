import type { BaseRecord } from '../../../../evidence/schema/base-record.ts';
import { actsOnTests } from '../../inline/aware/aware.ts';
import type { AwareLine } from './aware-line.ts';
import { languageOf } from '../../syntax/language.ts';
import { reportsNothing } from '../compare.ts';

/**
 * Which exit codes decide about tests. `all`: nothing else is reported. `of_test_programs`: a script reports what test programs return,
 * so a library that ends its process with success makes its test pass. `none`: the runner reports the tests.
 */
export type SeenExitCodes = 'all' | 'of_test_programs' | 'none';

/** `reports`: result files, which any code that ends the process first could have written. */
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

/** The main function of a program may set its exit code; tests that run the program check it. */
const isProgram = (source: string): boolean => MAIN.test(source);
