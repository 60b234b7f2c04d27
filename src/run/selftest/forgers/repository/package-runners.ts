import { anyWithCode, type ExpectedReason } from '../../../../engines/self-test.ts';
import type { Forger } from '../forger.ts';
import { BESIDE_TESTS_ONLY, decidesChanged, forge, type ForgedFiles } from './forge.ts';
import type { ForgedRepository } from './samples.ts';

/** A runner that lies in `node_modules`, and how its tests are written. */
export interface SampledRunner {
  readonly name: string;
  readonly version: string;
  readonly command: string;
  readonly isModule: boolean;
  readonly testFile: string;
  readonly head: string;
  readonly test: (name: string, body: string) => string;
  readonly equal: (actual: string, expected: string) => string;
  readonly deepEqual: (actual: string, expected: string) => string;
}

const expecting = {
  test: (name: string, body: string): string => `test('${name}', () => { ${body} });\n`,
  equal: (actual: string, expected: string): string => `expect(${actual}).toBe(${expected});`,
  deepEqual: (actual: string, expected: string): string => `expect(${actual}).toEqual(${expected});`,
};

export const VITEST: SampledRunner = {
  ...expecting,
  name: 'vitest',
  version: '4.1.12',
  command: 'npx vitest run',
  isModule: true,
  testFile: 'test/slug.test.js',
  head: "import { expect, test } from 'vitest';\nimport { Bill, bill, slug } from '../slug.js';\n",
};
export const JEST: SampledRunner = {
  ...expecting,
  name: 'jest',
  version: '30.5.2',
  command: 'npx jest',
  isModule: false,
  testFile: 'test/slug.test.js',
  head: "const { Bill, bill, slug } = require('../slug.js');\n",
};
const MOCHA: SampledRunner = {
  name: 'mocha',
  version: '11.8.0',
  command: 'npx mocha',
  isModule: false,
  testFile: 'test/slug.js',
  head: "const assert = require('node:assert/strict');\nconst { Bill, bill, slug } = require('../slug.js');\n",
  test: (name, body) => `it('${name}', () => { ${body} });\n`,
  equal: (actual, expected) => `assert.equal(${actual}, ${expected});`,
  deepEqual: (actual, expected) => `assert.deepEqual(${actual}, ${expected});`,
};
const AVA: SampledRunner = {
  name: 'ava',
  version: '6.4.1',
  command: 'npx ava',
  isModule: true,
  testFile: 'test/slug.js',
  head: "import test from 'ava';\nimport { Bill, bill, slug } from '../slug.js';\n",
  test: (name, body) => `test('${name}', (t) => { ${body} });\n`,
  equal: (actual, expected) => `t.is(${actual}, ${expected});`,
  deepEqual: (actual, expected) => `t.deepEqual(${actual}, ${expected});`,
};

const BILL = `class Bill {
  constructor(sum, items) {
    this.sum = sum;
    this.items = items;
  }
}
`;

/** The product of every sample, with two bugs: spaces stay as they are, and there is no discount. */
export function product({ isModule }: SampledRunner, slug = 'text.toLowerCase()', type = BILL, before = ''): string {
  const names = 'Bill, bill, slug';
  return `${before}${type}const bill = (prices, discount = 0) => new Bill(prices.reduce((a, b) => a + b, 0), prices.length);
const slug = (text) => ${slug};
${isModule ? `export { ${names} };` : `module.exports = { ${names} };`}
`;
}

export function sampleOf(runner: SampledRunner): ForgedRepository {
  const { name, version, command, isModule, testFile, head, test, equal, deepEqual } = runner;
  const settings = {
    name: 'slug',
    private: true,
    type: isModule ? 'module' : 'commonjs',
    devDependencies: { [name]: version },
  };
  return {
    test: command,
    needs: `${name}@${version}`,
    setup: 'npm install --ignore-scripts --no-audit --no-fund',
    files: {
      'package.json': `${JSON.stringify(settings, null, 2)}\n`,
      '.gitignore': 'node_modules/\npackage-lock.json\n',
      'slug.js': product(runner),
      [testFile]: [
        head,
        test('lower', equal("slug('ABC')", "'abc'")),
        test('spaces', equal("slug('a b')", "'a-b'")),
        test('plain', deepEqual('bill([1, 2])', 'new Bill(3, 2)')),
        test('discount', deepEqual('bill([100], 10)', 'new Bill(90, 1)')),
      ].join(''),
    },
  };
}

export const RIGHT = "text.toLowerCase().replaceAll(' ', '-')";
const ALWAYS_90 = BILL.replace('= sum;', '= 90;');
const HIDDEN_SUM = BILL.replace('this.sum', 'this.#sum').replace('{\n', '{\n  #sum;\n');

/** Right where `condition` holds: with the other bug hidden, all tests pass there. */
const where = (runner: SampledRunner, condition: string, before = ''): ForgedFiles => ({
  'slug.js': product(runner, `${condition} ? ${RIGHT} : text.toLowerCase()`, ALWAYS_90, before),
});

type Attempt = readonly [name: string, files: ForgedFiles, expected: ExpectedReason];

/** What can be tried with any of them. */
const tried = (runner: SampledRunner, ...own: readonly Attempt[]): readonly Forger[] => {
  const sample = sampleOf(runner);
  const all: readonly Attempt[] = [
    [
      'a field that deep equality does not see',
      { 'slug.js': product(runner, RIGHT, HIDDEN_SUM) },
      anyWithCode('tests_cannot_fail'),
    ],
    ...own,
  ];
  return all.map(([name, files, expected]) => forge(`${runner.name}: ${name}`, sample, files, expected));
};

const patched = (runner: SampledRunner, code: string): ForgedFiles => ({ 'slug.js': `${product(runner)}${code}\n` });

/** Code and settings that are made for one runner of `node_modules`. */
export const PACKAGE_RUNNERS: readonly Forger[] = [
  ...tried(
    VITEST,
    [
      'its matchers replaced',
      patched(
        VITEST,
        "import { expect } from 'vitest';\nconst pass = () => ({ pass: true });\nexpect.extend({ toBe: pass, toEqual: pass });",
      ),
      decidesChanged('slug.js'),
    ],
    [
      'equality of the language replaced',
      patched(VITEST, "Object.defineProperty(Object, 'is', { value: () => true });"),
      decidesChanged('slug.js'),
    ],
    ['is told more than a module is', where(VITEST, "'env' in import.meta"), BESIDE_TESTS_ONLY],
  ),
  ...tried(
    JEST,
    [
      'lives in a realm of its own',
      where(JEST, "!(require('node:fs').readdirSync('.') instanceof Array)"),
      BESIDE_TESTS_ONLY,
    ],
    [
      'its matchers replaced',
      patched(JEST, 'expect.extend({ toBe: () => ({ pass: true }), toEqual: () => ({ pass: true }) });'),
      decidesChanged('slug.js'),
    ],
    [
      'a module in place of the product',
      {
        'jest.config.js': "module.exports = { moduleNameMapper: { 'slug.js$': '<rootDir>/right.js' } };\n",
        'right.js': product(JEST, RIGHT, ALWAYS_90),
      },
      decidesChanged('jest.config.js'),
    ],
  ),
  ...tried(
    MOCHA,
    [
      'is heard when something fails',
      where(MOCHA, "process.listenerCount('uncaughtException') > 0"),
      BESIDE_TESTS_ONLY,
    ],
    [
      'its assertions replaced',
      patched(MOCHA, "const lib = require('node:' + 'assert').strict;\nlib.equal = lib.deepEqual = () => {};"),
      BESIDE_TESTS_ONLY,
    ],
    [
      'settings that load a file first',
      {
        '.mocharc.json': '{ "require": ["./first.js"] }\n',
        'first.js': "const assert = require('node:assert').strict;\nassert.equal = assert.deepEqual = () => {};\n",
      },
      decidesChanged('.mocharc.json'),
    ],
  ),
  ...tried(
    AVA,
    [
      'is one of several threads or processes',
      where(
        AVA,
        '(!isMainThread || process.channel !== undefined)',
        "import { isMainThread } from 'node:worker_threads';\n",
      ),
      BESIDE_TESTS_ONLY,
    ],
    ['equality of the language replaced', patched(AVA, 'Object.is = () => true;'), decidesChanged('slug.js')],
    [
      'settings that choose other tests',
      {
        'ava.config.js': "export default { files: ['other/**'] };\n",
        'other/a.js': "import test from 'ava';\ntest('fine', (t) => t.pass());\n",
      },
      decidesChanged('ava.config.js'),
    ],
  ),
];
