import { reason } from '../../../evidence/reasons/catalogue.ts';
import type { BaseRecord } from '../../../evidence/schema/base-record.ts';
import { isFailing } from '../change/compare.ts';
import type { JudgeResult } from '../types.ts';
import type { TestBench } from './bench.ts';
import { findRecord, keepRecord } from './store.ts';
import { type TakenRecord, takeBaseRecord } from './take.ts';

/** `known`: it was kept, and no test ran. */
export type ObtainedRecord =
  | { readonly taken: true; readonly record: BaseRecord; readonly known: boolean }
  | Extract<TakenRecord, { readonly taken: false }>;

/** The record of a base, from the cache, or taken now and cached. `cacheDir` null: no cache. */
export async function obtainRecord(
  bench: TestBench,
  tree: string,
  testCommand: string,
  { cacheDir, key }: { readonly cacheDir: string | null; readonly key: string },
): Promise<ObtainedRecord> {
  const known = findRecord(cacheDir, key);
  if (known !== null) return { taken: true, record: known, known: true };
  const found = await takeBaseRecord(bench, tree, { key, testCommand });
  if (!found.taken) return found;
  if (!bench.isInterrupted) keepRecord(cacheDir, found.record);
  return { taken: true, record: found.record, known: false };
}

/** The result of the run in which a record was taken. */
export function resultOfRecord(record: BaseRecord): JudgeResult {
  const passed = record.exit_code === 0 && !record.tests.some(isFailing);
  return {
    passed,
    verdict: passed ? 'pass' : 'fail',
    faults: passed ? [] : [reason('tests_failed')],
    exitCode: record.exit_code,
    durationMs: record.duration_ms,
    seen: record.tests,
    collected: record.collected,
    protocolFaults: [],
    isolation: 'in_process',
    exitCodeOnly: record.tests.length === 0,
    failedCommands: [],
    runnerErrors: record.runner_errors ?? [],
    note: null,
    output: '',
    runner: record.runner,
    toolchain: [],
    files: null,
    idleCommands: record.idle_commands ?? [],
  };
}
