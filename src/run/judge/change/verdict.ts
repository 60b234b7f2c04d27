import { join } from 'node:path';
import type { BaseRecord } from '../../../evidence/schema/base-record.ts';
import type { TestBench } from '../base/bench.ts';
import type { FileDecision } from '../deciding/decision.ts';
import { readTree, type ReadableTree } from './base-tree.ts';
import { runMustFail } from '../must-fail/run.ts';
import type { MustFailVerdict } from '../must-fail/verdict.ts';
import type { DecidingOptions } from '../deciding/facts.ts';
import { classifyChange } from './classify-change.ts';
import { compareWithRecord, reportsNothing } from './compare.ts';
import { layDecidingTree } from './deciding-tree.ts';
import { type ChangeOptions, type ChangeResult, judgeChange } from './judge-change.ts';
import type { ChangeFault } from './proof.ts';
import { type AwareLine, findAwareLines, refuseAware } from './test-aware.ts';

/** A patch to a repository, and the record of its base. */
export interface RepositoryChange {
  readonly bench: TestBench;
  readonly record: BaseRecord;
  readonly baseDir: string;
  /** The base with the whole patch. */
  readonly patchedDir: string;
  /** For the trees that are laid out to be judged. */
  readonly scratch: string;
  readonly options: DecidingOptions & ChangeOptions & { readonly acceptExitCode: boolean };
  /** Hexadecimal, drawn when the patch could no longer change. */
  readonly seed: string;
}

export interface ChangeVerdict {
  readonly verdict: 'pass' | 'fail' | 'blocked';
  /** Reasons, the first deciding. Empty exactly when it is a pass. */
  readonly faults: readonly string[];
  readonly decisions: readonly FileDecision[];
  /** Null: the patch was refused before any test ran. */
  readonly result: ChangeResult | null;
  readonly mustFail: MustFailVerdict | null;
  /** New code of the product that could tell whether tests run it. */
  readonly aware: readonly AwareLine[];
}

/** Judges a patch by the tests of its base. */
export async function judgeRepositoryChange(change: RepositoryChange): Promise<ChangeVerdict> {
  const { bench, record, options, scratch } = change;
  const base = readTree(change.baseDir);
  const patched = readTree(change.patchedDir);
  const classified = await classifyChange(record, base, patched, options);
  const { support } = classified;
  const refused = refuse(classified.decisions);
  if (refused !== null) return refused;

  const testTools = new Set(record.outside_modules);
  const laid = await layDecidingTree(join(scratch, 'deciding'), classified.decisions, base, patched, testTools);
  const unmerged = refuse(classified.decisions, new Set(laid.problems.map(({ path }) => path)));
  if (unmerged !== null) return unmerged;
  const deciding = readTree(laid.dir);
  const lines = await findAwareLines(classified.decisions, base, deciding);
  const aware = lines.filter(({ kind }) => kind !== 'exit');
  const exitCodeOnly = reportsNothing(record);
  const decisions = refuseAware(classified.decisions, lines, { ...options, exitCodeOnly });
  const acting = refuse(decisions);
  if (acting !== null) return acting;
  const result = await judgeChange(
    bench,
    record,
    {
      base: base.dir,
      patched: patched.dir,
      deciding: deciding.dir,
      watch: support,
      testsChanged: decisions.some(({ kind }) => kind === 'no_vote' || kind === 'added_test'),
    },
    options,
  );
  const faults = faultsOf(result, record, options.acceptExitCode);
  if (faults.length > 0) return { ...summary(faults), decisions, result, mustFail: null, aware };
  const doubt = await judgeDoubtful(change, decisions, base, { dir: deciding.dir, fixed: result.comparison.fixed });
  if (doubt.length > 0)
    return { verdict: 'blocked', faults: [demandChanged(doubt.length)], decisions, result, mustFail: null, aware };
  const mustFail = lessSure(await showThatTestsCanFail(change, result, deciding, base), aware);
  const forged = mustFail?.faults ?? [];
  return { verdict: forged.length > 0 ? 'fail' : 'pass', faults: forged, decisions, result, mustFail, aware };
}

/** Code that can tell who runs it may know an altered test from the real one. */
function lessSure(mustFail: MustFailVerdict | null, aware: readonly AwareLine[]): MustFailVerdict | null {
  return mustFail === null || aware.length === 0 ? mustFail : { ...mustFail, isolation: 'in_process' };
}

/** Null: no file is refused. `unmerged`: files that could not be put together from both versions. */
function refuse(decisions: readonly FileDecision[], unmerged: ReadonlySet<string> = new Set()): ChangeVerdict | null {
  const refused = decisions.filter(({ path, kind }) => kind === 'refused' || unmerged.has(path));
  if (refused.length === 0) return null;
  return { verdict: 'fail', faults: refused.map(refusal), decisions, result: null, mustFail: null, aware: [] };
}

/** Files that others than the tests obey are not an engine's to change; the rest would have a say about itself. */
function refusal({ path, why }: FileDecision): string {
  const isForOthers = why === 'ci_settings' || why === 'agent_settings';
  return `${isForOthers ? 'disallowed file changed' : 'changes what decides'}: ${path}`;
}

interface Fault {
  readonly verdict: 'fail' | 'blocked';
  readonly reason: string;
}

const demandChanged = (count: number): string => `the patch changes what tests demand: ${count}`;

function faultsOf(result: ChangeResult, record: BaseRecord, acceptExitCode: boolean): Fault[] {
  const { deciding, protocolFaults, faults, touched, unstable } = result;
  if (deciding.verdict === 'blocked') return deciding.faults.map((reason) => ({ verdict: 'blocked' as const, reason }));
  const tampered = touched.length > 0 ? [{ verdict: 'fail' as const, reason: 'test files changed while judging' }] : [];
  if (unstable && tampered.length === 0) return [{ verdict: 'blocked', reason: 'tests are not stable' }];
  if (reportsNothing(record))
    return acceptExitCode
      ? [...tampered, ...exitCodeFaults(deciding.exitCode, record)]
      : [{ verdict: 'blocked', reason: 'only an exit code' }];
  return [
    ...protocolFaults.map((reason) => ({ verdict: 'fail' as const, reason })),
    ...tampered,
    ...faults.map(faultOf),
  ];
}

/** Without test ids there is nothing to compare but the exit code. */
function exitCodeFaults(exitCode: number | null, record: BaseRecord): Fault[] {
  if (exitCode === 0) return [];
  return [{ verdict: 'fail', reason: record.exit_code === 0 ? 'tests failed' : 'no failing test was fixed' }];
}

function faultOf(fault: ChangeFault): Fault {
  const count = fault.ids.length;
  switch (fault.code) {
    case 'tests_missing':
      return { verdict: 'fail', reason: `tests no longer reported: ${count}` };
    case 'tests_newly_failing':
      return { verdict: 'fail', reason: `tests newly failing: ${count}` };
    case 'nothing_fixed':
      return { verdict: 'fail', reason: 'no failing test was fixed' };
    case 'demand_changed':
      return { verdict: 'blocked', reason: demandChanged(count) };
    default:
      return fault satisfies never;
  }
}

function summary(faults: readonly Fault[]): Pick<ChangeVerdict, 'verdict' | 'faults'> {
  return {
    verdict: faults.some(({ verdict }) => verdict === 'fail') ? 'fail' : 'blocked',
    faults: faults.map(({ reason }) => reason),
  };
}

/**
 * Files of which it cannot be told whether they are product or belong to the tests are judged in both versions. Where tests pass or are
 * fixed with the patch's version alone, a person has to say which one is meant.
 */
async function judgeDoubtful(
  { bench, record, scratch, options }: RepositoryChange,
  decisions: readonly FileDecision[],
  base: ReadableTree,
  deciding: { readonly dir: string; readonly fixed: readonly string[] },
): Promise<readonly string[]> {
  const doubtful = decisions.filter((decision) => decision.deciding === 'both');
  if (doubtful.length === 0) return [];
  const { dir } = await layDecidingTree(
    join(scratch, 'deciding-base'),
    doubtful.map((decision) => ({ ...decision, deciding: 'base' as const })),
    base,
    readTree(deciding.dir),
    new Set(),
  );
  const { seen } = await bench.run({ tree: dir });
  const { newlyFailing, missing } = compareWithRecord(
    record,
    seen,
    new Set([...record.flaky, ...options.knownFailing]),
  );
  const passed = new Set(seen.filter(({ outcome }) => outcome === 'passed').map(({ id }) => id));
  return [...newlyFailing, ...missing, ...deciding.fixed.filter((id) => !passed.has(id))];
}

async function showThatTestsCanFail(
  { bench, record, seed }: RepositoryChange,
  { comparison, deciding, flaky }: ChangeResult,
  tree: ReadableTree,
  base: ReadableTree,
): Promise<MustFailVerdict | null> {
  if (reportsNothing(record)) return null;
  const unheard = new Set(flaky);
  const reportedFrom = new Map(deciding.seen.map(({ id, file }) => [id, file]));
  const run =
    (dir: string) =>
    async ({
      files,
      ids,
      timeoutMs,
    }: {
      files: ReadonlyMap<string, string>;
      ids: readonly string[];
      timeoutMs: number;
    }) => {
      const { seen } = await bench.run({ tree: dir, replace: files, only: ids, timeoutMs });
      return new Map(seen.map(({ id, outcome }) => [id, outcome]));
    };
  return runMustFail({
    seed,
    runner: record.runner,
    fileOf: (id) => reportedFrom.get(id) ?? null,
    fixed: comparison.fixed,
    kept: comparison.kept.filter((id) => !unheard.has(id)),
    files: tree,
    firstRunMs: deciding.durationMs,
    run: run(tree.dir),
    base: { read: base.read, run: run(base.dir) },
  });
}
