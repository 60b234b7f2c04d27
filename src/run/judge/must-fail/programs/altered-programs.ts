import { reason } from '../../../../evidence/reasons/catalogue.ts';
import type { Reason } from '../../../../evidence/reasons/reason.ts';
import type { TestBench } from '../../base/bench.ts';
import { WORKSPACE } from '../../sandbox/layout.ts';
import { applyEdits } from '../../syntax/edits.ts';
import type { JudgeResult } from '../../types.ts';
import { Draw } from '../draw.ts';
import { expectedIn, type ValueOfTests, type ExpectingFile } from './expected-values.ts';

type Run = Pick<JudgeResult, 'exitCode' | 'seen'>;
interface Place {
  readonly dir: string;
  readonly bench: Pick<TestBench, 'run'>;
}

export interface AlteredPrograms {
  readonly seed: string;
  /** Files that only tests use; the deciding tree has them as the base does. */
  readonly testFiles: readonly string[];
  readonly read: (path: string) => string | null;
  readonly base: Place;
  readonly deciding: Place;
  /** Files that the base's run read. */
  readonly readByBase: ReadonlySet<string>;
  /** The command succeeds on the base. */
  readonly passedBefore: boolean;
  /** The deciding run. */
  readonly first: Run & Pick<JudgeResult, 'durationMs'>;
}

/** One value that the tests expect. */
interface Expected {
  readonly file: ExpectingFile;
  readonly value: ValueOfTests;
  /** A file that shows, if it is there after a run, that the value was used. */
  readonly marker: string;
}

/**
 * Scripts and test programs share a process with the code, or believe what it says, and only their exit codes are seen. With another
 * value in the place of one that the tests expect and that the base's run uses, the command has to fail: otherwise the code ends the
 * program or the script early, answers for what compares, or reads what it is compared with.
 */
export async function findDeafPrograms(request: AlteredPrograms): Promise<readonly Reason<'fail'>[]> {
  const { base, deciding, first, seed } = request;
  if (first.exitCode !== 0) return [];
  const expected = await expectedValues(request);
  if (expected.length === 0) return [];
  const timeoutMs = 3 * first.durationMs + 10_000;
  for (const one of chosen(await usedOnBase(expected, request, timeoutMs), seed, first.durationMs)) {
    const isDeaf = async ({ bench, dir }: Place, label: string): Promise<boolean> =>
      isUnmoved(first, await bench.run({ tree: dir, replace: alteredFile(one, seed, label), timeoutMs }));
    if (!(await isDeaf(deciding, 'once')) || !(await isDeaf(deciding, 'again'))) continue;
    if (request.passedBefore && (await isDeaf(base, 'once'))) continue;
    return [reason('tests_cannot_fail', { n: 1 })];
  }
  return [];
}

async function expectedValues({ testFiles, read, seed }: AlteredPrograms): Promise<readonly Expected[]> {
  const token = new Draw(seed, 'programs').hex(12);
  const files = await Promise.all(testFiles.map((path) => expectedIn(path, read(path) ?? '', testFiles)));
  return files.flatMap((file, at) =>
    file.values.map((value, index) => ({ file, value, marker: `${token}-${at}-${index}` })),
  );
}

/** The values whose comparisons the base makes. */
async function usedOnBase(
  expected: readonly Expected[],
  { base, readByBase }: AlteredPrograms,
  timeoutMs: number,
): Promise<readonly Expected[]> {
  const announcing = expected.filter(({ value }) => value.announced !== null);
  const replace = announcedFiles(announcing);
  const watch = announcing.map(({ marker }) => marker);
  const touched =
    watch.length === 0 ? [] : (await base.bench.run({ tree: base.dir, replace, watch, timeoutMs })).touched;
  return expected.filter(({ file, value, marker }) =>
    value.announced === null ? readByBase.has(file.path) : touched.includes(marker),
  );
}

function announcedFiles(expected: readonly Expected[]): ReadonlyMap<string, string> {
  return new Map(
    expected.map(({ file }) => {
      const here = expected.filter((one) => one.file === file);
      const edits = here.flatMap(({ value, marker }) => value.announced?.(`${WORKSPACE}/${marker}`) ?? []);
      return [file.path, applyEdits(file.text, [...file.announcing, ...edits])];
    }),
  );
}

function alteredFile({ file, value, marker }: Expected, seed: string, label: string): Map<string, string> {
  return new Map([[file.path, applyEdits(file.text, value.altered(new Draw(seed, `${marker} ${label}`)))]]);
}

const MAX_ALTERED = 8;
const MAX_MS = 60_000;

/** A test that fails ends at the comparison that fails: of each file, the last one that the base makes comes first. */
function chosen(made: readonly Expected[], seed: string, runMs: number): readonly Expected[] {
  const last = made.filter(({ file }, at) => !made.slice(at + 1).some((one) => one.file === file));
  const others = new Draw(seed, 'compared').shuffled(made.filter((one) => !last.includes(one)));
  const most = Math.max(2, Math.min(MAX_ALTERED, Math.floor(MAX_MS / Math.max(1, runMs))));
  return [...last, ...others].slice(0, most);
}

/** The command still succeeds, and every test that passed still does. */
function isUnmoved(first: Run, now: Run): boolean {
  const passed = new Set(now.seen.filter(({ outcome }) => outcome === 'passed').map(({ id }) => id));
  return (
    now.exitCode === first.exitCode && first.seen.every(({ id, outcome }) => outcome !== 'passed' || passed.has(id))
  );
}
