import { reason } from '../../../../evidence/reasons/catalogue.ts';
import type { Reason } from '../../../../evidence/reasons/reason.ts';
import type { TestBench } from '../../base/bench.ts';
import { WORKSPACE } from '../../sandbox/layout.ts';
import { applyEdits } from '../../syntax/edits.ts';
import { languageOf } from '../../syntax/language.ts';
import type { SyntaxTree } from '../../syntax/node.ts';
import { parse } from '../../syntax/parse.ts';
import type { JudgeResult } from '../../types.ts';
import { Draw } from '../draw.ts';
import { type ComparedValues, comparisonsInC } from './c-comparisons.ts';
import { alteredValues, announced, announcing } from './c-values.ts';

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
  /** The command succeeds on the base. */
  readonly passedBefore: boolean;
  /** The deciding run. */
  readonly first: Run & Pick<JudgeResult, 'durationMs'>;
}

/** One comparison of a test program. */
interface Compared {
  readonly path: string;
  readonly tree: SyntaxTree;
  readonly values: ComparedValues;
  /** A file that shows, if it is there after a run, that the comparison was made. */
  readonly marker: string;
}

/**
 * Test programs in C and C++ share a process with the code, and only their exit codes are seen. With another expected value in one of
 * the comparisons that the base makes, the command has to fail: otherwise the code ends the program early, answers for the C library,
 * or reads what it is compared with.
 */
export async function findDeafPrograms(request: AlteredPrograms): Promise<readonly Reason<'fail'>[]> {
  const { base, deciding, first, seed } = request;
  if (first.exitCode !== 0) return [];
  const compared = await comparedValues(request);
  if (compared.length === 0) return [];
  const timeoutMs = 3 * first.durationMs + 10_000;
  const { touched } = await base.bench.run({
    tree: base.dir,
    replace: announcedFiles(compared),
    watch: compared.map(({ marker }) => marker),
    timeoutMs,
  });
  const made = compared.filter(({ marker }) => touched.includes(marker));
  for (const one of chosen(made, seed, first.durationMs)) {
    const isDeaf = async ({ bench, dir }: Place, label: string): Promise<boolean> =>
      isUnmoved(first, await bench.run({ tree: dir, replace: alteredFile(one, seed, label), timeoutMs }));
    if (!(await isDeaf(deciding, 'once')) || !(await isDeaf(deciding, 'again'))) continue;
    if (request.passedBefore && (await isDeaf(base, 'once'))) continue;
    return [reason('tests_cannot_fail', { n: 1 })];
  }
  return [];
}

async function comparedValues({ testFiles, read, seed }: AlteredPrograms): Promise<readonly Compared[]> {
  const token = new Draw(seed, 'programs').hex(12);
  const found: Compared[] = [];
  for (const path of testFiles.filter((one) => languageOf(one) === 'c')) {
    const tree = await parse('c', read(path) ?? '');
    for (const values of tree === null ? [] : comparisonsInC(tree.root))
      if (tree !== null) found.push({ path, tree, values, marker: `${token}-${found.length}` });
  }
  return found;
}

function announcedFiles(compared: readonly Compared[]): ReadonlyMap<string, string> {
  return new Map(
    compared.map(({ path, tree }) => {
      const here = compared.filter((one) => one.path === path);
      const edits = here.flatMap(({ values, marker }) => announced(values, `${WORKSPACE}/${marker}`));
      return [path, applyEdits(tree.text, [announcing(tree.root), ...edits])];
    }),
  );
}

function alteredFile({ path, tree, values, marker }: Compared, seed: string, label: string): Map<string, string> {
  return new Map([[path, applyEdits(tree.text, alteredValues(values, new Draw(seed, `${marker} ${label}`)))]]);
}

const MAX_ALTERED = 8;
const MAX_MS = 60_000;

/** A test that fails ends at the comparison that fails: of each file, the last one that the base makes comes first. */
function chosen(made: readonly Compared[], seed: string, runMs: number): readonly Compared[] {
  const last = made.filter(({ path }, at) => !made.slice(at + 1).some((one) => one.path === path));
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
