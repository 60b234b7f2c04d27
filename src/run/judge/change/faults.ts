import { reason } from '../../../evidence/reasons/catalogue.ts';
import type { Reason } from '../../../evidence/reasons/reason.ts';
import type { BaseRecord } from '../../../evidence/schema/base-record.ts';
import { listedTests } from '../results/listed-tests.ts';
import { isSound, reportsNothing } from './compare.ts';
import type { ChangeResult } from './judge-change.ts';
import { type RestoredFile, silencedTests } from './silenced.ts';

interface FaultContext {
  readonly record: BaseRecord;
  readonly acceptExitCode: boolean;
  readonly restored: readonly RestoredFile[];
  /** Dependencies of the change that were not installed, as shown to people. */
  readonly notInstalled: readonly string[];
}

/** Why a change does not pass, according to its tests; the first reason decides. Pure. */
export function changeFaults(result: ChangeResult, context: FaultContext): Reason[] {
  const found = faultsOfRun(result, context);
  const lacked = found.some(({ code }) => BROKEN.includes(code))
    ? context.notInstalled.map((why) => reason('dependency_not_installed', { why }))
    : [];
  const isQuestion = found.every(({ status }) => status === 'blocked');
  return [...(isQuestion ? [...lacked, ...found] : [...found, ...lacked]), ...whatWasSilenced(found, result, context)];
}

/** Faults that a missing dependency may explain. */
const BROKEN = ['demand_changed', 'tests_newly_failing', 'tests_missing'];

function faultsOfRun(result: ChangeResult, { record, acceptExitCode }: FaultContext): Reason[] {
  const { deciding, protocolFaults, faults, touched, unstable, placeBound } = result;
  if (deciding.verdict === 'blocked') return [...deciding.faults];
  const tampered = touched.length > 0 ? [reason('test_files_changed')] : [];
  if (unstable && tampered.length === 0) return [reason('tests_unstable')];
  if (reportsNothing(record))
    return acceptExitCode ? [...tampered, ...exitCodeFaults(deciding.exitCode, record)] : [reason('only_exit_code')];
  return [
    ...protocolFaults,
    ...tampered,
    ...(placeBound.length === 0 ? [] : [reason('passes_in_one_place', { tests: listedTests(placeBound) })]),
    ...faults.map(({ code, ids }) => (code === 'nothing_fixed' ? reason(code) : reason(code, { n: ids.length }))),
  ];
}

/** If nothing was fixed: what the patch did to the failing tests instead. */
function whatWasSilenced(
  faults: readonly Reason[],
  { comparison, deciding, shown }: ChangeResult,
  { record, restored }: FaultContext,
): readonly Reason[] {
  if (!faults.some(({ code }) => code === 'nothing_fixed')) return [];
  const files = new Map([...record.tests, ...deciding.seen].map(({ id, file }) => [id, file]));
  return silencedTests({
    unfixed: comparison.stillFailing.map((id) => ({ id, file: files.get(id) ?? null })),
    restored,
    shown: shown === null ? null : { seen: shown.seen, sound: isSound(shown), exitCode: shown.exitCode },
    silentCommand: reportsNothing(record) ? record.test_command : null,
  });
}

/** Without test ids, only the exit code can be compared. */
function exitCodeFaults(exitCode: number | null, record: BaseRecord): Reason[] {
  if (exitCode === 0) return [];
  return [record.exit_code === 0 ? reason('tests_failed') : reason('nothing_fixed')];
}
