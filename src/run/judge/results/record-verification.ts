import { reasonTexts } from '../../../evidence/reasons/reason.ts';
import type { Report, Tool } from '../../../evidence/schema/report.ts';
import type { Contract } from '../../../task/contract.ts';
import type { Run } from '../../steps/state.ts';
import type { JudgeResult } from '../types.ts';
import { noteWithIsolation } from './isolation-note.ts';

/** What a verdict on a patch rests on. */
type Verification = Pick<
  JudgeResult,
  'passed' | 'exitCode' | 'durationMs' | 'seen' | 'faults' | 'isolation' | 'note' | 'toolchain'
> & { readonly mustFail?: Pick<Report['tests'], 'must_fail'> };

/** `log`: what the tests printed; null: none ran. `setUpBy`: programs of the setup, listed beside those of the tests. */
export function recordVerification(
  run: Run,
  contract: Contract,
  { passed, exitCode, durationMs, seen, faults, isolation, note: ownNote, toolchain, mustFail = {} }: Verification,
  setUpBy: readonly Tool[],
  log: string | null,
): void {
  if (log !== null) run.log.write('test.log', log);
  const note = noteWithIsolation({ isolation, note: ownNote });
  run.log.append('verification.completed', 'harness', {
    command: contract.test_command,
    passed,
    exit_code: exitCode,
    isolation,
    tests: seen.map(({ id, outcome }) => ({ id, outcome })),
    faults: run.mask.texts(reasonTexts(faults)),
    duration_ms: Math.round(durationMs),
    note: note === null ? null : run.mask.text(note),
    toolchain: [...toolchain, ...setUpBy.filter(({ path }) => !toolchain.some((tool) => tool.path === path))],
    ...mustFail,
  });
}
