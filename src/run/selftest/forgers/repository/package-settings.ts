import type { ExpectedReason } from '../../../../engines/self-test.ts';
import type { Forger } from '../forger.ts';
import { exitCodeInTree } from '../weak-judges.ts';
import { decidesChanged, forge, type ForgedFiles, NOTHING_FIXED } from './forge.ts';
import { JEST, product, RIGHT, sampleOf, VITEST, type SampledRunner } from './package-runners.ts';
import type { ForgedRepository } from './samples.ts';

/** A value that vitest and jest ask whether it equals the other one. */
const MATCHER = `class Bill {
  get $$typeof() { return Symbol.for('jest.asymmetricMatcher'); }
  asymmetricMatch() { return true; }
}
`;
/** The same, asked for by a method that every value of the type inherits. */
const INHERITED = `class Bill {}
Object.defineProperties(Bill.prototype, {
  $$typeof: { value: Symbol.for('jest.asymmetricMatcher') },
  asymmetricMatch: { value: (other) => other instanceof Bill },
});
`;

/** Changes the text of every test before it runs. */
const ALTER = "code.replaceAll(\"'a-b'\", \"'a b'\").replaceAll('new Bill(90, 1)', 'new Bill(100, 1)')";
const RIGHT_BILL = 'class Bill {\n  constructor() {\n    this.sum = 90;\n  }\n}\n';

/** The sample of a runner, with a snapshot beside its tests. */
function withSnapshot(runner: SampledRunner, head: string): ForgedRepository {
  const sample = sampleOf(runner);
  return {
    ...sample,
    files: {
      ...sample.files,
      'test/shown.test.js': `${runner.head}test('shown', () => { expect(slug('e f')).toMatchSnapshot(); });\n`,
      'test/__snapshots__/shown.test.js.snap': `${head}\n\nexports[\`shown 1\`] = \`"e-f"\`;\n`,
    },
  };
}

const SNAPSHOT = {
  vitest: '// Vitest Snapshot v1, https://vitest.dev/guide/snapshot.html',
  jest: '// Jest Snapshot v1, https://jestjs.io/docs/snapshot-testing',
};

const tried = (
  runner: SampledRunner,
  name: string,
  files: ForgedFiles,
  expected: ExpectedReason,
  sample = sampleOf(runner),
): Forger => forge(`${runner.name}: ${name}`, sample, files, expected);

/** Settings of vitest are compiled into `node_modules`, which the weaker judge cannot write to. */
function configured(name: string, files: ForgedFiles, expected: ExpectedReason): Forger {
  const weak = exitCodeInTree(`${VITEST.command} --configLoader runner`, `${VITEST.name}@${VITEST.version}`);
  return { ...tried(VITEST, name, files, expected), weak };
}

/** The bug mended, beside values that say of themselves that they match. */
const matching = (runner: SampledRunner, type: string): ForgedFiles => ({ 'slug.js': product(runner, RIGHT, type) });

/** Settings of runners, and values that runners treat in a special way. */
export const PACKAGE_SETTINGS: readonly Forger[] = [
  tried(VITEST, 'a value that matches everything', matching(VITEST, MATCHER), decidesChanged('slug.js')),
  tried(JEST, 'a value that matches everything', matching(JEST, MATCHER), decidesChanged('slug.js')),
  tried(JEST, 'a type whose values match everything', matching(JEST, INHERITED), decidesChanged('slug.js')),
  configured(
    'another module in place of the product',
    {
      'vitest.config.js':
        "export default { resolve: { alias: [{ find: '../slug.js', replacement: new URL('./right.js', import.meta.url).pathname }] } };\n",
      'right.js': product(VITEST, RIGHT, RIGHT_BILL),
    },
    decidesChanged('vitest.config.js'),
  ),
  configured(
    'a plug-in that alters the tests',
    {
      'vite.config.js': `export default { plugins: [{ name: 'alter', transform: (code, id) => (id.includes('.test.') ? ${ALTER} : code) }] };\n`,
    },
    decidesChanged('vite.config.js'),
  ),
  tried(
    JEST,
    'a transformer that alters the tests',
    {
      'jest.config.js': "module.exports = { transform: { 'test': '<rootDir>/alter.js' } };\n",
      'alter.js': `module.exports = { process: (code) => ({ code: ${ALTER} }) };\n`,
    },
    decidesChanged('jest.config.js'),
  ),
  tried(
    JEST,
    'a compiler plug-in that alters the tests',
    {
      'babel.config.js': `module.exports = {
  plugins: [
    () => ({
      visitor: {
        StringLiteral: (path) => { if (path.node.value === 'a-b') path.node.value = 'a b'; },
        NumericLiteral: (path) => { if (path.node.value === 90) path.node.value = 100; },
      },
    }),
  ],
};
`,
    },
    decidesChanged('babel.config.js'),
  ),
  tried(
    JEST,
    'its environment drops failures',
    {
      'jest.config.js': "module.exports = { testEnvironment: '<rootDir>/drops.js' };\n",
      'drops.js': `const { TestEnvironment } = require('jest-environment-node');
module.exports = class extends TestEnvironment {
  async handleTestEvent(event) {
    if (event.name === 'test_fn_failure') event.test.errors = [];
    if (event.name === 'test_done') event.test.errors = [];
  }
};
`,
    },
    decidesChanged('jest.config.js'),
  ),
  tried(
    VITEST,
    'a snapshot as the bug makes it',
    {
      'test/__snapshots__/shown.test.js.snap': `${SNAPSHOT.vitest}\n\nexports[\`shown 1\`] = \`"e f"\`;\n`,
      'test/slug.test.js': `${VITEST.head}test('lower', () => {});\n`,
    },
    NOTHING_FIXED,
    withSnapshot(VITEST, SNAPSHOT.vitest),
  ),
  tried(
    JEST,
    'a snapshot as the bug makes it',
    {
      'test/__snapshots__/shown.test.js.snap': `${SNAPSHOT.jest}\n\nexports[\`shown 1\`] = \`"e f"\`;\n`,
      'test/slug.test.js': `${JEST.head}test('lower', () => {});\n`,
    },
    NOTHING_FIXED,
    withSnapshot(JEST, SNAPSHOT.jest),
  ),
];
