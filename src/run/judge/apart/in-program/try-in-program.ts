import type { TestBench } from '../../base/bench.ts';
import { dirOfTest, locateTest } from '../../must-fail/locate/locate.ts';
import { TestSources } from '../../must-fail/locate/site.ts';
import { type ApartRequest, type ApartVerdict, blameTests, NOT_TRIED_APART } from '../apart-verdict.ts';
import type { ApartForm, PlainTest } from '../forms/form.ts';
import { hasOtherForm } from '../forms/forms.ts';
import type { Trial } from '../kept/trial.ts';
import type { ApartTree } from '../run-apart.ts';
import { javascriptProgram } from './javascript.ts';
import { pythonProgram } from './python.ts';
import { hasUsualSurroundings } from '../usual-surroundings.ts';
import { asserted } from './tokens.ts';

type MakeProgram = (
  tests: readonly PlainTest[],
  files: ApartTree,
  base: ApartTree,
  often: boolean,
) => ApartForm | null | Promise<ApartForm | null>;

/** By the runner's name. */
const PROGRAMS: Readonly<Record<string, MakeProgram>> = {
  pytest: pythonProgram,
  unittest: pythonProgram,
  'node-test': javascriptProgram('node-test'),
  vitest: javascriptProgram('vitest'),
  jest: javascriptProgram('jest'),
  mocha: javascriptProgram('mocha'),
  ava: javascriptProgram('ava'),
};

const MAX_TESTS = 40;
/** Enough to see whether tests of this repository can run this way at all. */
const MAX_CALIBRATING = 10;

/** `asserted`: an assertion of the test itself failed. Missing: the program cannot run the test. */
type Outcomes = ReadonlyMap<string, 'passed' | 'failed' | 'asserted'>;

/**
 * Runs fixed tests as functions of an ordinary program, in one process with the code: for tests that do more than call and compare, so
 * that test and code cannot be separated. Code that looks for its runner, or for the judge's sandbox, finds neither.
 */
export async function tryInProgram(request: ApartRequest, ids: readonly string[]): Promise<ApartVerdict> {
  const { record, bench, baseBench, deciding, base, kept } = request;
  const make = programMaker(record.runner);
  if (make === null) return NOT_TRIED_APART;
  if (hasOtherForm(record.runner) && !hasUsualSurroundings(record.runner, record.test_command, base))
    return NOT_TRIED_APART;
  const tests = await located(request, ids.slice(0, MAX_TESTS));
  const first = await runProgram(make, bench, deciding, base, tests);
  const passed = tests.filter(({ id }) => first.get(id) === 'passed').map(({ id }) => id);
  const doubtful = tests.filter(({ id }) => isFailing(first, id));
  if (doubtful.length === 0) return { passed, faults: [] };
  const again = await runProgram(make, bench, deciding, base, doubtful);
  const calibrating = nearest(await located(request, kept.slice(0, 50)), doubtful);
  const onBase = await runProgram(make, baseBench, base, base, [...doubtful, ...calibrating]);
  const blamed = doubtful.filter(({ id, file }) => {
    if (![again, onBase].every((outcomes) => isFailing(outcomes, id))) return false;
    const near = calibrating.filter((one) => one.file === file);
    const shown = near.length > 0 ? near : calibrating;
    const works = ({ id: other }: PlainTest): boolean => onBase.get(other) === 'passed';
    // If its own assertion fails, the test ran up to there.
    const isCertain = [first, again, onBase].every((outcomes) => outcomes.get(id) === 'asserted');
    return isCertain ? shown.length === 0 || shown.some(works) : shown.length > 0 && shown.every(works);
  });
  return { passed, faults: blameTests(blamed) };
}

const programMaker = (runner: string): MakeProgram | null =>
  Object.hasOwn(PROGRAMS, runner) ? (PROGRAMS[runner] ?? null) : null;

/** These tests as functions of a program that is not run for long. Null: there is no such program for this runner. */
export async function programTrial(request: ApartRequest, ids: readonly string[]): Promise<Trial | null> {
  const make = programMaker(request.record.runner);
  if (make === null) return null;
  return {
    tests: await located(request, ids.slice(0, MAX_TESTS)),
    run: (bench, tree, tests) => runProgram(make, bench, tree, request.base, tests, false),
    silenceFails: false,
  };
}

/** The test asks about its process, which differs in another program. */
const ASKS_ABOUT_PROCESS =
  /\b(?:sys\.(?:_*std\w+|argv|modules|exc_info|_getframe|settrace)|traceback|inspect|isatty|isTTY|process\.(?:argv|stdout|stderr|stdin)|require\.(?:main|cache)|captureStackTrace|process\.env|environ|getenv|import\.meta\.(?:url|filename)|__filename)\b|COLOR/;

const isFailing = (outcomes: Outcomes, id: string): boolean =>
  outcomes.get(id) === 'failed' || outcomes.get(id) === 'asserted';

/** Tests whose source was found, in the directory that the runner starts in. */
async function located(
  { record: { runner }, deciding, fileOf }: ApartRequest,
  ids: readonly string[],
): Promise<readonly PlainTest[]> {
  const sources = new TestSources(deciding);
  const found: PlainTest[] = [];
  for (const id of ids) {
    // The name goes through a shell.
    if (/\p{Cc}/u.test(id) || dirOfTest(runner, id, fileOf(id)) !== '') continue;
    const { site } = await locateTest(runner, id, sources);
    if (site === null || ASKS_ABOUT_PROCESS.test(deciding.read(site.path)?.slice(site.start, site.end) ?? '')) continue;
    found.push({ id, file: site.path });
  }
  return found;
}

/** Tests of the same files come first. */
function nearest(kept: readonly PlainTest[], doubtful: readonly PlainTest[]): readonly PlainTest[] {
  const files = new Set(doubtful.map(({ file }) => file));
  const near = kept.filter(({ file }) => files.has(file));
  return [...near, ...kept.filter((test) => !near.includes(test))].slice(0, MAX_CALIBRATING);
}

async function runProgram(
  make: MakeProgram,
  bench: Pick<TestBench, 'run'>,
  tree: ApartTree,
  base: ApartTree,
  tests: readonly PlainTest[],
  often = true,
): Promise<Outcomes> {
  const form = tests.length === 0 ? null : await make(tests, tree, base, often);
  if (form === null) return new Map();
  const { command, replace, remove, installed = false } = form;
  const byHand = { packages: true, installed };
  const run = { tree: tree.dir, command, plain: true, replace, remove, byHand } as const;
  const seen = new Map((await bench.run(run)).seen.map(({ id, outcome }) => [id, outcome]));
  const outcomes = new Map<string, 'passed' | 'failed' | 'asserted'>();
  for (const test of tests) {
    const outcome = seen.get(test.id);
    if (outcome === 'passed') outcomes.set(test.id, 'passed');
    else if (outcome !== undefined)
      outcomes.set(test.id, seen.get(asserted(test).id) === 'passed' ? 'asserted' : 'failed');
  }
  return outcomes;
}
