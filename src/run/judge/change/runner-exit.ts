import { reason } from '../../../evidence/reasons/catalogue.ts';
import type { Reason } from '../../../evidence/reasons/reason.ts';
import type { BaseRecord } from '../../../evidence/schema/base-record.ts';
import type { TestBench } from '../base/bench.ts';
import type { JudgeResult } from '../types.ts';
import { isFailing } from './compare.ts';

type Ended = Pick<JudgeResult, 'protocolFaults' | 'seen' | 'exitCode' | 'runnerErrors'>;

/**
 * - `explained`: the runner succeeded, or failed for tests that it reported, or for an error that it names on the base too;
 * - `new_error`: it names an error that it does not name on the base;
 * - `unexplained`: it failed without a failing test and without a name for it. On the base failing tests may hide the same.
 */
export type RunnerExit = 'explained' | 'new_error' | 'unexplained';

/** How a runner that ended properly explains its exit code with the patch. Pure. */
export function explainExit(record: BaseRecord, { seen, exitCode, runnerErrors }: Ended): RunnerExit {
  if (exitCode === null || exitCode === 0) return 'explained';
  const before = new Set((record.runner_errors ?? []).map(withoutNumbers));
  if (runnerErrors.some((text) => !before.has(withoutNumbers(text)))) return 'new_error';
  if (seen.some(isFailing)) return 'explained';
  const isSame = record.exit_code === exitCode;
  return isSame && (runnerErrors.length > 0 || !record.tests.some(isFailing)) ? 'explained' : 'unexplained';
}

/** Ports, process ids and times differ from run to run. */
const withoutNumbers = (text: string): string => text.replaceAll(/\d+/g, '0');

/**
 * A runner that fails although it reports no failing test is a fault, unless it fails the same way on the base. There it runs without
 * the failing tests, which would explain the exit code.
 */
export async function exitFaults(
  { bench, baseBench }: Readonly<Record<'bench' | 'baseBench', Pick<TestBench, 'run'>>>,
  record: BaseRecord,
  trees: { readonly base: string; readonly deciding: string },
  ended: Ended,
): Promise<readonly Reason[]> {
  const { protocolFaults, exitCode } = ended;
  if (protocolFaults.length > 0 || exitCode === null) return protocolFaults;
  const fault = reason('runner_exit_code', { exit: exitCode });
  const how = explainExit(record, ended);
  switch (how) {
    case 'explained':
      return [];
    case 'new_error':
      return explainExit(record, await bench.run({ tree: trees.deciding })) === 'new_error' ? [fault] : [];
    case 'unexplained':
      return (await failsWithoutFailingTests(baseBench, record, trees.base, exitCode)) ? [] : [fault];
    default:
      return how satisfies never;
  }
}

async function failsWithoutFailingTests(
  baseBench: Pick<TestBench, 'run'>,
  { tests, exit_code: recorded }: BaseRecord,
  tree: string,
  exitCode: number,
): Promise<boolean> {
  const others = tests.filter((test) => !isFailing(test)).map(({ id }) => id);
  if (recorded !== exitCode || others.length === tests.length || others.length === 0) return false;
  const again = await baseBench.run({ tree, only: others });
  // Any other fault, such as a failing or missing test, would explain the exit code.
  return again.exitCode === exitCode && again.faults.every(({ code }) => code === 'runner_exit_code');
}
