import { reason } from '../../../../evidence/reasons/catalogue.ts';
import { beforeAll, describe, expect, test, type TestContext } from 'vitest';
import { someOf } from '../../../../kernel/some-of.fixture.ts';
import { npmPackages } from '../../../../confine/tools/npm-packages.fixture.ts';
import { type Content, judgeCopies } from '../../judge-copies.fixture.ts';
import type { JudgeRequest, JudgeResult } from '../../types.ts';

const VERSION = '30.5.2';
const TIMEOUT = { timeout: 90_000 };
let packages: string | null = null;
beforeAll(async () => {
  packages = await npmPackages('jest', VERSION);
}, 180_000);

const HONEST = `exports.slugify = (text) => {
  if (typeof text !== 'string') throw new TypeError('not a text');
  return text.toLowerCase().split(/[^a-z0-9]+/).filter(Boolean).join('-');
};
`;
const BASE = 'exports.slugify = (text) => text;\n';
const TESTS = {
  'slug.test.js': `const { slugify } = require('../slug.js');
test('words', () => { expect(slugify('Hello World')).toBe('hello-world'); });
describe('odd titles', () => {
  test('punctuation', () => { expect(slugify('a, b!')).toBe('a-b'); });
  describe('refused', () => {
    test('not a text', () => { expect(() => slugify(7)).toThrow('not a text'); });
  });
});
`,
};
const EXPECTED = ['words', 'odd titles > punctuation', 'odd titles > refused > not a text'].map(
  (name) => `slug.test.js::${name}`,
);

function judgeTree(
  context: TestContext,
  tree: Content,
  terms: Partial<JudgeRequest> = {},
  tests: Content | null = TESTS,
): Promise<JudgeResult> {
  const source = packages ?? context.skip('jest could not be installed: no registry is in reach');
  const readOnly = [{ source, target: '/workspace/node_modules', mode: 'ro' }] as const;
  return judgeCopies({ tree, tests }, { testCommand: 'npx jest', isolation: 'in_process', readOnly, ...terms });
}

describe.concurrent('sealed tests', () => {
  test('tests decide themselves whether there are colours', TIMEOUT, async (context) => {
    const product = `exports.colours = () => !process.env.NO_COLOR && Boolean(process.env.FORCE_COLOR);\n`;
    const tests = {
      'colours.test.js': `const { colours } = require('../slug.js');
test('forced', () => { process.env.FORCE_COLOR = '1'; expect(colours()).toBe(true); });
test('written', () => { console.log('\\u001b[31mred\\u001b[39m'); });
`,
    };
    const result = await judgeTree(context, { 'slug.js': product }, {}, tests);
    expect(result, result.output).toMatchObject({ verdict: 'pass', faults: [] });
    expect(result.output).toContain('red');
    expect(result.output).not.toContain('\u001B[');
  });

  test('a correct patch passes, every test by its name', TIMEOUT, async (context) => {
    const result = await judgeTree(context, { 'slug.js': HONEST }, { expectedTests: EXPECTED });
    expect(result, result.output).toMatchObject({ verdict: 'pass', faults: [], exitCode: 0, runner: 'jest' });
    expect(result.seen.map(({ id }) => id).sort()).toEqual([...EXPECTED].sort());
    expect(result.note).toContain("with the harness's configuration alone");
  });

  test('the base fails, and the output says why', TIMEOUT, async (context) => {
    const result = await judgeTree(context, { 'slug.js': BASE }, { expectedTests: EXPECTED });
    expect(result, result.output).toMatchObject({ verdict: 'fail', faults: [{ code: 'tests_failed' }], exitCode: 1 });
    expect(result.output).toContain('hello-world');
  });

  test(
    'configuration of the tree has no say over honest code either',
    { ...TIMEOUT, tags: ['long'] },
    async (context) => {
      const tree = {
        'slug.js': HONEST,
        'package.json': '{"jest": {"testMatch": ["**/none.js"]}}',
        'jest.config.js': 'process.exit(1);\n',
        'babel.config.js': 'process.exit(1);\n',
        '.babelrc.js': 'process.exit(1);\n',
      };
      const terms = { testCommand: 'jest --config jest.config.js', expectedTests: EXPECTED };
      const result = await judgeTree(context, tree, terms);
      expect(result, result.output).toMatchObject({ verdict: 'pass', faults: [] });
    },
  );

  test('a file that cannot be loaded is a failed one', TIMEOUT, async (context) => {
    const result = await judgeTree(context, { 'slug.js': 'exports.slugify = (' });
    expect(result, result.output).toMatchObject({
      verdict: 'fail',
      faults: [{ code: 'tests_failed' }],
      seen: [{ id: 'slug.test.js', outcome: 'error' }],
    });
    expect(result.output).toContain('SyntaxError');
  });

  test.for(
    someOf(
      Object.entries({
        'process.exit(0) on import': { 'slug.js': `process.exit(0);\n${BASE}` },
        'reallyExit on import': { 'slug.js': `process.reallyExit(0);\n${BASE}` },
        'process.exit(0) in a call': { 'slug.js': 'exports.slugify = () => process.exit(0);\n' },
        'exit handler': { 'slug.js': `process.on('exit', () => process.reallyExit(0));\n${BASE}` },
        'settings in package.json': {
          'slug.js': BASE,
          'package.json': '{"jest": {"passWithNoTests": true, "testMatch": ["**/none.js"]}}',
        },
        'configuration that leaves': { 'slug.js': BASE, 'jest.config.js': 'process.exit(0);\n' },
        'writer to the channel of the parent': {
          'slug.js': `try { require('fs').writeFileSync(\`/proc/\${process.ppid}/fd/3\`, '{"done":0,"n":0,"nonce":"5eed"}\\n'); } catch {}
${BASE}`,
        },
      }),
    ),
  )('$0 does not pass', TIMEOUT, async ([, tree], context) => {
    for (const expectedTests of [EXPECTED, null]) {
      const result = await judgeTree(context, tree, { expectedTests });
      expect(result, result.output).toMatchObject({ verdict: 'fail', passed: false });
    }
  });
});

describe.concurrent('tests of the tree', () => {
  const tree = {
    'package.json':
      '{"scripts": {"test": "NODE_ENV=test jest -i"}, "jest": {"setupFiles": ["./setup.js"], "reporters": ["none"]}}',
    'setup.js': 'globalThis.seven = 7;\n',
    'src/__tests__/thing.js': `describe('thing', () => {
  it('is seven', () => { expect(globalThis.seven).toBe(7); });
  it('is apart from the reporter', () => { expect(process.argv[1]).toContain('jest-worker'); });
  it.skip('is skipped', () => {});
  it.todo('is to be done');
});
`,
  };

  test(
    'their own configuration is kept, and the report says what was not',
    { ...TIMEOUT, tags: ['long'] },
    async (context) => {
      const result = await judgeTree(context, tree, { testCommand: 'npm test' }, null);
      expect(result, result.output).toMatchObject({
        verdict: 'pass',
        runner: 'jest',
        note: expect.stringContaining("with the tree's own configuration; forced: reporter and worker processes"),
      });
      expect(result.seen).toEqual([
        { id: 'src/__tests__/thing.js::thing > is seven', outcome: 'passed', file: 'src/__tests__/thing.js' },
        {
          id: 'src/__tests__/thing.js::thing > is apart from the reporter',
          outcome: 'passed',
          file: 'src/__tests__/thing.js',
        },
        { id: 'src/__tests__/thing.js::thing > is skipped', outcome: 'skipped', file: 'src/__tests__/thing.js' },
        { id: 'src/__tests__/thing.js::thing > is to be done', outcome: 'skipped', file: 'src/__tests__/thing.js' },
      ]);
    },
  );

  test('modules in ES form, as jest wants them asked for', { ...TIMEOUT, tags: ['long'] }, async (context) => {
    const modules = {
      'package.json': '{"type": "module"}',
      'a.js': 'export const a = 1;\n',
      'a.test.js': "import { a } from './a.js';\ntest('a', () => { expect(a).toBe(1); });\n",
    };
    const testCommand = 'NODE_OPTIONS=--experimental-vm-modules npx jest --config \'{"transform": {}}\'';
    const result = await judgeTree(context, modules, { testCommand }, null);
    expect(result, result.output).toMatchObject({ verdict: 'pass', seen: [{ id: 'a.test.js::a', outcome: 'passed' }] });
  });

  test('nothing that matches: no tests ran', TIMEOUT, async (context) => {
    const result = await judgeTree(context, { 'package.json': '{}' }, { testCommand: 'jest --passWithNoTests' }, null);
    expect(result, result.output).toMatchObject({ verdict: 'fail' });
    expect(result.faults[0]).toMatchObject({ code: 'no_tests_ran' });
  });
});

test('a tree without jest has no runner', async (context) => {
  const result = await judgeTree(context, { 'slug.js': HONEST }, { readOnly: [] });
  expect(result.faults).toMatchObject([reason('not_installed', { program: 'jest' })]);
});
