import { reason } from '../../../../evidence/reasons/catalogue.ts';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { someOf } from '../../../../kernel/some-of.fixture.ts';
import { type Content, judgeCopies } from '../../judge-copies.fixture.ts';
import type { JudgeRequest, JudgeResult } from '../../types.ts';

const TIMEOUT = { timeout: 90_000 };
const provisioned = {
  source: fileURLToPath(new URL('../../../../../node_modules', import.meta.url)),
  target: '/workspace/node_modules',
  mode: 'ro',
} as const;

const HONEST = `export const slugify = (text) => {
  if (typeof text !== 'string') throw new TypeError('not a text');
  return text.toLowerCase().split(/[^a-z0-9]+/).filter(Boolean).join('-');
};
`;
const BASE = 'export const slugify = (text) => text;\n';
const TESTS = {
  'slug.test.ts': `import { expect, describe, test } from 'vitest';
import { slugify } from '../slug.mjs';
const sample: string = 'Hello World';
test('words', () => { expect(slugify(sample)).toBe('hello-world'); });
describe('odd titles', () => {
  test('punctuation', () => { expect(slugify('a, b!')).toBe('a-b'); });
  describe('refused', () => {
    test('not a text', () => { expect(() => slugify(7)).toThrow(TypeError); });
  });
});
`,
};
const EXPECTED = ['words', 'odd titles > punctuation', 'odd titles > refused > not a text'].map(
  (name) => `slug.test.ts::${name}`,
);

function judgeTree(
  tree: Content,
  terms: Partial<JudgeRequest> = {},
  tests: Content | null = TESTS,
): Promise<JudgeResult> {
  return judgeCopies(
    { tree, tests },
    { testCommand: 'vitest run', isolation: 'in_process', readOnly: [provisioned], ...terms },
  );
}

describe.concurrent('sealed tests', () => {
  test('a correct patch passes, every test by its name', TIMEOUT, async () => {
    const result = await judgeTree({ 'slug.mjs': HONEST }, { expectedTests: EXPECTED });
    expect(result, result.output).toMatchObject({ verdict: 'pass', faults: [], exitCode: 0, runner: 'vitest' });
    expect(result.seen.map(({ id }) => id).sort()).toEqual([...EXPECTED].sort());
    expect(result.note).toContain("with the harness's configuration alone");
    expect(result.toolchain.map(({ name }) => name)).toEqual(['node', 'vitest']);
  });

  test('an error that belongs to no test is named, and the runner fails for it', TIMEOUT, async () => {
    const late = "setTimeout(() => { Promise.reject(new RangeError('too late')); });\n";
    const result = await judgeTree({ 'slug.mjs': `${late}${HONEST}` }, { expectedTests: EXPECTED });
    expect(result, result.output).toMatchObject({
      verdict: 'fail',
      faults: [{ code: 'runner_exit_code' }],
      runnerErrors: ['Unhandled Rejection: RangeError: too late'],
    });
  });

  test('the base fails, and the output says why', TIMEOUT, async () => {
    const result = await judgeTree({ 'slug.mjs': BASE }, { expectedTests: EXPECTED });
    expect(result).toMatchObject({ verdict: 'fail', faults: [{ code: 'tests_failed' }], exitCode: 1 });
    expect(result.output).toContain("expected 'Hello World' to be 'hello-world'");
  });

  test('configuration of the tree has no say over honest code either', TIMEOUT, async () => {
    const tree = {
      'slug.mjs': HONEST,
      'vitest.config.mjs': 'process.exit(1);\n',
      'vite.config.mjs': 'process.exit(1);\n',
      'postcss.config.cjs': 'process.exit(1);\n',
    };
    const result = await judgeTree(tree, {
      testCommand: 'vitest run --config vite.config.mjs',
      expectedTests: EXPECTED,
    });
    expect(result, result.output).toMatchObject({ verdict: 'pass', faults: [] });
  });

  test('a file that cannot be loaded is a failed one', TIMEOUT, async () => {
    const result = await judgeTree({ 'slug.mjs': 'export const slugify = (' });
    expect(result).toMatchObject({ verdict: 'fail', seen: [{ id: 'slug.test.ts', outcome: 'error' }] });
    expect(result.faults[0]).toMatchObject({ code: 'tests_failed' });
    expect(result.output).toContain('invalid JS syntax');
  });

  test.for(
    someOf(
      Object.entries({
        'process.exit(0) on import': { 'slug.mjs': `process.exit(0);\n${BASE}` },
        'reallyExit on import': { 'slug.mjs': `process.reallyExit(0);\n${BASE}` },
        'process.exit(0) in a call': { 'slug.mjs': 'export const slugify = () => process.exit(0);\n' },
        'exit handler': { 'slug.mjs': `process.on('exit', () => process.reallyExit(0));\n${BASE}` },
        'configuration without tests': {
          'slug.mjs': BASE,
          'vitest.config.mjs': "export default { test: { include: ['none'], passWithNoTests: true } };\n",
        },
        'configuration that leaves': { 'slug.mjs': BASE, 'vite.config.mjs': 'process.exit(0);\n' },
        'postcss configuration that leaves': { 'slug.mjs': BASE, 'postcss.config.cjs': 'process.exit(0);\n' },
        'writer to the channel of the parent': {
          'slug.mjs': `import { writeFileSync } from 'node:fs';
try { writeFileSync(\`/proc/\${process.ppid}/fd/3\`, '{"done":0,"n":0,"nonce":"5eed"}\\n'); } catch {}
${BASE}`,
        },
      }),
    ),
  )('$0 does not pass', TIMEOUT, async ([, tree]) => {
    for (const expectedTests of [EXPECTED, null]) {
      const result = await judgeTree(tree, { expectedTests });
      expect(result, result.output).toMatchObject({ verdict: 'fail', passed: false });
    }
  });

  test('npm settings and false programs of the tree have no say', TIMEOUT, async () => {
    const result = await judgeTree(
      {
        'slug.mjs': BASE,
        '.npmrc': 'script-shell=/bin/true\nnode-options=--require=./evil.cjs\n',
        'evil.cjs': 'process.exit(0);\n',
        'package.json': '{"scripts": {"test": "vitest run --passWithNoTests"}}',
      },
      { testCommand: 'npm test', expectedTests: EXPECTED },
    );
    expect(result, result.output).toMatchObject({
      verdict: 'fail',
      faults: [{ code: 'tests_failed' }],
      runner: 'vitest',
    });
  });
});

describe.concurrent('tests of the tree', () => {
  const tree = {
    'package.json': '{"type": "module"}',
    'vitest.config.ts': `import { defineConfig } from 'vitest/config';
export default defineConfig({
  resolve: { alias: { thing: new URL('./src/thing.ts', import.meta.url).pathname } },
  test: { globals: true, pool: 'threads', reporters: ['verbose'], include: ['spec/**/*.ts'] },
});
`,
    'src/thing.ts': 'export const thing: number = 7;\n',
    'spec/thing.ts': `import { isMainThread } from 'node:worker_threads';
import { thing } from 'thing';
describe('thing', () => {
  it('is seven', () => { expect(thing).toBe(7); });
  it('is apart from the reporter', () => { expect(isMainThread).toBe(true); });
  it.skip('is skipped', () => {});
  it.todo('is to be done');
});
`,
  };

  test('their own configuration is kept, and the report says what was not', TIMEOUT, async () => {
    const result = await judgeTree(tree, { testCommand: 'npx vitest run' }, null);
    expect(result, result.output).toMatchObject({
      verdict: 'pass',
      note: expect.stringContaining("with the tree's own configuration; forced: reporter and forked workers"),
    });
    expect(result.seen).toEqual([
      { id: 'spec/thing.ts::thing > is seven', outcome: 'passed', file: 'spec/thing.ts' },
      { id: 'spec/thing.ts::thing > is apart from the reporter', outcome: 'passed', file: 'spec/thing.ts' },
      { id: 'spec/thing.ts::thing > is skipped', outcome: 'skipped', file: 'spec/thing.ts' },
      { id: 'spec/thing.ts::thing > is to be done', outcome: 'skipped', file: 'spec/thing.ts' },
    ]);
  });

  test('words of the command select among them', TIMEOUT, async () => {
    const two = { ...tree, 'spec/other.ts': "it('fails', () => { expect(1).toBe(2); });\n" };
    const one = await judgeTree(two, { testCommand: 'vitest run thing -t seven --reporter dot' }, null);
    expect(one, one.output).toMatchObject({ verdict: 'pass' });
    const both = await judgeTree(two, {}, null);
    expect(both, both.output).toMatchObject({ verdict: 'fail', faults: [{ code: 'tests_failed' }] });
  });

  test('an error that no test caught fails', TIMEOUT, async () => {
    const stray = {
      'a.test.mjs': "import { test } from 'vitest';\ntest('a', () => { Promise.reject(new Error('stray')); });\n",
    };
    const result = await judgeTree(stray, {}, null);
    expect(result, result.output).toMatchObject({ verdict: 'fail', exitCode: 1 });
    expect(result.output).toContain('stray');
  });

  test('nothing that matches: no tests ran', TIMEOUT, async () => {
    const result = await judgeTree({ 'a.mjs': '' }, { testCommand: 'vitest run --passWithNoTests' }, null);
    expect(result, result.output).toMatchObject({ verdict: 'fail' });
    expect(result.faults[0]).toMatchObject({ code: 'no_tests_ran' });
  });
});

test('a tree without vitest has no runner', async () => {
  const result = await judgeTree({ 'slug.mjs': HONEST }, { readOnly: [] });
  expect(result).toMatchObject({
    verdict: 'blocked',
    faults: [reason('not_installed', { program: 'vitest' })],
  });
});

test('an old vitest is refused with what to do', async () => {
  const old = { 'node_modules/vitest/package.json': '{"version": "1.6.0"}', 'node_modules/vitest/vitest.mjs': '' };
  const result = await judgeTree(old, { readOnly: [] });
  expect(result).toMatchObject({
    verdict: 'blocked',
    faults: [{ text: expect.stringContaining('vitest 1.6.0 is too old') }],
  });
});

test.each(['vitest run', 'jest', 'go test ./...', 'cargo test'])(
  '%s in a black box is refused, not weakened',
  async (testCommand) => {
    const result = await judgeTree({ 'slug.mjs': HONEST }, { testCommand, isolation: 'black_box' });
    expect(result).toMatchObject({
      verdict: 'blocked',
      isolation: 'black_box',
      faults: [{ text: expect.stringContaining('black box judging is not possible') }],
    });
  },
);
