import { join } from 'node:path';
import { type Forger, SEEN_BY_JUDGE } from './forger.ts';
import { suiteDir } from '../suites.ts';
import { exitCodeJudge } from './weak-judges.ts';

const PRETEND = `printf '\\n// mended\\n' >> slug.mjs`;

/** A package whose tests are asked for as `npm test`, and nobody has written down how many there are. */
const PACKAGE: Omit<Forger, 'name' | 'script' | 'weak'> = {
  ...SEEN_BY_JUDGE,
  reason: /^tests failed$/,
  inputs: { filesDir: join(suiteDir('node'), 'base'), testsDir: join(suiteDir('node'), 'tests') },
  terms: {
    task: 'forged-package',
    test_command: 'npm test',
    expected_tests: null,
    allowed_files: ['**'],
    isolation: 'in_process',
  },
};

/** Change what a package manager would start. */
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
];
