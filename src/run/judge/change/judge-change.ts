import type { Reason } from '../../../evidence/reasons/reason.ts';
import type { BaseRecord, RecordedTest } from '../../../evidence/schema/base-record.ts';
import type { BenchResult, TestBench } from '../base/bench.ts';
import { commandFault } from '../decide.ts';
import type { JudgeResult } from '../types.ts';
import { compareWithRecord, isFailing, isSound, reportsNothing, type TestComparison } from './compare.ts';
import { NOT_REPEATED, repeatInOtherSurroundings } from './other-surroundings.ts';
import { findFlaky } from './flaky-tests.ts';
import { exitFaults } from './runner-exit.ts';
import { decideProof, type ChangeFault, type ShownRun } from './proof.ts';
import { findMovedExamples } from './moved-examples.ts';
import { benchWithNames, findRenamedTests, type RenamedTests, withBaseNames } from './renamed-tests.ts';
import { isUnstable } from './stability.ts';

/** The trees of one change, and the facts about its files. Each run works on a copy of a tree. */
export interface ChangeTrees {
  readonly base: string;
  /** The base with the whole patch. */
  readonly patched: string;
  /** The patched tree with the base's version of every deciding file: the tree that decides. */
  readonly deciding: string;
  /** Deciding files, which must not change while judging. */
  readonly watch: readonly string[];
  /** The patch changes, removes or adds tests or what they use, so its own version runs too, and is shown. */
  readonly testsChanged: boolean;
  /** No file of the patch has a vote: the deciding tree equals the base. */
  readonly sameAsBase: boolean;
  /** Whether a test file of the base, or a file that tests use, contains the text. */
  readonly isInTests: (text: string) => boolean;
  /** Reads a file of the base, and of the deciding tree. */
  readonly read: { readonly base: (path: string) => string | null; readonly deciding: (path: string) => string | null };
}

export interface ChangeOptions {
  /** Test files that a person allows the change to rewrite: tests removed from them are not missed. */
  readonly rewritten?: ReadonlySet<string>;
  readonly mustFix: readonly string[];
  readonly knownFailing: readonly string[];
  readonly require: 'fixed_if_failing' | 'kept';
}

export interface ChangeResult {
  /** Tests are named as on the base. */
  readonly deciding: BenchResult;
  readonly renamed: RenamedTests;
  /** Null: the patch does not change the tests. */
  readonly shown: JudgeResult | null;
  readonly comparison: TestComparison;
  /** Without a vote, because their outcome varies. */
  readonly flaky: readonly string[];
  /** Without a vote, because a person allowed the change to rewrite their file, and it removed them. */
  readonly removed: readonly string[];
  readonly proof: 'fixed' | 'kept' | null;
  readonly faults: readonly ChangeFault[];
  /** Faults of the deciding run itself. */
  readonly protocolFaults: readonly Reason[];
  /** Deciding files that were written while the tests ran, which the base's run does not do. */
  readonly touched: readonly string[];
  /** Fixed tests that pass only with the sandbox's own time zone, language or lack of a network. */
  readonly placeBound: readonly string[];
  readonly unstable: boolean;
}

/** Where trees are judged: with the dependencies of the change, and with those of the base. */
export interface Benches {
  readonly bench: TestBench;
  readonly baseBench: TestBench;
}

/** Judges a change by the base's tests, and runs the patch's own tests to show their results. */
export async function judgeChange(
  { bench: plainBench, baseBench }: Benches,
  record: BaseRecord,
  trees: ChangeTrees,
  options: ChangeOptions,
): Promise<ChangeResult> {
  const ran = await plainBench.run({ tree: trees.deciding, watch: trees.watch });
  const renamed = await renamedBy(record, ran, trees, options);
  const bench = benchWithNames(plainBench, renamed);
  const deciding: BenchResult = reportsNothing(record)
    ? { ...ran, seen: [], isolation: 'exit_code' }
    : withBaseNames(ran, renamed);
  const shown = trees.testsChanged ? await plainBench.run({ tree: trees.patched }) : null;
  const now = deciding.seen;
  const removed = removedTests(record, now, options);
  const unheard = new Set([...record.flaky, ...options.knownFailing, ...removed]);
  const first = compareWithRecord(record, now, unheard);
  const sound = deciding.protocolFaults.length === 0;
  const [fixedAnyway, repeated] = sound
    ? await Promise.all([
        fixedWithoutPatch(baseBench, trees, first.fixed),
        repeatInOtherSurroundings({
          bench,
          baseBench,
          deciding: trees.deciding,
          base: trees.base,
          fixed: first.fixed,
          textOf: (id) => trees.read.base(now.find((test) => test.id === id)?.file ?? '') ?? '',
        }),
      ])
    : [[], NOT_REPEATED];
  const flaky = [
    ...fixedAnyway,
    ...(sound ? await findFlaky({ bench, baseBench }, record, trees, [...first.newlyFailing, ...first.missing]) : []),
  ];
  const comparison = compareWithRecord(
    record,
    now.map((test) => (repeated.failing.includes(test.id) ? { ...test, outcome: 'failed' as const } : test)),
    new Set([...unheard, ...flaky]),
  );
  const { proof, faults } = decideProof({
    comparison,
    mustFix: options.mustFix,
    require: options.require,
    shown: shown === null ? null : shownRun(shown),
    looksGreen: await looksGreen(plainBench, trees, comparison, options),
  });
  const written = new Set(record.written);
  return {
    deciding,
    renamed,
    shown,
    comparison,
    flaky: [...record.flaky, ...flaky],
    removed,
    proof,
    faults,
    protocolFaults: [
      ...(await exitFaults({ bench, baseBench }, record, trees, deciding)),
      ...newlyFailedCommands(record, deciding),
    ],
    touched: deciding.touched.filter((path) => !written.has(path)),
    placeBound: repeated.placeBound.filter((id) => comparison.fixed.includes(id)),
    unstable: isUnstable(record.flaky.length + flaky.length, record.tests.length),
  };
}

/** A file that a person allows the change to rewrite may rename its tests, so names in it cannot be matched. */
async function renamedBy(
  { tests }: BaseRecord,
  { seen }: JudgeResult,
  { isInTests, read }: ChangeTrees,
  { rewritten }: ChangeOptions,
): Promise<RenamedTests> {
  const isJudged = ({ file }: RecordedTest): boolean => file === null || rewritten?.has(file) !== true;
  const [before, now] = [tests.filter(isJudged), seen.filter(isJudged)];
  return new Map([...findRenamedTests(before, now, isInTests), ...(await findMovedExamples(before, now, read))]);
}

function removedTests(
  { tests }: BaseRecord,
  now: readonly RecordedTest[],
  { rewritten }: ChangeOptions,
): readonly string[] {
  if (rewritten === undefined) return [];
  const reported = new Set(now.map(({ id }) => id));
  return tests.filter(({ id, file }) => file !== null && rewritten.has(file) && !reported.has(id)).map(({ id }) => id);
}

/**
 * If nothing had to be fixed, also checks the exit code of the command: a patch that makes it succeed while tests of the base still
 * fail has silenced them.
 */
async function looksGreen(
  bench: TestBench,
  { patched, base }: ChangeTrees,
  { fixed, stillFailing }: TestComparison,
  { require }: ChangeOptions,
): Promise<boolean> {
  if (require !== 'kept' || fixed.length > 0 || stillFailing.length === 0) return false;
  const succeeds = async (tree: string): Promise<boolean> => (await bench.run({ tree, plain: true })).exitCode === 0;
  return (await succeeds(patched)) && !(await succeeds(base));
}

function shownRun(result: JudgeResult): ShownRun {
  return {
    failing: result.seen.filter(isFailing).map(({ id }) => id),
    passed: result.seen.filter(({ outcome }) => outcome === 'passed').map(({ id }) => id),
    sound: isSound(result),
  };
}

/** A build or check that succeeded before the change must succeed after it. */
function newlyFailedCommands({ failed_commands: before }: BaseRecord, { failedCommands }: JudgeResult): Reason[] {
  return failedCommands.filter(({ text }) => !before.includes(text)).map(commandFault);
}

/**
 * Fixed tests that now also pass on the base: they failed there because of a slow machine or the time of day, so the patch did not fix
 * them.
 */
async function fixedWithoutPatch(
  baseBench: TestBench,
  { base, sameAsBase }: ChangeTrees,
  fixed: readonly string[],
): Promise<readonly string[]> {
  if (fixed.length === 0 || sameAsBase) return fixed;
  const { seen } = await baseBench.run({ tree: base, only: fixed });
  const passed = new Set(seen.filter(({ outcome }) => outcome === 'passed').map(({ id }) => id));
  return fixed.filter((id) => passed.has(id));
}
