import { reason } from '../../../evidence/reasons/catalogue.ts';
import type { Reason } from '../../../evidence/reasons/reason.ts';
import type { RecordedTest } from '../../../evidence/schema/base-record.ts';
import { pathText } from '../../../kernel/path-text.ts';
import { pathNameBytes } from '../deciding/path-name.ts';
import { listedTests } from '../results/listed-tests.ts';
import { isFailing } from './compare.ts';

/** A file that the patch changes and that was judged in the base's version. */
export type RestoredFile =
  | { readonly kind: 'file'; readonly path: string; readonly removed: boolean }
  /** A product source whose inline tests were restored. */
  | {
      readonly kind: 'inline';
      readonly path: string;
      readonly removed: false;
      /** Whether tests of the base are changed or gone; otherwise the patch only adds some. */
      readonly altered: boolean;
    }
  | { readonly kind: 'settings'; readonly path: string; readonly keys: readonly string[] };

export interface SilencedFacts {
  /** Tests of the base that still fail in the deciding run. */
  readonly unfixed: readonly Pick<RecordedTest, 'id' | 'file'>[];
  readonly restored: readonly RestoredFile[];
  /** The run with the whole patch; null: it changes no tests. */
  readonly shown: {
    readonly seen: readonly RecordedTest[];
    readonly sound: boolean;
    readonly exitCode: number | null;
  } | null;
  /** The test command, if it reports no tests by name; null: it does. */
  readonly silentCommand: string | null;
}

/** What happened to a failing test in the patch's version of its file. */
type Fate = 'failing_tests_removed' | 'failing_tests_skipped' | 'failing_tests_weakened';

const FATES: readonly Fate[] = ['failing_tests_removed', 'failing_tests_skipped', 'failing_tests_weakened'];

/** What a patch did to failing tests instead of fixing them; empty: it left them alone. Pure. */
export function silencedTests(facts: SilencedFacts): Reason<'fail'>[] {
  const { restored, unfixed, shown, silentCommand } = facts;
  const files = restored.filter((file) => file.kind !== 'settings');
  const settings = restored
    .filter((file) => file.kind === 'settings')
    .map(({ path, keys }) => reason('test_settings_changed', { path: shownPath(path), keys: listedTests(keys) }));
  if (files.length === 0) return settings;
  const paths = listedTests(files.map(({ path }) => shownPath(path)));
  if (silentCommand !== null) {
    const excused = shown?.exitCode === 0 ? [reason('failing_tests_excused', { paths, tests: silentCommand })] : [];
    return [...excused, ...settings];
  }
  const gone = new Set(files.filter(({ removed }) => removed).map(({ path }) => path));
  const cutShort = shown !== null && !shown.sound;
  // A run that broke off, or a file or package that does not load, proves nothing about tests whose files still exist.
  const known = unfixed.filter(
    (test) => (test.file !== null && gone.has(test.file)) || !(cutShort || isUnloaded(test, shown)),
  );
  const unknown = unfixed.filter((test) => !known.includes(test));
  return [
    ...fatesByFile({ ...facts, unfixed: known }, files),
    ...excusedByOthers({ ...facts, unfixed: known }, files, paths),
    ...(unknown.length === 0 ? [] : [reason('changed_tests_cut_short', { paths, tests: listedTests(idsOf(unknown)) })]),
    ...settings,
  ];
}

/** The file or package of the test is reported as an error, and none of its tests. */
function isUnloaded({ id, file }: SilencedFacts['unfixed'][number], shown: SilencedFacts['shown']): boolean {
  const seen = shown?.seen ?? [];
  if (seen.some((test) => test.id === id)) return false;
  return seen.some((one) => one.outcome === 'error' && (one.id === file || id.startsWith(`${one.id}::`)));
}

function fatesByFile(
  { unfixed, shown }: SilencedFacts,
  files: readonly Exclude<RestoredFile, { readonly kind: 'settings' }>[],
): Reason<'fail'>[] {
  return files.flatMap(({ path, removed }) => {
    const own = unfixed.filter(({ file }) => file === path);
    const by = (fate: Fate): string[] =>
      idsOf(own.filter(({ id }) => (removed ? 'failing_tests_removed' : fateOf(id, shown)) === fate));
    return FATES.flatMap((fate) => {
      const tests = by(fate);
      return tests.length === 0 ? [] : [reason(fate, { path: shownPath(path), tests: listedTests(tests) })];
    });
  });
}

/** Their own files are untouched, but with the whole patch they no longer fail. */
function excusedByOthers(
  { unfixed, shown }: SilencedFacts,
  files: readonly RestoredFile[],
  paths: string,
): Reason<'fail'>[] {
  const changed = new Set(files.map(({ path }) => path));
  const excused = unfixed.filter(({ id, file }) => (file === null || !changed.has(file)) && fateOf(id, shown) !== null);
  return excused.length === 0 ? [] : [reason('failing_tests_excused', { paths, tests: listedTests(idsOf(excused)) })];
}

/** Null: it fails with the whole patch too. */
function fateOf(id: string, shown: SilencedFacts['shown']): Fate | null {
  if (shown === null) return null;
  const is = shown.seen.find((test) => test.id === id);
  if (is === undefined) return 'failing_tests_removed';
  if (isFailing(is)) return null;
  return is.outcome === 'skipped' ? 'failing_tests_skipped' : 'failing_tests_weakened';
}

const idsOf = (tests: readonly { readonly id: string }[]): string[] => tests.map(({ id }) => id);

const shownPath = (path: string): string => pathText(pathNameBytes(path));
