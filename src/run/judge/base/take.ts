import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram } from '../../../confine/tools/find-program.ts';
import { SYSTEM_PATH } from '../../../confine/bwrap/system-layout.ts';
import { reason } from '../../../evidence/reasons/catalogue.ts';
import type { Reason } from '../../../evidence/reasons/reason.ts';
import type { BaseRecord, RecordedTest } from '../../../evidence/schema/base-record.ts';
import { isFailing } from '../change/compare.ts';
import { isUnstable } from '../change/stability.ts';
import type { JudgeResult } from '../types.ts';
import type { TestBench } from './bench.ts';
import { outsideModules } from './outside-modules.ts';

/** A record, or why none could be taken: reasons that block the run before any agent time is spent. */
export type TakenRecord =
  | { readonly taken: true; readonly record: BaseRecord; readonly result: JudgeResult }
  | { readonly taken: false; readonly reasons: readonly Reason[]; readonly result: JudgeResult };

export interface TakeOptions {
  readonly key: string;
  readonly testCommand: string;
  /** Access times are used where strace is not installed. */
  readonly tracer?: string | null;
}

/** Runs the base's tests, twice if some fail, and records what they used. */
export async function takeBaseRecord(bench: TestBench, tree: string, options: TakeOptions): Promise<TakenRecord> {
  const taken = await recordTests(bench, tree, options);
  const failed = taken.result.failedCommands.map(({ text }) => text);
  const plain = bench.withoutFailedRebuild(failed);
  if (plain === bench) return taken;
  const again = await recordTests(plain, tree, options);
  if (!again.taken) return again;
  // The record says what not to rebuild.
  return { ...again, record: { ...again.record, failed_commands: [...failed, ...again.record.failed_commands] } };
}

async function recordTests(bench: TestBench, tree: string, options: TakeOptions): Promise<TakenRecord> {
  const tracer = options.tracer === undefined ? findProgram('strace', SYSTEM_PATH) : options.tracer;
  const observe = tracer === null ? ({ by: 'access_times' } as const) : ({ by: 'strace', tracer } as const);
  let result = await bench.run({ tree, observe });
  // A tracer that cannot attach must not prevent a verdict: run again without it.
  const untraceable = tracer !== null && result.seen.length === 0 && result.files?.complete !== true;
  if (untraceable) result = await bench.run({ tree, observe: { by: 'access_times' } });
  const reasons = whyUnusable(result);
  if (reasons.length > 0) return { taken: false, reasons, result };

  const tests = result.seen.map(({ id, outcome, file }) => ({ id, outcome, file }));
  const flaky = await findFlaky(bench.sparing(result.idleCommands), tree, tests);
  if (isUnstable(flaky.length, tests.length)) return { taken: false, reasons: [reason('tests_unstable')], result };
  const { files } = result;
  const seen = files !== null && (files.complete || observe.by === 'access_times') ? files : null;
  // Read below the tree's root but not part of the tree: installed by the setup, or created by the tests.
  const isOwn = (path: string): boolean => lstatSync(join(tree, path), { throwIfNoEntry: false }) !== undefined;
  const own = (seen?.read ?? []).filter(isOwn);
  const installed = (seen?.read ?? []).filter((path) => !isOwn(path)).map((path) => `/${path}`);
  const record: BaseRecord = {
    schema_version: 1,
    key: options.key,
    test_command: options.testCommand,
    runner: result.runner,
    exit_code: result.exitCode,
    duration_ms: Math.round(result.durationMs),
    tests,
    flaky,
    failed_commands: result.failedCommands.map(({ text }) => text),
    idle_commands: [...result.idleCommands],
    runner_errors: [...result.runnerErrors],
    collected: [...result.collected].sort(),
    found_by: seen === null ? 'names' : untraceable ? 'access_times' : observe.by,
    read: [...own],
    asked: [...(seen?.asked ?? [])],
    missing: [...(seen?.missing ?? [])],
    written: [...(seen?.written ?? [])],
    listed: [...(seen?.listed ?? [])],
    links: linksPassed(tree, own),
    outside_modules: outsideModules([...(seen?.outside ?? []), ...installed]),
  };
  return { taken: true, record, result };
}

/** What the base's run lacks to be a yardstick. */
function whyUnusable(result: JudgeResult): readonly Reason[] {
  if (result.verdict === 'blocked') return result.faults;
  if (result.protocolFaults.length > 0) return [reason('tests_not_run_on_base'), ...result.protocolFaults];
  if (result.isolation === 'exit_code') return [];
  if (!result.seen.some(({ outcome }) => outcome !== 'skipped')) return [reason('no_tests_on_base')];
  return [];
}

/** Tests that failed and then passed on the same tree. */
async function findFlaky(bench: TestBench, tree: string, tests: readonly RecordedTest[]): Promise<string[]> {
  const failing = tests.filter(isFailing).map(({ id }) => id);
  if (failing.length === 0) return [];
  const again = await bench.run({ tree, only: failing });
  const passed = new Set(again.seen.filter(({ outcome }) => outcome === 'passed').map(({ id }) => id));
  return failing.filter((id) => passed.has(id));
}

/** Links of the tree that lead to files which were read: changing a link changes what is read. */
function linksPassed(tree: string, read: readonly string[]): string[] {
  const links = new Set<string>();
  const plain = new Set<string>();
  for (const path of read) {
    const parts = path.split('/');
    for (let end = 1; end <= parts.length; end += 1) {
      const place = parts.slice(0, end).join('/');
      if (plain.has(place) || links.has(place)) continue;
      const isLink = lstatSync(join(tree, place), { throwIfNoEntry: false })?.isSymbolicLink() === true;
      (isLink ? links : plain).add(place);
    }
  }
  return [...links].sort();
}
