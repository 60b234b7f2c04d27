import { walkDerived } from '../../trees/derive.ts';
import type { Tree, WalkedTree } from '../../../task/tree/walk.ts';
import { join } from 'node:path';
import { reason } from '../../../evidence/reasons/catalogue.ts';
import type { Reason } from '../../../evidence/reasons/reason.ts';
import type { BaseRecord } from '../../../evidence/schema/base-record.ts';
import type { TestBench } from '../base/bench.ts';
import type { ProductStore } from '../base/product-store.ts';
import type { FileDecision } from '../deciding/decision.ts';
import { readTree, type ReadableTree } from './trees/base-tree.ts';
import { NOT_TRIED_APART } from '../apart/apart-verdict.ts';
import { leavesSomething } from '../apart/lasting-state.ts';
import { tryKept } from '../apart/kept/try-kept.ts';
import { passApart, tryApart } from '../apart/try-apart.ts';
import { findDeafPrograms } from '../must-fail/programs/altered-programs.ts';
import { runMustFail } from '../must-fail/run.ts';
import type { MustFailVerdict } from '../must-fail/verdict.ts';
import type { DecidingOptions } from '../deciding/facts.ts';
import { changeFaults } from './faults.ts';
import { classifyChange } from './classify-change.ts';
import { compareWithRecord, reportsNothing, type TestComparison } from './compare.ts';
import { layDecidingTree } from './trees/deciding-tree.ts';
import { placesOfCallers } from './aware/callers.ts';
import { layJudgedTree } from './aware/lay-judged-tree.ts';
import { loadedPackages } from './dependencies/loaded-packages.ts';
import { testToolsOf } from './dependencies/plan.ts';
import { compareTrees } from '../../../task/tree/compare.ts';
import { type Benches, type ChangeOptions, type ChangeResult, judgeChange } from './judge-change.ts';
import { type DependencyInstall, prepareDependencies } from './dependencies/prepare.ts';
import { benchWithNames, withBaseNames } from './renamed-tests.ts';
import { findFittedLines } from './fitted-answers.ts';
import type { AwareLine } from './aware/aware-line.ts';
import { seenExitCodes } from './aware/exit-codes.ts';
import { refuseAware } from './aware/test-aware.ts';

/** A patch to a repository, and the record of its base. */
export interface RepositoryChange extends DependencyInstall {
  readonly record: BaseRecord;
  readonly baseDir: string;
  /** The result of a walk of the base, if there was one. */
  readonly baseTree?: Tree;
  /** Caches which files of the base are product; absent: no cache. */
  readonly productStore?: ProductStore | null;
  /** The base with the whole patch. */
  readonly patchedDir: string;
  /** Directory for the trees to be judged. */
  readonly scratch: string;
  readonly options: DecidingOptions & ChangeOptions & { readonly acceptExitCode: boolean };
  /** Hexadecimal, drawn when the patch could no longer change. */
  readonly seed: string;
}

export interface ChangeVerdict {
  readonly verdict: 'pass' | 'fail' | 'blocked';
  /** Reasons; the first decides. Empty if and only if it is a pass. */
  readonly faults: readonly Reason[];
  readonly decisions: readonly FileDecision[];
  /** Null: the patch was refused before any test ran. */
  readonly result: ChangeResult | null;
  readonly mustFail: MustFailVerdict | null;
  /** New product code that could detect tests, or that contains values of tests. */
  readonly aware: readonly AwareLine[];
}

const walkedOf = ({ dir, walked }: ReadableTree): WalkedTree => ({ dir, tree: walked });

/** Judges a patch by the tests of its base. */
export async function judgeRepositoryChange(given: RepositoryChange): Promise<ChangeVerdict> {
  const { record, options, scratch } = given;
  const change = {
    ...given,
    bench: given.bench.withoutFailedRebuild(record.failed_commands).sparing(record.idle_commands ?? []),
  };
  const { confinement } = change.bench;
  const base = readTree(change.baseDir, change.baseTree);
  const patched = readTree(change.patchedDir, walkDerived(confinement, change.patchedDir, walkedOf(base)));
  const classified = await classifyChange(record, base, patched, options, change.productStore ?? null);
  const { support, lookedFor } = classified;
  const refused = refuse(classified.decisions);
  if (refused !== null) return refused;

  const packages = {
    testTools: testToolsOf(record, base),
    loaded: await loadedPackages(classified.decisions, patched),
  };
  const reports = reportFiles(record);
  const judged = await layJudgedTree({
    confinement,
    target: join(scratch, 'deciding'),
    classified,
    base,
    patched,
    packages,
    reports,
    read: new Set(record.read),
  });
  const { laid, deciding, lines } = judged;
  const unmerged = refuse(judged.decisions, new Set(laid.problems.map(({ path }) => path)));
  if (unmerged !== null) return unmerged;
  const telling = lines.filter(({ kind }) => kind !== 'exit');
  const exitCodes = seenExitCodes(record, reports);
  const places = exitCodes === 'all' ? [] : placesOfCallers(lines, judged.decisions, deciding);
  const refuseFor = (acting: readonly AwareLine[]): readonly FileDecision[] =>
    refuseAware(judged.decisions, acting, { ...options, exitCodes, deciding });
  const decisions = refuseFor(lines.filter((line) => !places.includes(line)));
  const acting = refuse(decisions);
  if (acting !== null) return acting;
  const dependencies = await prepareDependencies(change, base, patched, packages, deciding.dir);
  if (dependencies.kind === 'blocked') return { ...blockedBy(dependencies.reasons), decisions, aware: telling };
  const bench = dependencies.bench.withoutFailedRebuild(record.failed_commands);
  const result = await judgeChange(
    { bench, baseBench: change.bench },
    record,
    {
      base: base.dir,
      patched: patched.dir,
      deciding: deciding.dir,
      watch: [...support, ...lookedFor],
      testsChanged: laid.restored.some(({ kind }) => kind !== 'settings'),
      sameAsBase: compareTrees(base.walked, deciding.walked).length === 0,
      isInTests: (text) => support.some((path) => base.read(path)?.includes(text) === true),
      read: { base: base.read, deciding: deciding.read },
    },
    { ...options, rewritten: rewrittenTests(decisions) },
  );
  const fileOf = (id: string): string | null => result.deciding.seen.find((test) => test.id === id)?.file ?? null;
  const product = decisions.filter(({ kind }) => kind === 'product').map(({ path }) => path);
  const { fixed } = result.comparison;
  const fitted = await findFittedLines({ runner: record.runner, fixed, fileOf, product, base, deciding });
  const aware = [...telling, ...fitted];
  const faults = changeFaults(result, {
    record,
    acceptExitCode: options.acceptExitCode,
    restored: laid.restored,
    notInstalled: dependencies.missing,
  });
  if (faults.length > 0) return { ...summary(faults), decisions, result, mustFail: null, aware };
  const doubt = await judgeDoubtful({ ...change, bench }, decisions, base, {
    dir: deciding.dir,
    fixed,
    renamed: result.renamed,
  });
  if (doubt.length > 0)
    return {
      verdict: 'blocked',
      faults: [reason('demand_changed', { n: doubt.length })],
      decisions,
      result,
      mustFail: null,
      aware,
    };
  const trial = {
    record,
    bench: benchWithNames(bench, result.renamed),
    baseBench: change.bench,
    deciding,
    base,
    fixed,
    kept: result.comparison.kept,
    product: changedProduct(decisions),
    seed: change.seed,
    fileOf,
    asks: telling.some(({ kind }) => kind === 'context'),
    leavesSomething: leavesSomething(changedProduct(decisions), deciding, base),
  };
  const calling = refuse(refuseFor(places));
  if (calling !== null && (bench.rebuilds || !(await passApart(trial)))) return calling;
  const apart = bench.rebuilds || calling !== null ? NOT_TRIED_APART : await tryApart(trial);
  if (apart.faults.length > 0) return { ...summary(apart.faults), decisions, result, mustFail: null, aware };
  const deafPrograms = (): Promise<readonly Reason<'fail'>[]> =>
    findDeafPrograms({
      seed: change.seed,
      testFiles: classified.testFiles,
      read: base.read,
      readByBase: new Set(record.read),
      base: { dir: base.dir, bench: change.bench },
      deciding: { dir: deciding.dir, bench },
      passedBefore: record.exit_code === 0,
      first: result.deciding,
    });
  const [kept, shownToFail] = await Promise.all([
    bench.rebuilds ? NOT_TRIED_APART : tryKept(trial),
    showThatTestsCanFail({ ...change, baseBench: change.bench, bench }, result, deciding, base),
  ]);
  if (kept.faults.length > 0) return { ...summary(kept.faults), decisions, result, mustFail: null, aware };
  const mustFail = lessSure(shownToFail, telling);
  const deaf = exitCodes === 'none' || (mustFail?.faults.length ?? 0) > 0 ? [] : await deafPrograms();
  const forged = [...(mustFail?.faults ?? []), ...deaf];
  return { verdict: forged.length > 0 ? 'fail' : 'pass', faults: forged, decisions, result, mustFail, aware };
}

const changedProduct = (decisions: readonly FileDecision[]): readonly string[] =>
  decisions.filter(({ deciding }) => deciding === 'patch').map(({ path }) => path);

/** Files that the command writes its results to. */
function reportFiles({ runner, test_command: command }: BaseRecord): readonly string[] {
  return runner.split(' + ').includes('junit') ? (command.match(/[^\s=]+\.xml\b/g) ?? []) : [];
}

function rewrittenTests(decisions: readonly FileDecision[]): ReadonlySet<string> {
  return new Set(decisions.filter(({ allowed_from: from }) => from === 'no_vote').map(({ path }) => path));
}

/** Code that can detect tests may distinguish an altered test from the real one. */
function lessSure(mustFail: MustFailVerdict | null, aware: readonly AwareLine[]): MustFailVerdict | null {
  return mustFail === null || aware.length === 0 ? mustFail : { ...mustFail, isolation: 'in_process' };
}

function blockedBy(faults: readonly Reason[]): Pick<ChangeVerdict, 'verdict' | 'faults' | 'result' | 'mustFail'> {
  return { verdict: 'blocked', faults, result: null, mustFail: null };
}

/** Null: no file is refused. `unmerged`: files whose two versions could not be merged. */
function refuse(decisions: readonly FileDecision[], unmerged: ReadonlySet<string> = new Set()): ChangeVerdict | null {
  const refused = decisions.filter(({ path, kind }) => kind === 'refused' || unmerged.has(path));
  if (refused.length === 0) return null;
  return { verdict: 'fail', faults: refused.map(refusal), decisions, result: null, mustFail: null, aware: [] };
}

/**
 * Files that programs other than the tests obey are never an engine's to change; all other refused files would decide about themselves.
 */
function refusal({ path, why }: FileDecision): Reason<'fail'> {
  const isForOthers = why === 'ci_settings' || why === 'agent_settings';
  return reason(isForOthers ? 'disallowed_file' : 'decides_changed', { path });
}

/** One fault of the change outweighs any number of open questions. */
function summary(faults: readonly Reason[]): Pick<ChangeVerdict, 'verdict' | 'faults'> {
  return { verdict: faults.some(({ status }) => status === 'fail') ? 'fail' : 'blocked', faults };
}

/**
 * Files that could be product or test support are judged in both versions. If tests pass or are fixed only with the patch's version, a
 * person must decide which version is right.
 */
async function judgeDoubtful(
  { bench, record, scratch, options }: RepositoryChange,
  decisions: readonly FileDecision[],
  base: ReadableTree,
  deciding: { readonly dir: string } & Pick<TestComparison, 'fixed'> & Pick<ChangeResult, 'renamed'>,
): Promise<readonly string[]> {
  const doubtful = decisions.filter((decision) => decision.deciding === 'both');
  if (doubtful.length === 0) return [];
  const { confinement } = bench;
  const { dir } = await layDecidingTree(
    confinement,
    join(scratch, 'deciding-base'),
    doubtful.map((decision) => ({ ...decision, deciding: 'base' as const })),
    base,
    readTree(deciding.dir, walkDerived(confinement, deciding.dir, walkedOf(base))),
    { testTools: new Set(), loaded: new Set() },
  );
  const { seen } = withBaseNames(await bench.run({ tree: dir }), deciding.renamed);
  const { newlyFailing, missing } = compareWithRecord(
    record,
    seen,
    new Set([...record.flaky, ...options.knownFailing]),
  );
  const passed = new Set(seen.filter(({ outcome }) => outcome === 'passed').map(({ id }) => id));
  return [...newlyFailing, ...missing, ...deciding.fixed.filter((id) => !passed.has(id))];
}

async function showThatTestsCanFail(
  { bench, baseBench, record, seed }: RepositoryChange & Benches,
  { comparison, deciding, flaky, renamed }: ChangeResult,
  tree: ReadableTree,
  base: ReadableTree,
): Promise<MustFailVerdict | null> {
  if (reportsNothing(record)) return null;
  const unheard = new Set(flaky);
  const reportedFrom = new Map(deciding.seen.map(({ id, file }) => [id, file]));
  const run =
    (dir: string, on: Pick<TestBench, 'run'>) =>
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
    run: run(tree.dir, benchWithNames(bench, renamed)),
    base: { read: base.read, run: run(base.dir, baseBench) },
  });
}
