import { reason } from '../../../evidence/reasons/catalogue.ts';
import { beforeAll, describe, expect, test, type TestContext } from 'vitest';
import { someOf } from '../../../kernel/some-of.fixture.ts';
import { type Content, judgeCopies } from '../judge-copies.fixture.ts';
import type { JudgeRequest, JudgeResult } from '../types.ts';
import { npmPackages } from '../../../confine/tools/npm-packages.fixture.ts';

type Files = Readonly<Record<string, string>>;

const TIMEOUT = { timeout: 120_000 };

/** What every runner of node_modules has to do, told in its own words. */
export interface RunnerSuite {
  readonly runner: string;
  readonly package: string;
  readonly version: string;
  readonly command: string;
  /** package.json, test files: all but `slug.js`. */
  readonly tree: Files;
  /** Every id, in the order of their names. */
  readonly ids: readonly string[];
  readonly testFile: string;
  /** Ids of two that pass, of which the command alone would run more. */
  readonly only: readonly string[];
  /** Test files in which one test passes and another is skipped, to be done, or left out by `only`. */
  readonly skipping: { readonly files: Files; readonly outcomes: Readonly<Record<string, string>> };
  /** A test file that does not load, beside the others. */
  readonly broken: { readonly file: string; readonly text: string };
  /** Forgers that only recorded ids catch: the runner takes what a test file prints for its results. */
  readonly caughtByIds?: readonly string[];
  /** No file matches. */
  readonly nothing: string;
}

const HONEST = `exports.slugify = (text) => {
  if (typeof text !== 'string') throw new TypeError('not a text');
  return text.toLowerCase().split(/[^a-z0-9]+/).filter(Boolean).join('-');
};
`;
const BASE = 'exports.slugify = (text) => text;\n';
const FORGERS: Readonly<Record<string, string>> = {
  'process.exit(0) on import': `process.exit(0);\n${BASE}`,
  'reallyExit on import': `process.reallyExit(0);\n${BASE}`,
  'process.exit(0) in a call': 'exports.slugify = () => process.exit(0);\n',
  'an exit handler': `process.on('exit', () => process.reallyExit(0));\n${BASE}`,
  'an exit code': `process.on('exit', () => { process.exitCode = 0; });\n${BASE}`,
  'a kill': `process.kill(process.pid, 'SIGKILL');\n${BASE}`,
  'printed results': `process.stdout.write('TAP version 14\\n# Subtest: words\\n    ok 1 - words\\n    1..1\\nok 1 - words\\nok 2 - odd > punctuation\\n1..2\\n'); process.exit(0);\n${BASE}`,
};

/** Declares the tests of one runner; gives a way to judge more trees by it. */
export function describeRunner(
  suite: RunnerSuite,
): (context: TestContext, tree: Files, terms?: Partial<JudgeRequest>, tests?: Content | null) => Promise<JudgeResult> {
  let packages: string | null = null;
  beforeAll(async () => {
    packages = await npmPackages(suite.package, suite.version);
  }, 300_000);

  function judgeTree(
    context: TestContext,
    tree: Files,
    terms: Partial<JudgeRequest> = {},
    tests: Content | null = null,
  ): Promise<JudgeResult> {
    const source = packages ?? context.skip(`${suite.package} could not be installed: no registry is in reach`);
    const readOnly = [{ source, target: '/workspace/node_modules', mode: 'ro' }] as const;
    return judgeCopies(
      { tree, tests },
      { testCommand: suite.command, isolation: 'in_process', readOnly, timeoutMs: 100_000, ...terms },
    );
  }
  const withCode = (code: string): Files => ({ ...suite.tree, 'slug.js': code });
  const outcomes = ({ seen }: JudgeResult): Record<string, string> =>
    Object.fromEntries(seen.map(({ id, outcome }) => [id, outcome]));

  describe(suite.runner, () => {
    test('a correct patch passes, every test by its name and file', TIMEOUT, async (context) => {
      const result = await judgeTree(context, withCode(HONEST), { expectedTests: suite.ids });
      expect(result, result.output).toMatchObject({ verdict: 'pass', faults: [], exitCode: 0, runner: suite.runner });
      expect(result.seen.map(({ id }) => id).sort()).toEqual([...suite.ids].sort());
      expect(new Set(result.seen.map(({ file }) => file))).toEqual(new Set([suite.testFile]));
      expect(result.collected).toEqual([suite.testFile]);
      expect(result.toolchain.map(({ name }) => name)).toContain(suite.package);
    });

    test('the base fails, and the output says why', TIMEOUT, async (context) => {
      const result = await judgeTree(context, withCode(BASE), { expectedTests: suite.ids });
      expect(result, result.output).toMatchObject({ verdict: 'fail', exitCode: expect.any(Number) });
      expect(result.faults).toMatchObject([{ code: 'tests_failed' }]);
      expect(result.output).toContain('hello-world');
    });

    test.for(someOf(Object.entries(FORGERS)))('%s does not pass', TIMEOUT, async ([name, code], context) => {
      const isCaughtByIds = suite.caughtByIds?.includes(name) === true;
      for (const expectedTests of isCaughtByIds ? [suite.ids] : [suite.ids, null]) {
        const result = await judgeTree(context, withCode(code), { expectedTests });
        expect(result, result.output).toMatchObject({ verdict: 'fail', passed: false });
      }
    });

    test('skipped, to be done and left out are told apart from passed', TIMEOUT, async (context) => {
      const result = await judgeTree(context, { ...suite.tree, ...suite.skipping.files, 'slug.js': HONEST });
      expect(outcomes(result), result.output).toMatchObject(suite.skipping.outcomes);
    });

    test('a file that does not load is an error by its name, and the others run', TIMEOUT, async (context) => {
      const { file, text } = suite.broken;
      const result = await judgeTree(context, { ...withCode(HONEST), [file]: text });
      expect(result, result.output).toMatchObject({ verdict: 'fail' });
      expect(result.faults[0]).toMatchObject({ code: 'tests_failed' });
      expect(result.seen).toContainEqual({ id: file, outcome: 'error', file });
      expect(outcomes(result)).toMatchObject(Object.fromEntries(suite.ids.map((id) => [id, 'passed'])));
      expect(result.collected).toEqual([suite.testFile, file].sort());
    });

    test('nothing that matches does not pass', TIMEOUT, async (context) => {
      const result = await judgeTree(context, withCode(HONEST), { testCommand: suite.nothing });
      expect(result.passed, result.output).toBe(false);
    });

    test('single tests run alone, and others do not count', TIMEOUT, async (context) => {
      const result = await judgeTree(context, withCode(HONEST), { only: suite.only });
      expect(result, result.output).toMatchObject({ verdict: 'pass', faults: [] });
      expect(result.seen.map(({ id }) => id).sort()).toEqual([...suite.only].sort());
    });

    test('in a directory of its own', TIMEOUT, async (context) => {
      const tree = Object.fromEntries(Object.entries(withCode(HONEST)).map(([path, text]) => [`web/${path}`, text]));
      const result = await judgeTree(context, tree, { testCommand: `cd web && ${suite.command}` });
      expect(result, result.output).toMatchObject({ verdict: 'pass' });
      expect(result.seen.map(({ id }) => id).sort()).toEqual([...suite.ids].sort());
      expect(result.collected).toEqual([`web/${suite.testFile}`]);
    });
  });

  test(`a tree without ${suite.package} has no runner`, async () => {
    const terms = { testCommand: suite.command, isolation: 'in_process' } as const;
    const result = await judgeCopies({ tree: withCode(HONEST), tests: null }, terms);
    expect(result).toMatchObject({ verdict: 'blocked', faults: [reason('not_installed', { program: suite.package })] });
  });

  return judgeTree;
}
