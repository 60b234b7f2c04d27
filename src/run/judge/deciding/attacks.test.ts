import { describe, expect, test } from 'vitest';
import { decisionsOf, type SamplePatch, type SampleRepository } from './repository.fixture.ts';
import {
  C_PROGRAM,
  crateWithScript,
  CRATE,
  GO_MODULE,
  NODE_PACKAGE,
  PYTHON_FLAT,
  PYTHON_PACKAGE,
  SHELL_PROGRAM,
  MONOREPO,
} from './samples.fixture.ts';

/** What is tried, on which repository, and what is to become of it. */
type Attempt = readonly [
  name: string,
  repository: SampleRepository,
  patch: SamplePatch,
  expected: Readonly<Record<string, string>>,
];

function tryAll(attempts: readonly Attempt[]): void {
  test.each(attempts)('%s', async (_name, repository, patch, expected) => {
    expect(await decisionsOf(repository, patch)).toMatchObject(expected);
  });
}

describe('existing deciding files count in the base version', () => {
  tryAll([
    [
      'a Python test loses its assertions',
      PYTHON_PACKAGE,
      { 'tests/test_core.py': 'def test_a(): pass\n' },
      { 'tests/test_core.py': 'no_vote: collected_test' },
    ],
    [
      'a test is deleted',
      PYTHON_PACKAGE,
      { 'tests/test_core.py': null },
      { 'tests/test_core.py': 'no_vote: collected_test' },
    ],
    [
      'a test becomes a link',
      PYTHON_PACKAGE,
      { 'tests/test_core.py': { link: 'helper.py' } },
      { 'tests/test_core.py': 'no_vote: collected_test' },
    ],
    [
      'a test is made unreadable for others',
      PYTHON_PACKAGE,
      { 'tests/test_core.py': { mode: true } },
      { 'tests/test_core.py': 'no_vote: collected_test' },
    ],
    [
      'a helper compares nothing',
      PYTHON_PACKAGE,
      { 'tests/helper.py': '' },
      { 'tests/helper.py': 'no_vote: test_file' },
    ],
    [
      'an existing conftest.py skips everything',
      PYTHON_PACKAGE,
      { 'tests/conftest.py': 'collect_ignore = ["test_core.py"]\n' },
      { 'tests/conftest.py': 'no_vote: test_file' },
    ],
    [
      'a fixture is fitted to the answer',
      PYTHON_PACKAGE,
      { 'tests/data/cases.json': '[1]' },
      { 'tests/data/cases.json': 'no_vote: test_file' },
    ],
    [
      'a golden file outside the tests',
      PYTHON_PACKAGE,
      { 'golden/out.txt': 'x' },
      { 'golden/out.txt': 'no_vote: test_file' },
    ],
    [
      'a golden file in a flat directory',
      PYTHON_FLAT,
      { 'golden/out.txt': 'x' },
      { 'golden/out.txt': 'no_vote: test_file' },
    ],
    [
      'an assertion module in a flat directory',
      PYTHON_FLAT,
      { 'testing.py': 'def same(a, b): pass\n' },
      { 'testing.py': 'both: only_words' },
    ],
    [
      'an assertion module inside the package',
      PYTHON_PACKAGE,
      { 'sluggish/testing.py': 'def same(a, b): pass\n' },
      { 'sluggish/testing.py': 'both: only_words' },
    ],
    [
      'a generator writes what tests expect',
      {
        ...NODE_PACKAGE,
        files: { ...NODE_PACKAGE.files, 'scripts/build.js': "write('test/fixtures/wanted.json', rows);\n" },
        written: ['test/fixtures/wanted.json'],
      },
      { 'scripts/build.js': '' },
      { 'scripts/build.js': 'both: writes_for_tests' },
    ],
    ['a mocha test', NODE_PACKAGE, { 'test/slug.test.js': '' }, { 'test/slug.test.js': 'no_vote: collected_test' }],
    [
      'a helper of mocha tests',
      NODE_PACKAGE,
      { 'test/helper.js': 'exports.same = () => {};\n' },
      { 'test/helper.js': 'no_vote: test_file' },
    ],
    [
      'the script that starts the runner',
      NODE_PACKAGE,
      { 'scripts/check.sh': 'exit 0\n' },
      { 'scripts/check.sh': 'no_vote: starts_runner' },
    ],
    [
      'a program that tests start',
      NODE_PACKAGE,
      { 'examples/web/index.js': '' },
      { 'examples/web/index.js': 'no_vote: read_by_run' },
    ],
    [
      'settings that the runner reads',
      NODE_PACKAGE,
      { '.mocharc.json': '{"grep": "nothing"}' },
      { '.mocharc.json': 'refused: settings_changed' },
    ],
    ['settings are deleted', NODE_PACKAGE, { '.mocharc.json': null }, { '.mocharc.json': 'refused: settings_changed' }],
    [
      'the test script of a package in a subfolder',
      NODE_PACKAGE,
      { 'web/package.json': '{"scripts": {"test": "true"}}' },
      { 'web/package.json': 'merged: manifest' },
    ],
    [
      'the test script of the package',
      NODE_PACKAGE,
      { 'package.json': '{"scripts": {"test": "true"}}' },
      { 'package.json': 'merged: manifest' },
    ],
    [
      'a manifest becomes a directory',
      NODE_PACKAGE,
      { 'package.json': null, 'package.json/x': '' },
      { 'package.json/x': 'refused: replaces_deciding' },
    ],
    [
      'a manifest becomes a link',
      NODE_PACKAGE,
      { 'package.json': { link: 'other.json' } },
      { 'package.json': 'refused: replaces_deciding' },
    ],
    [
      'vitest settings',
      MONOREPO,
      { 'vitest.config.ts': 'export default { test: { passWithNoTests: true } };\n' },
      { 'vitest.config.ts': 'refused: settings_changed' },
    ],
    [
      'a plugin of vitest among the sources',
      MONOREPO,
      { 'packages/core/src/plugin.ts': '' },
      { 'packages/core/src/plugin.ts': 'no_vote: test_support' },
    ],
    [
      'a setup file among the sources',
      MONOREPO,
      { 'packages/core/src/env.ts': '' },
      { 'packages/core/src/env.ts': 'no_vote: test_support' },
    ],
    [
      'a setup file of vitest',
      MONOREPO,
      { 'vitest.setup.ts': 'expect.extend({});\n' },
      { 'vitest.setup.ts': 'no_vote: test_support' },
    ],
    [
      'a snapshot',
      MONOREPO,
      { 'packages/core/src/__snapshots__/slug.test.ts.snap': 'x' },
      { 'packages/core/src/__snapshots__/slug.test.ts.snap': 'no_vote: test_file' },
    ],
    [
      'a private package for development',
      MONOREPO,
      { 'packages/kit/src/index.ts': 'export const same = () => {};\n' },
      { 'packages/kit/src/index.ts': 'no_vote: test_support' },
    ],
    [
      'a test helper among the sources',
      MONOREPO,
      { 'packages/core/src/test-utils.ts': '' },
      { 'packages/core/src/test-utils.ts': 'no_vote: test_file' },
    ],
    [
      'compiled code changes by tsconfig.json',
      MONOREPO,
      {
        'tsconfig.json':
          '{"compilerOptions": {"strict": false, "target": "es2022", "paths": {"./slug.js": ["./fake.ts"]}}}',
      },
      { 'tsconfig.json': 'refused: settings_changed' },
    ],
    ...['vitest', 'node:assert', '@s/kit', '@s/*', '*'].map((name): Attempt => [
      `${name} is led elsewhere by tsconfig.json`,
      MONOREPO,
      {
        'tsconfig.json': `{"compilerOptions": {"target": "es2022", "strict": true, "paths": {"${name}": ["./src/fake.ts"]}}}`,
      },
      { 'tsconfig.json': 'refused: settings_changed' },
    ]),
    [
      'a name for paths leads out of the tree',
      MONOREPO,
      { 'tsconfig.json': '{"compilerOptions": {"target": "es2022", "strict": true, "paths": {"@/*": ["../*"]}}}' },
      { 'tsconfig.json': 'refused: settings_changed' },
    ],
    ['a Go test', GO_MODULE, { 'slug_test.go': 'package slug\n' }, { 'slug_test.go': 'no_vote: collected_test' }],
    [
      'an internal assertion package',
      GO_MODULE,
      { 'internal/check/check.go': 'package check\n' },
      { 'internal/check/check.go': 'no_vote: test_support' },
    ],
    [
      'a public package for tests',
      GO_MODULE,
      { 'slugtest/slugtest.go': 'package slugtest\n' },
      { 'slugtest/slugtest.go': 'both: only_words' },
    ],
    [
      'a comparing package that only tests import',
      {
        ...GO_MODULE,
        files: {
          ...GO_MODULE.files,
          'internal/cmp/cmp.go': 'package cmp\n',
          'slug_test.go': 'package slug\nimport "example.com/slug/internal/cmp"\n',
        },
      },
      { 'internal/cmp/cmp.go': '' },
      { 'internal/cmp/cmp.go': 'no_vote: test_support' },
    ],
    [
      'a comparing module beside the package',
      { ...PYTHON_PACKAGE, files: { ...PYTHON_PACKAGE.files, 'compare.py': 'def same(a, b):\n    return a == b\n' } },
      { 'compare.py': 'def same(a, b):\n    return True\n' },
      { 'compare.py': 'both: not_reached' },
    ],
    [
      'a comparing package beside the package',
      {
        ...PYTHON_PACKAGE,
        files: { ...PYTHON_PACKAGE.files, 'compare/__init__.py': 'def same(a, b):\n    return a == b\n' },
      },
      { 'compare/__init__.py': '' },
      { 'compare/__init__.py': 'both: not_reached' },
    ],
    [
      'a C helper beside the product',
      {
        ...C_PROGRAM,
        files: {
          ...C_PROGRAM.files,
          Makefile: (C_PROGRAM.files['Makefile'] ?? '').replace('tests/check.c', 'src/same.c'),
          'src/same.c': 'int same(int a, int b) { return a == b; }\n',
        },
      },
      { 'src/same.c': 'int same(int a, int b) { return 1; }\n' },
      { 'src/same.c': 'both: not_reached' },
    ],
    [
      'a module that the runner is told to load',
      { ...NODE_PACKAGE, command: 'mocha --require ./hooks.js', files: { ...NODE_PACKAGE.files, 'hooks.js': '' } },
      { 'hooks.js': '' },
      { 'hooks.js': 'no_vote: starts_runner' },
    ],
    [
      'a vendored assertion library',
      GO_MODULE,
      { 'vendor/github.com/x/assert/assert.go': 'package assert // nothing\n' },
      { 'vendor/github.com/x/assert/assert.go': 'no_vote: vendored' },
    ],
    ['a golden file of Go', GO_MODULE, { 'testdata/golden.txt': 'x' }, { 'testdata/golden.txt': 'no_vote: test_file' }],
    ['an integration test of Rust', CRATE, { 'tests/it.rs': '' }, { 'tests/it.rs': 'no_vote: collected_test' }],
    ['a helper of Rust tests', CRATE, { 'tests/common/mod.rs': '' }, { 'tests/common/mod.rs': 'no_vote: test_file' }],
    [
      'a crate with assertions, for tests only',
      CRATE,
      { 'check/src/lib.rs': 'pub fn same(_: &str, _: &str) {}\n' },
      { 'check/src/lib.rs': 'no_vote: test_support' },
    ],
    [
      'a C test',
      C_PROGRAM,
      { 'tests/test_slug.c': 'int main(void) { return 0; }\n' },
      { 'tests/test_slug.c': 'no_vote: collected_test' },
    ],
    ['a helper of C tests', C_PROGRAM, { 'tests/check.c': '' }, { 'tests/check.c': 'no_vote: test_file' }],
    ['the Makefile', C_PROGRAM, { Makefile: 'test:\n\ttrue\n' }, { Makefile: 'refused: settings_changed' }],
    [
      'a script that make test starts',
      C_PROGRAM,
      { 'tests/cli.sh': 'true\n' },
      { 'tests/cli.sh': 'no_vote: starts_runner' },
    ],
    [
      'the output that a script compares with',
      C_PROGRAM,
      { 'tests/expected.txt': 'y\n' },
      { 'tests/expected.txt': 'no_vote: test_file' },
    ],
    [
      'a shell script that is the test',
      SHELL_PROGRAM,
      { 'run-tests.sh': 'exit 0\n' },
      { 'run-tests.sh': 'no_vote: starts_runner' },
    ],
    [
      'a shell script that the test starts',
      SHELL_PROGRAM,
      { 'checks/more.sh': 'exit 0\n' },
      { 'checks/more.sh': 'no_vote: starts_runner' },
    ],
    [
      'assertions of shell tests',
      SHELL_PROGRAM,
      { 'assertions.sh': 'assert_eq() { :; }\n' },
      { 'assertions.sh': 'both: only_words' },
    ],
    [
      'the output that a shell test compares with',
      SHELL_PROGRAM,
      { 'wanted.txt': 'b\n' },
      { 'wanted.txt': 'no_vote: read_by_run' },
    ],
  ]);

  const linked: SampleRepository = {
    ...PYTHON_PACKAGE,
    links: { cases: 'golden', 'tests/more': '../golden' },
    links_passed: ['cases'],
    read: ['tests/more/out.txt'],
  };
  tryAll([
    [
      'a link that the tests follow leads elsewhere',
      linked,
      { cases: { link: 'sluggish' } },
      { cases: 'no_vote: link_passed' },
    ],
    [
      'such a link becomes a directory',
      linked,
      { cases: null, 'cases/out.txt': 'x' },
      { 'cases/out.txt': 'refused: replaces_deciding' },
    ],
    [
      'a link on the way to a file that was read',
      linked,
      { 'tests/more': { link: '../sluggish' } },
      { 'tests/more': 'no_vote: link_passed' },
    ],
    [
      'the file behind it',
      {
        ...linked,
        files: { ...linked.files, 'shared/out.txt': 'a' },
        links: { 'tests/more': '../shared' },
        read: ['tests/more/out.txt'],
      },
      { 'shared/out.txt': 'x' },
      { 'shared/out.txt': 'no_vote: read_by_run' },
    ],
    [
      'the directory of the tests becomes a link',
      PYTHON_PACKAGE,
      { 'tests/test_core.py': null, tests: { link: 'fake' } },
      { tests: 'refused: replaces_deciding' },
    ],
    [
      'a test becomes a directory',
      PYTHON_PACKAGE,
      { 'tests/test_core.py': null, 'tests/test_core.py/__init__.py': '' },
      { 'tests/test_core.py/__init__.py': 'refused: replaces_deciding' },
    ],
  ]);
});

describe('tests inside product files are taken from the base', () => {
  const inSource: SampleRepository = {
    ...MONOREPO,
    collected: ['packages/core/src/slug.test.ts', 'packages/core/src/slug.ts'],
  };
  const doctests: SampleRepository = { ...PYTHON_FLAT, runner: 'doctest', collected: ['slug.py'] };
  tryAll([
    ['unit tests of Rust', CRATE, { 'src/lib.rs': 'pub fn slug() {}\n' }, { 'src/lib.rs': 'merged: inline_tests' }],
    [
      'unit tests of a new Rust module',
      CRATE,
      { 'src/case.rs': 'pub fn upper() {}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn one() {}\n}\n' },
      { 'src/case.rs': 'merged: inline_tests' },
    ],
    [
      'a module of unit tests in a file of its own',
      CRATE,
      { 'src/tests.rs': '' },
      { 'src/tests.rs': 'no_vote: collected_test' },
    ],
    [
      'such a module whose tests are made by a macro elsewhere',
      { ...CRATE, collected: ['src/lib.rs'] },
      { 'src/tests.rs': '' },
      { 'src/tests.rs': 'no_vote: test_support' },
    ],
    [
      'in-source tests of vitest',
      inSource,
      { 'packages/core/src/slug.ts': '' },
      { 'packages/core/src/slug.ts': 'merged: inline_tests' },
    ],
    ['doctests of Python', doctests, { 'slug.py': '' }, { 'slug.py': 'merged: inline_tests' }],
    [
      'doctests of a package',
      { ...PYTHON_PACKAGE, collected: ['tests/test_core.py', 'sluggish/core.py'] },
      { 'sluggish/core.py': '' },
      { 'sluggish/core.py': 'merged: inline_tests' },
    ],
    [
      'data from which a build script of Rust writes tests',
      crateWithScript({ 'build.rs': 'fn main() { write(read("words.txt"), "#[test] fn {} () {}") }\n' }),
      { 'words.txt': '' },
      { 'words.txt': 'no_vote: read_by_run' },
    ],
    [
      'data from which a build script of Rust writes a table that tests include',
      crateWithScript({ 'tests/it.rs': 'include!(concat!(env!("OUT_DIR"), "/words.rs"));\n' }),
      { 'words.txt': '' },
      { 'words.txt': 'no_vote: read_by_run' },
    ],
    [
      'code beside Go tests that fail, but load without it',
      {
        ...GO_MODULE,
        files: { ...GO_MODULE.files, 'contract/a_test.go': 'package contract\n' },
        collected: ['slug_test.go', 'contract/a_test.go'],
        failing: ['contract/a_test.go'],
      },
      { 'contract/a.go': '' },
      { 'contract/a.go': 'added_test: new_test_support' },
    ],
    [
      'a file with tests becomes a link',
      CRATE,
      { 'src/lib.rs': { link: 'words.rs' } },
      { 'src/lib.rs': 'refused: replaces_deciding' },
    ],
    [
      'a document with doctests',
      { ...doctests, collected: ['slug.py', 'README.md'] },
      { 'README.md': '' },
      { 'README.md': 'no_vote: collected_test' },
    ],
  ]);
});

describe('new files that the base run looked for are refused', () => {
  tryAll([
    [
      'pytest.ini',
      PYTHON_PACKAGE,
      { 'pytest.ini': '[pytest]\naddopts = --co\n' },
      { 'pytest.ini': 'refused: settings_planted' },
    ],
    [
      'pytest.ini beside the tests',
      PYTHON_PACKAGE,
      { 'tests/pytest.ini': '[pytest]\n' },
      { 'tests/pytest.ini': 'refused: settings_planted' },
    ],
    ['an empty pytest.ini', PYTHON_PACKAGE, { 'pytest.ini': '' }, { 'pytest.ini': 'refused: settings_planted' }],
    [
      'tox.ini with a section for pytest',
      PYTHON_PACKAGE,
      { 'tox.ini': '[pytest]\naddopts = -k nothing\n' },
      { 'tox.ini': 'refused: settings_planted' },
    ],
    ['conftest.py at the root', PYTHON_PACKAGE, { 'conftest.py': '' }, { 'conftest.py': 'refused: settings_planted' }],
    [
      'a manifest among the tests',
      PYTHON_PACKAGE,
      { 'tests/pyproject.toml': '[tool.pytest.ini_options]\n' },
      { 'tests/pyproject.toml': 'refused: settings_planted' },
    ],
    ['a flag that tests ask for', PYTHON_PACKAGE, { RUN_SLOW: '' }, { RUN_SLOW: 'refused: looked_for' }],
    ['a directory in place of the flag', PYTHON_PACKAGE, { 'RUN_SLOW/x': '' }, { 'RUN_SLOW/x': 'refused: looked_for' }],
    [
      'a link in place of the flag',
      PYTHON_PACKAGE,
      { RUN_SLOW: { link: 'README.md' } },
      { RUN_SLOW: 'refused: looked_for' },
    ],
    [
      'code in a new test package',
      PYTHON_PACKAGE,
      { 'tests/__init__.py': 'import sluggish\n' },
      { 'tests/__init__.py': 'refused: test_package_code' },
    ],
    ['.npmrc', NODE_PACKAGE, { '.npmrc': 'script-shell=/bin/true\n' }, { '.npmrc': 'refused: settings_planted' }],
    ['.env', NODE_PACKAGE, { '.env': 'NODE_OPTIONS=--require ./x.js\n' }, { '.env': 'refused: settings_planted' }],
    [
      '.mocharc.js before .mocharc.json',
      NODE_PACKAGE,
      { '.mocharc.js': '' },
      { '.mocharc.js': 'refused: settings_planted' },
    ],
    [
      'a false runner in node_modules',
      NODE_PACKAGE,
      { 'node_modules/.bin/mocha': '' },
      { 'node_modules/.bin/mocha': 'refused: planted_package' },
    ],
    [
      'a manifest inside the package',
      NODE_PACKAGE,
      { 'test/package.json': '{"type": "module"}' },
      { 'test/package.json': 'refused: settings_planted' },
    ],
    [
      'vite settings beside those of vitest',
      MONOREPO,
      { 'vite.config.ts': '' },
      { 'vite.config.ts': 'refused: settings_planted' },
    ],
    [
      'settings of a bundler that the tests call',
      { ...NODE_PACKAGE, looked_for: ['webpack.config.js'] },
      { 'webpack.config.js': '' },
      { 'webpack.config.js': 'refused: settings_planted' },
    ],
    [
      'settings of style sheets, which are code',
      MONOREPO,
      { 'postcss.config.js': '' },
      { 'postcss.config.js': 'refused: settings_planted' },
    ],
    [
      'a nearer tsconfig.json',
      MONOREPO,
      { 'packages/core/tsconfig.json': '{}' },
      { 'packages/core/tsconfig.json': 'refused: settings_planted' },
    ],
    [
      'environment variables of vitest',
      MONOREPO,
      { '.env.test': 'X=1\n' },
      { '.env.test': 'refused: settings_planted' },
    ],
    ['a Go workspace', GO_MODULE, { 'go.work': 'go 1.22\n' }, { 'go.work': 'refused: settings_planted' }],
    [
      'a module around the tests',
      GO_MODULE,
      { 'internal/go.mod': 'module x\n' },
      { 'internal/go.mod': 'refused: settings_planted' },
    ],
    [
      'a module around a command',
      GO_MODULE,
      { 'cmd/slug/go.mod': 'module x\n' },
      { 'cmd/slug/go.mod': 'refused: settings_planted' },
    ],
    ['a flag file of Go tests', GO_MODULE, { UPDATE_GOLDEN: '' }, { UPDATE_GOLDEN: 'refused: looked_for' }],
    ['a build script', CRATE, { 'build.rs': 'fn main() {}\n' }, { 'build.rs': 'refused: settings_planted' }],
    [
      'Cargo settings',
      CRATE,
      { '.cargo/config.toml': '[target.x]\nrunner = "true"\n' },
      { '.cargo/config.toml': 'refused: settings_planted' },
    ],
    [
      'Cargo settings through a link',
      CRATE,
      { '.cargo': { link: 'extra' }, 'extra/config.toml': '' },
      { '.cargo': 'refused: settings_planted' },
    ],
    ['a toolchain', CRATE, { 'rust-toolchain.toml': '' }, { 'rust-toolchain.toml': 'refused: settings_planted' }],
    [
      'a Makefile that make prefers',
      C_PROGRAM,
      { GNUmakefile: 'test:\n' },
      { GNUmakefile: 'refused: settings_planted' },
    ],
    ['a file with the name of a target', C_PROGRAM, { test: '' }, { test: 'refused: looked_for' }],
    [
      'a header before the real one',
      C_PROGRAM,
      { 'tests/assert.h': '#define assert(x)\n' },
      { 'tests/assert.h': 'refused: looked_for' },
    ],
    [
      'a header of the system in a directory that was looked for',
      C_PROGRAM,
      { 'include/assert.h': '' },
      { 'include/assert.h': 'refused: looked_for' },
    ],
    [
      'a header of the product among the tests',
      C_PROGRAM,
      { 'tests/slug.h': '' },
      { 'tests/slug.h': 'refused: looked_for' },
    ],
    [
      'a program on the PATH of the tests',
      SHELL_PROGRAM,
      { 'bin/tr': '#!/bin/sh\n' },
      { 'bin/tr': 'refused: looked_for' },
    ],
    ['settings of the program under test', SHELL_PROGRAM, { '.slugrc': '' }, { '.slugrc': 'refused: looked_for' }],
  ]);

  test('a test binary newer than its sources does not enter the judge', async () => {
    expect(await decisionsOf(C_PROGRAM, { test_slug: 'ELF', 'src/slug.o': 'ELF' })).toEqual({
      test_slug: 'no_vote: written_by_run',
      'src/slug.o': 'no_vote: written_by_run',
    });
  });

  test('a module that a passing test can do without', async () => {
    const optional = {
      ...NODE_PACKAGE,
      files: { ...NODE_PACKAGE.files, 'test/slug.test.js': "try { require('../hooks'); } catch {}\n" },
      looked_for: ['hooks.js', 'hooks'],
    };
    expect(await decisionsOf(optional, { 'hooks.js': '' })).toEqual({ 'hooks.js': 'refused: looked_for' });
  });
});

describe('new settings are refused although no lookup was seen', () => {
  const ava: SampleRepository = { ...NODE_PACKAGE, runner: 'ava', looked_for: [] };
  const blind = (repository: SampleRepository): SampleRepository => ({
    ...repository,
    found_by: 'names',
    looked_for: [],
  });
  tryAll([
    ['ava', ava, { 'ava.config.js': '' }, { 'ava.config.js': 'refused: settings_planted' }],
    ['jest', ava, { 'jest.config.mjs': '' }, { 'jest.config.mjs': 'refused: settings_planted' }],
    ['a preset of babel', ava, { '.babelrc.json': '' }, { '.babelrc.json': 'refused: settings_planted' }],
    [
      'yarn with a program of its own',
      ava,
      { '.yarnrc.yml': 'yarnPath: x\n', '.yarn/releases/x.cjs': '' },
      { '.yarnrc.yml': 'refused: settings_planted', '.yarn/releases/x.cjs': 'refused: settings_planted' },
    ],
    ['modules of Plug and Play', ava, { '.pnp.cjs': '' }, { '.pnp.cjs': 'refused: settings_planted' }],
    ['a manifest that pnpm prefers', ava, { 'package.yaml': '' }, { 'package.yaml': 'refused: settings_planted' }],
    [
      'code at every start of Python',
      PYTHON_PACKAGE,
      { 'extra/sitecustomize.py': '' },
      { 'extra/sitecustomize.py': 'refused: settings_planted' },
    ],
    ['a path file', PYTHON_PACKAGE, { 'x.pth': 'import os\n' }, { 'x.pth': 'refused: settings_planted' }],
    [
      '.coveragerc with a plugin',
      PYTHON_PACKAGE,
      { '.coveragerc': '[run]\nplugins = x\n' },
      { '.coveragerc': 'refused: settings_planted' },
    ],
    ['a build script of another crate', CRATE, { 'new/build.rs': '' }, { 'new/build.rs': 'refused: settings_planted' }],
    [
      'GNUmakefile where nothing was traced',
      blind(C_PROGRAM),
      { GNUmakefile: '' },
      { GNUmakefile: 'refused: settings_planted' },
    ],
    [
      'a header where nothing was traced',
      blind(C_PROGRAM),
      { 'include/assert.h': '' },
      { 'include/assert.h': 'refused: shadows_module' },
    ],
    [
      'a program where nothing was traced',
      blind(SHELL_PROGRAM),
      { 'bin/diff': '' },
      { 'bin/diff': 'refused: shadows_module' },
    ],
    [
      'settings of bats',
      { ...SHELL_PROGRAM, runner: 'bats' },
      { 'setup_suite.bash': '' },
      { 'setup_suite.bash': 'refused: settings_planted' },
    ],
    [
      'settings in a directory with a line break in its name',
      PYTHON_PACKAGE,
      { 'a\nb/sitecustomize.py': '' },
      { 'a\nb/sitecustomize.py': 'refused: settings_planted' },
    ],
    [
      'changed settings where nothing was traced',
      blind(NODE_PACKAGE),
      { '.mocharc.json': '{}' },
      { '.mocharc.json': 'refused: settings_changed' },
    ],
  ]);
});

describe('installed packages do not come from a patch', () => {
  tryAll([
    [
      'node_modules in a tree that has none',
      NODE_PACKAGE,
      { 'node_modules/chai/index.js': '' },
      { 'node_modules/chai/index.js': 'refused: planted_package' },
    ],
    [
      'node_modules beside the tests',
      NODE_PACKAGE,
      { 'test/node_modules/chai/index.js': '' },
      { 'test/node_modules/chai/index.js': 'refused: planted_package' },
    ],
    [
      'node_modules as a link',
      NODE_PACKAGE,
      { node_modules: { link: 'fake' }, 'fake/chai/index.js': '' },
      { node_modules: 'refused: planted_package' },
    ],
    [
      'a scoped package inside a workspace',
      MONOREPO,
      { 'packages/core/node_modules/@s/kit/index.js': '' },
      { 'packages/core/node_modules/@s/kit/index.js': 'refused: planted_package' },
    ],
    [
      'a new workspace package with the name of the runner',
      MONOREPO,
      { 'packages/v/package.json': '{"name": "vitest"}' },
      { 'packages/v/package.json': 'refused: shadows_module' },
    ],
    [
      'entry points of a plugin',
      PYTHON_PACKAGE,
      { 'evil-1.0.dist-info/entry_points.txt': '[pytest11]\nx = x\n' },
      { 'evil-1.0.dist-info/entry_points.txt': 'refused: planted_package' },
    ],
    [
      'the same below src',
      PYTHON_PACKAGE,
      { 'src/evil.egg-info/PKG-INFO': '' },
      { 'src/evil.egg-info/PKG-INFO': 'refused: planted_package' },
    ],
    [
      'an egg',
      PYTHON_PACKAGE,
      { 'evil.egg/EGG-INFO/PKG-INFO': '' },
      { 'evil.egg/EGG-INFO/PKG-INFO': 'refused: planted_package' },
    ],
    [
      'packages of a project directory',
      PYTHON_PACKAGE,
      { '__pypackages__/3.11/lib/pytest.py': '' },
      { '__pypackages__/3.11/lib/pytest.py': 'refused: planted_package' },
    ],
    [
      'site-packages',
      PYTHON_PACKAGE,
      { 'lib/site-packages/pytest.py': '' },
      { 'lib/site-packages/pytest.py': 'refused: planted_package' },
    ],
    [
      'a vendored Go package more',
      GO_MODULE,
      { 'vendor/example.com/y/y.go': '' },
      { 'vendor/example.com/y/y.go': 'refused: planted_package' },
    ],
    [
      'a vendor directory where there was none',
      {
        ...GO_MODULE,
        files: { 'go.mod': 'module m\n', 'a.go': 'package a\n', 'a_test.go': 'package a\n' },
        collected: ['a_test.go'],
      },
      { 'vendor/modules.txt': '' },
      { 'vendor/modules.txt': 'refused: planted_package' },
    ],
  ]);
});

describe('modules of the tests and of the language cannot be hidden', () => {
  tryAll([
    ['pytest', PYTHON_PACKAGE, { 'pytest.py': '' }, { 'pytest.py': 'refused: shadows_module' }],
    [
      'a package named pytest',
      PYTHON_PACKAGE,
      { 'pytest/__init__.py': '' },
      { 'pytest/__init__.py': 'refused: shadows_module' },
    ],
    [
      'a module of Python that only failing tests load',
      PYTHON_PACKAGE,
      { 'difflib.py': '' },
      { 'difflib.py': 'refused: shadows_module' },
    ],
    ['beside the tests', PYTHON_PACKAGE, { 'tests/json.py': '' }, { 'tests/json.py': 'refused: shadows_module' }],
    ['below src', PYTHON_PACKAGE, { 'src/regex.py': '' }, { 'src/regex.py': 'refused: shadows_module' }],
    [
      'in a directory from which tests import',
      {
        ...PYTHON_FLAT,
        files: {
          'app/slug.py': 'def slug(text): return text\n',
          'pytest.ini': '[pytest]\npythonpath = app\n',
          'tests/test_slug.py': 'from slug import slug\ndef test_a(): assert slug("a") == "a"\n',
        },
        collected: ['tests/test_slug.py'],
        outside_modules: ['pytest', 'json'],
      },
      { 'app/json.py': '' },
      { 'app/json.py': 'refused: shadows_module' },
    ],
    [
      'as a compiled module',
      PYTHON_PACKAGE,
      { 'regex.cpython-311-x86_64-linux-gnu.so': '' },
      { 'regex.cpython-311-x86_64-linux-gnu.so': 'refused: shadows_module' },
    ],
    ['as bytecode', PYTHON_FLAT, { 'unittest.pyc': '' }, { 'unittest.pyc': 'refused: shadows_module' }],
    [
      'as a link to a directory',
      PYTHON_PACKAGE,
      { json: { link: 'fake' }, 'fake/__init__.py': '' },
      { json: 'refused: shadows_module' },
    ],
    [
      'in a directory that sys.path has',
      { ...PYTHON_PACKAGE, search_path: ['', 'tools'] },
      { 'tools/typing.py': '' },
      { 'tools/typing.py': 'refused: shadows_module' },
    ],
    [
      'through baseUrl',
      {
        ...MONOREPO,
        files: { ...MONOREPO.files, 'tsconfig.json': '{"compilerOptions": {"baseUrl": "./packages/core/src"}}' },
      },
      { 'packages/core/src/vitest.ts': '' },
      { 'packages/core/src/vitest.ts': 'refused: shadows_module' },
    ],
    [
      'a builtin of Node.js through baseUrl',
      { ...MONOREPO, files: { ...MONOREPO.files, 'tsconfig.json': '{"compilerOptions": {"baseUrl": "."}}' } },
      { 'assert/index.ts': '' },
      { 'assert/index.ts': 'refused: shadows_module' },
    ],
    [
      'a package before a helper',
      PYTHON_PACKAGE,
      { 'tests/helper/__init__.py': 'def same(a, b): pass\n' },
      { 'tests/helper/__init__.py': 'refused: shadows_deciding' },
    ],
    [
      'a compiled module before a helper',
      PYTHON_PACKAGE,
      { 'tests/helper.abi3.so': '' },
      { 'tests/helper.abi3.so': 'refused: shadows_deciding' },
    ],
    [
      'TypeScript beside a helper',
      NODE_PACKAGE,
      { 'test/helper.ts': '' },
      { 'test/helper.ts': 'refused: shadows_deciding' },
    ],
    [
      'a file without ending before a helper',
      NODE_PACKAGE,
      { 'test/helper': '' },
      { 'test/helper': 'refused: shadows_deciding' },
    ],
    [
      'code before JSON of the tests',
      { ...NODE_PACKAGE, files: { ...NODE_PACKAGE.files, 'test/expected.json': '{}' } },
      { 'test/expected.js': '' },
      { 'test/expected.js': 'refused: shadows_deciding' },
    ],
    [
      'a mock of a package',
      { ...NODE_PACKAGE, runner: 'jest' },
      { '__mocks__/chai.js': '' },
      { '__mocks__/chai.js': 'refused: mock_planted' },
    ],
    [
      'a mock of a product module that a test mocks',
      {
        ...NODE_PACKAGE,
        runner: 'jest',
        files: { ...NODE_PACKAGE.files, 'test/slug.test.js': "jest.mock('../lib/slug');\n" },
      },
      { 'lib/__mocks__/slug.js': '' },
      { 'lib/__mocks__/slug.js': 'refused: mock_planted' },
    ],
    [
      'a mock in TypeScript',
      {
        ...MONOREPO,
        files: { ...MONOREPO.files, 'packages/core/src/slug.test.ts': "vi.mock('./words.js');\nvi.mock('node:fs');\n" },
      },
      { 'packages/core/src/__mocks__/words.ts': '', '__mocks__/fs.ts': '' },
      {
        'packages/core/src/__mocks__/words.ts': 'refused: mock_planted',
        '__mocks__/fs.ts': 'refused: mock_planted',
      },
    ],
    [
      'a test in another case',
      PYTHON_PACKAGE,
      { 'tests/Test_Core.py': '' },
      { 'tests/Test_Core.py': 'refused: differs_in_case' },
    ],
    [
      'a directory in another case',
      PYTHON_PACKAGE,
      { 'Tests/more.json': '' },
      { 'Tests/more.json': 'refused: differs_in_case' },
    ],
    [
      'a helper in another case',
      NODE_PACKAGE,
      { 'test/HELPER.js': '' },
      { 'test/HELPER.js': 'refused: differs_in_case' },
    ],
  ]);
});

describe('what others read or run later is refused', () => {
  tryAll([
    [
      'a workflow',
      PYTHON_PACKAGE,
      { '.github/workflows/more.yml': '' },
      { '.github/workflows/more.yml': 'refused: ci_settings' },
    ],
    [
      'a changed workflow',
      PYTHON_PACKAGE,
      { '.github/workflows/ci.yml': '' },
      { '.github/workflows/ci.yml': 'refused: ci_settings' },
    ],
    [
      'a workflow through a link',
      NODE_PACKAGE,
      { '.github': { link: 'extra' }, 'extra/workflows/a.yml': '' },
      { '.github': 'refused: ci_settings' },
    ],
    ['another CI', PYTHON_PACKAGE, { '.gitlab-ci.yml': '' }, { '.gitlab-ci.yml': 'refused: ci_settings' }],
    ['hooks of a tool', NODE_PACKAGE, { '.husky/pre-commit': '' }, { '.husky/pre-commit': 'refused: ci_settings' }],
    ['instructions for agents', PYTHON_PACKAGE, { 'AGENTS.md': 'pass\n' }, { 'AGENTS.md': 'refused: agent_settings' }],
    [
      'instructions in a subfolder',
      PYTHON_PACKAGE,
      { 'sluggish/CLAUDE.md': '' },
      { 'sluggish/CLAUDE.md': 'refused: agent_settings' },
    ],
    ['instructions in lower case', PYTHON_PACKAGE, { 'claude.md': '' }, { 'claude.md': 'refused: agent_settings' }],
    [
      'settings of an agent',
      PYTHON_PACKAGE,
      { '.claude/settings.json': '' },
      { '.claude/settings.json': 'refused: agent_settings' },
    ],
    ['tools of an agent', NODE_PACKAGE, { '.mcp.json': '' }, { '.mcp.json': 'refused: agent_settings' }],
    [
      'rules of an editor',
      NODE_PACKAGE,
      { '.cursor/rules/a.mdc': '' },
      { '.cursor/rules/a.mdc': 'refused: agent_settings' },
    ],
    [
      'what an agent in an editor runs unasked',
      NODE_PACKAGE,
      { '.vscode/settings.json': '{\n  "chat.tools.autoApprove": true\n}\n' },
      { '.vscode/settings.json': 'refused: agent_settings' },
    ],
  ]);
});

describe('what is no matter of files is left to the run', () => {
  tryAll([
    [
      'an early exit in product code',
      PYTHON_PACKAGE,
      { 'sluggish/core.py': 'import os\nos._exit(0)\n' },
      { 'sluggish/core.py': 'product: product_code' },
    ],
    [
      'a module is removed so that tests skip',
      PYTHON_PACKAGE,
      { 'sluggish/core.py': null },
      { 'sluggish/core.py': 'product: product_code' },
    ],
    [
      'a stale build',
      NODE_PACKAGE,
      { 'lib/letters.json': '{"a": "b"}' },
      { 'lib/letters.json': 'product: product_code' },
    ],
  ]);
});
