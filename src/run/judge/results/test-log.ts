import { reasonTexts } from '../../../evidence/reasons/reason.ts';
import type { Contract } from '../../../task/contract.ts';
import type { JudgeResult } from '../types.ts';
import { noteWithIsolation } from './isolation-note.ts';

/** The judge's output, with what it takes to read it. */
export function testLog(contract: Pick<Contract, 'test_command'>, result: JudgeResult): string {
  const note = noteWithIsolation(result);
  const header = [
    `command:   ${contract.test_command ?? ''}`,
    `runner:    ${result.runner}, ${result.isolation}`,
    `verdict:   ${result.passed ? 'passed' : reasonTexts(result.faults).join('; ')}`,
    `exit code: ${result.exitCode ?? 'none'}`,
    `duration:  ${Math.round(result.durationMs)} ms`,
    ...(note === null ? [] : [`note:      ${note}`]),
    `tests:     ${result.seen.length}`,
    ...result.seen.map(({ id, outcome }) => `  ${outcome.padEnd(8)} ${id}`),
  ];
  return `${header.join('\n')}\n\n${result.output}`;
}
