import { join } from 'node:path';
import type { BaseRecord } from '../../../evidence/schema/base-record.ts';
import type { TestBench } from '../base/bench.ts';
import type { FileDecision } from '../deciding/decision.ts';
import { readTree, type ReadableTree } from './base-tree.ts';
import { runMustFail } from '../must-fail/run.ts';
import type { MustFailVerdict } from '../must-fail/verdict.ts';
import type { DecidingOptions } from '../deciding/facts.ts';
import { classifyChange } from './classify-change.ts';
import { compareWithRecord } from './compare.ts';
import { layDecidingTree } from './deciding-tree.ts';
import { testToolsOf } from './dependencies.ts';
import { DEPENDENCY_REFUSED, type DependencyInstall, prepareDependencies } from './prepare-dependencies.ts';
import { type Benches, type ChangeOptions, type ChangeResult, judgeChange } from './judge-change.ts';
import type { ChangeFault } from './proof.ts';

/** A patch to a repository, and the record of its base. */
export interface RepositoryChange extends DependencyInstall {
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
}

/** Judges a patch by the tests of its base. */
export async function judgeRepositoryChange(change: RepositoryChange): Promise<ChangeVerdict> {
  const { record, options, scratch } = change;
  const base = readTree(change.baseDir);
  const patched = readTree(change.patchedDir);
  const { decisions, support } = await classifyChange(record, base, patched, options);
  const refused = decisions.filter(({ kind }) => kind === 'refused').map(({ path }) => path);
  if (refused.length > 0) return refuse(decisions, refused);

  const testTools = testToolsOf(record, base);
  const deciding = await layDecidingTree(join(scratch, 'deciding'), decisions, base, patched, testTools);
  if (deciding.problems.length > 0)
    return refuse(
      decisions,
      deciding.problems.map(({ path }) => path),
    );
  const dependencies = await prepareDependencies(change, base, patched, testTools, deciding.dir);
  if (dependencies.kind === 'blocked') return blockDependencies(decisions, dependencies.reasons);
  const { bench } = dependencies;
  const result = await judgeChange(
    { bench, baseBench: change.bench },
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
  if (faults.length > 0) return { ...summary(faults), decisions, result, mustFail: null };
  const doubt = await judgeDoubtful({ ...change, bench }, decisions, base, deciding.dir);
  if (doubt.length > 0)
    return { verdict: 'blocked', faults: [demandChanged(doubt.length)], decisions, result, mustFail: null };
  const mustFail = await showThatTestsCanFail(
    { ...change, baseBench: change.bench, bench },
    result,
    readTree(deciding.dir),
    base,
  );
  const forged = mustFail?.faults ?? [];
  return { verdict: forged.length > 0 ? 'fail' : 'pass', faults: forged, decisions, result, mustFail };
}

function refuse(decisions: readonly FileDecision[], paths: readonly string[]): ChangeVerdict {
  return {
    verdict: 'fail',
    faults: paths.map((path) => `changes what decides: ${path}`),
    decisions,
    result: null,
    mustFail: null,
  };
}

function blockDependencies(decisions: readonly FileDecision[], reasons: readonly string[]): ChangeVerdict {
  return {
    verdict: 'blocked',
    faults: reasons.map((reason) => `${DEPENDENCY_REFUSED}${reason}`),
    decisions,
    result: null,
    mustFail: null,
  };
}

interface Fault {
  readonly verdict: 'fail' | 'blocked';
  readonly reason: string;
}

const demandChanged = (count: number): string => `the patch changes what tests demand: ${count}`;

function faultsOf(result: ChangeResult, record: BaseRecord, acceptExitCode: boolean): Fault[] {
  const { deciding, protocolFaults, faults, touched, unstable } = result;
  if (deciding.verdict === 'blocked') return deciding.faults.map((reason) => ({ verdict: 'blocked' as const, reason }));
  if (unstable) return [{ verdict: 'blocked', reason: 'tests are not stable' }];
  if (deciding.isolation === 'exit_code')
    return acceptExitCode
      ? exitCodeFaults(deciding.exitCode, record)
      : [{ verdict: 'blocked', reason: 'only an exit code' }];
  return [
    ...protocolFaults.map((reason) => ({ verdict: 'fail' as const, reason })),
    ...(touched.length > 0 ? [{ verdict: 'fail' as const, reason: 'test files changed while judging' }] : []),
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
 * Files of which it cannot be told whether they are product or belong to the tests are judged in both versions. Where the base's
 * version breaks tests that the patch's version passes, a person has to say which one is meant.
 */
async function judgeDoubtful(
  { bench, record, scratch, options }: RepositoryChange,
  decisions: readonly FileDecision[],
  base: ReadableTree,
  decidingDir: string,
): Promise<readonly string[]> {
  const doubtful = decisions.filter(({ deciding }) => deciding === 'both');
  if (doubtful.length === 0) return [];
  const { dir } = await layDecidingTree(
    join(scratch, 'deciding-base'),
    doubtful.map((decision) => ({ ...decision, deciding: 'base' as const })),
    base,
    readTree(decidingDir),
    new Set(),
  );
  const { seen } = await bench.run({ tree: dir });
  const { newlyFailing, missing } = compareWithRecord(
    record,
    seen,
    new Set([...record.flaky, ...options.knownFailing]),
  );
  return [...newlyFailing, ...missing];
}

async function showThatTestsCanFail(
  { bench, baseBench, record, seed }: RepositoryChange & Benches,
  { comparison, deciding, flaky }: ChangeResult,
  tree: ReadableTree,
  base: ReadableTree,
): Promise<MustFailVerdict | null> {
  if (deciding.isolation === 'exit_code') return null;
  const unheard = new Set(flaky);
  const reportedFrom = new Map(deciding.seen.map(({ id, file }) => [id, file]));
  const run =
    (dir: string, on: TestBench) =>
    async ({
      files,
      ids,
      timeoutMs,
    }: {
      files: ReadonlyMap<string, string>;
      ids: readonly string[];
      timeoutMs: number;
    }) => {
      const { seen } = await on.run({ tree: dir, replace: files, only: ids, timeoutMs });
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
    run: run(tree.dir, bench),
    base: { read: base.read, run: run(base.dir, baseBench) },
  });
}
