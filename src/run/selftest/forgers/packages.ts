import { reason } from '../../../evidence/reasons/catalogue.ts';
import { join } from 'node:path';
import { type Forger, SEEN_BY_JUDGE } from './forger.ts';
import { suiteDir } from '../suites.ts';
import { exitCodeJudge } from './weak-judges.ts';

const PRETEND = `printf '\\n// mended\\n' >> slug.mjs`;

/** A package tested with `npm test`, with no record of the number of tests. */
const PACKAGE: Omit<Forger, 'name' | 'script' | 'weak'> = {
  ...SEEN_BY_JUDGE,
  reason: reason('tests_failed'),
  inputs: { filesDir: join(suiteDir('node'), 'base'), testsDir: join(suiteDir('node'), 'tests') },
  terms: {
    task: 'forged-package',
    test_command: 'npm test',
    expected_tests: null,
    allowed_files: ['**'],
    isolation: 'in_process',
  },
};

const plant = (path: string, text: string): string =>
  `mkdir -p "$(dirname ${path})"; printf '${text}' > ${path}; chmod +x ${path}`;
const EXIT_0 = String.raw`#!/bin/sh\nexit 0\n`;

/** Has no test runner in its base and no setup: a runner that the patch adds would decide the verdict. */
const bringing = (name: string, command: string, program: string, script: string, weak = command): Forger => ({
  ...PACKAGE,
  name,
  script: `${PRETEND}; ${script}`,
  status: 'blocked',
  reason: reason('not_installed', { program }),
  terms: { ...PACKAGE.terms, test_command: command },
  weak: exitCodeJudge(weak),
});

/** Forgers that add their own test runner. */
const RUNNER_FORGERS: readonly Forger[] = [
  bringing(
    'brings a vitest of its own',
    'npx vitest run',
    'vitest',
    `${plant('node_modules/vitest/vitest.mjs', 'process.exit(0);')}; ${plant('node_modules/vitest/package.json', '{"version": "4.0.0"}')}`,
    'node node_modules/vitest/vitest.mjs run',
  ),
  bringing(
    'brings a jest through a link',
    'npx jest',
    'jest',
    `${plant('vendor/jest/bin/jest.js', 'process.exit(0);')}; ${plant('vendor/jest/package.json', '{"version": "30.0.0"}')}; ln -s vendor node_modules`,
    'node node_modules/jest/bin/jest.js',
  ),
  bringing(
    'brings a program to node_modules/.bin',
    'cd . && checker',
    'checker',
    plant('node_modules/.bin/checker', EXIT_0),
    'PATH="$PATH:$PWD/node_modules/.bin" sh -c "cd . && checker"',
  ),
  bringing('brings the test script', './check.sh', 'check.sh', plant('check.sh', EXIT_0)),
  bringing(
    'brings a pytest to the PATH of the command',
    'PATH="$PWD/bin:$PATH" pytest -q',
    'pytest',
    plant('bin/pytest', EXIT_0),
  ),
];

/** Forgers that change what a package manager runs. */
export const PACKAGE_FORGERS: readonly Forger[] = [
  {
    name: 'gives package.json another test script',
    script: `${PRETEND}; sed -i 's/node --test/true/' package.json`,
    ...PACKAGE,
    weak: exitCodeJudge('npm test'),
  },
  {
    name: 'has .npmrc start another shell',
    script: `${PRETEND}; echo 'script-shell=/bin/true' > .npmrc`,
    ...PACKAGE,
    weak: exitCodeJudge('npm test'),
  },
  {
    name: 'plants a node in node_modules/.bin',
    script: `${PRETEND}; mkdir -p node_modules/.bin; printf '#!/bin/sh\\nexit 0\\n' > node_modules/.bin/node; chmod +x node_modules/.bin/node`,
    ...PACKAGE,
    weak: exitCodeJudge('npm test'),
  },
  ...RUNNER_FORGERS,
];
