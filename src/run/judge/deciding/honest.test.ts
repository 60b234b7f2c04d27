import { describe, expect, test } from 'vitest';
import { decideSample, decisionsOf, type SamplePatch, type SampleRepository } from './repository.fixture.ts';
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

type Change = readonly [
  name: string,
  repository: SampleRepository,
  patch: SamplePatch,
  expected: Readonly<Record<string, string>>,
];

function allowAll(changes: readonly Change[]): void {
  test.each(changes)('%s', async (_name, repository, patch, expected) => {
    expect(await decisionsOf(repository, patch)).toEqual(expected);
  });
}

describe('product has a vote', () => {
  allowAll([
    [
      'a module of a Python package',
      PYTHON_PACKAGE,
      { 'sluggish/core.py': '' },
      { 'sluggish/core.py': 'product: product_code' },
    ],
    [
      'a Python module named like a test',
      PYTHON_PACKAGE,
      { 'sluggish/speed_test.py': '' },
      { 'sluggish/speed_test.py': 'product: product_code' },
    ],
    [
      'data of a Python package',
      PYTHON_PACKAGE,
      { 'sluggish/letters.json': '{}' },
      { 'sluggish/letters.json': 'product: product_data' },
    ],
    [
      'a script in a flat directory',
      PYTHON_FLAT,
      { 'slug.py': '', 'words.py': '' },
      { 'slug.py': 'product: product_code', 'words.py': 'product: product_code' },
    ],
    [
      'data of such a script',
      PYTHON_FLAT,
      { 'letters.json': '{"a": "b"}' },
      { 'letters.json': 'product: product_data' },
    ],
    [
      'JavaScript, its program and its data',
      NODE_PACKAGE,
      { 'lib/slug.js': '', 'bin/sluggish': '', 'lib/letters.json': '' },
      {
        'lib/slug.js': 'product: product_code',
        'bin/sluggish': 'product: product_code',
        'lib/letters.json': 'product: product_code',
      },
    ],
    [
      'a generator that runs before the tests',
      NODE_PACKAGE,
      { 'scripts/build.js': '' },
      { 'scripts/build.js': 'product: generator' },
    ],
    [
      'a package of a workspace',
      MONOREPO,
      { 'packages/core/src/slug.ts': '', 'packages/fold/src/index.ts': '' },
      { 'packages/core/src/slug.ts': 'product: product_code', 'packages/fold/src/index.ts': 'product: product_code' },
    ],
    [
      'a module that no entry point leads to yet',
      MONOREPO,
      { 'packages/core/src/extra.ts': '' },
      { 'packages/core/src/extra.ts': 'product: product_code' },
    ],
    [
      'Go, with what it embeds',
      GO_MODULE,
      { 'slug.go': '', 'cmd/slug/main.go': '', 'letters.txt': '' },
      {
        'slug.go': 'product: product_code',
        'cmd/slug/main.go': 'product: product_code',
        'letters.txt': 'product: product_data',
      },
    ],
    [
      'an internal Go package with tests of its own',
      {
        ...GO_MODULE,
        files: {
          ...GO_MODULE.files,
          'internal/fold/fold.go': 'package fold\n',
          'internal/fold/fold_test.go': 'package fold\n',
        },
      },
      { 'internal/fold/fold.go': '' },
      { 'internal/fold/fold.go': 'product: product_code' },
    ],
    ['Rust', CRATE, { 'src/words.rs': '' }, { 'src/words.rs': 'product: product_code' }],
    [
      'first examples of a crate, with their data',
      CRATE,
      { 'examples/demo.rs': 'fn main() {}', 'examples/demo.json': '{}' },
      { 'examples/demo.rs': 'product: new_file', 'examples/demo.json': 'product: new_file' },
    ],
    [
      'settings of a bundler and of end-to-end tests, which the tests did not look for',
      NODE_PACKAGE,
      { 'rollup.config.js': '', 'playwright.config.ts': '' },
      { 'rollup.config.js': 'product: new_file', 'playwright.config.ts': 'product: new_file' },
    ],
    [
      'C, also with assert.h',
      C_PROGRAM,
      { 'src/slug.c': '', 'src/slug.h': '', 'src/main.c': '' },
      {
        'src/slug.c': 'product: product_code',
        'src/slug.h': 'product: product_code',
        'src/main.c': 'product: product_code',
      },
    ],
    ['a generator of C sources', C_PROGRAM, { 'tools/gen.py': '' }, { 'tools/gen.py': 'product: generator' }],
    [
      'shell',
      SHELL_PROGRAM,
      { 'slug.sh': '', 'case.sh': '' },
      { 'slug.sh': 'product: product_code', 'case.sh': 'product: product_code' },
    ],
    [
      'deleted and renamed',
      PYTHON_PACKAGE,
      { 'sluggish/core.py': null, 'sluggish/engine.py': '' },
      { 'sluggish/core.py': 'product: product_code', 'sluggish/engine.py': 'product: new_file' },
    ],
    [
      'an executable bit',
      NODE_PACKAGE,
      { 'bin/sluggish': { mode: true } },
      { 'bin/sluggish': 'product: product_code' },
    ],
  ]);

  test('C sources named like tests that another target builds', async () => {
    const built = {
      ...C_PROGRAM,
      files: {
        ...C_PROGRAM.files,
        Makefile: `${C_PROGRAM.files['Makefile']}\nspeed: src/speed_test.c\n\tcc -o $@ $^\n`,
      },
    };
    expect(await decisionsOf(built, { 'src/speed_test.c': '' })).toEqual({
      'src/speed_test.c': 'product: product_code',
    });
  });

  test('the only file, although it sounds like a test', async () => {
    const library: SampleRepository = {
      runner: 'script',
      ecosystem: 'shell',
      command: 'sh lib_test.sh',
      files: { lib: '#!/bin/sh\nassertEquals() { :; }\n', 'lib_test.sh': '. ./lib\n' },
    };
    expect(await decisionsOf(library, { lib: '#!/bin/sh\n' })).toEqual({ lib: 'product: product_code' });
  });
});

describe('new product files', () => {
  allowAll([
    [
      'a module beside others',
      PYTHON_PACKAGE,
      { 'sluggish/words.py': '' },
      { 'sluggish/words.py': 'product: new_file' },
    ],
    [
      'a package beside others',
      PYTHON_PACKAGE,
      { 'sluggish/words/__init__.py': 'x = 1\n', 'sluggish/words/types.py': '' },
      { 'sluggish/words/__init__.py': 'product: new_file', 'sluggish/words/types.py': 'product: new_file' },
    ],
    [
      'a module with the name of one of Python, inside a package',
      PYTHON_PACKAGE,
      { 'sluggish/json.py': '' },
      { 'sluggish/json.py': 'product: new_file' },
    ],
    [
      'named like a test, and imported by the product',
      PYTHON_PACKAGE,
      { 'sluggish/core.py': 'from . import load_test\n', 'sluggish/load_test.py': '' },
      { 'sluggish/core.py': 'product: product_code', 'sluggish/load_test.py': 'product: product_code' },
    ],
    [
      'named like a test, imported by another new module',
      NODE_PACKAGE,
      { 'lib/a.js': "require('./b.spec');\n", 'lib/b.spec.js': '' },
      { 'lib/a.js': 'product: new_file', 'lib/b.spec.js': 'product: product_code' },
    ],
    [
      'a directory beside the module of its name',
      NODE_PACKAGE,
      { 'lib/slug/words.js': '' },
      { 'lib/slug/words.js': 'product: new_file' },
    ],
    [
      'JavaScript becomes TypeScript',
      NODE_PACKAGE,
      { 'lib/slug.js': null, 'lib/slug.ts': '' },
      { 'lib/slug.js': 'product: product_code', 'lib/slug.ts': 'product: new_file' },
    ],
    [
      'what the compiler would find before the source',
      MONOREPO,
      { 'packages/core/src/slug.js': '' },
      { 'packages/core/src/slug.js': 'product: new_file' },
    ],
    [
      'a package of the workspace, with its settings',
      MONOREPO,
      {
        'packages/new/package.json': '{"name": "@s/new"}',
        'packages/new/tsconfig.json': '{}',
        'packages/new/src/index.ts': '',
      },
      {
        'packages/new/package.json': 'product: new_file',
        'packages/new/tsconfig.json': 'product: new_file',
        'packages/new/src/index.ts': 'product: new_file',
      },
    ],
    [
      'a module of Go in a directory of its own',
      GO_MODULE,
      { 'tools/go.mod': 'module tools\n', 'tools/main.go': '' },
      { 'tools/go.mod': 'product: new_file', 'tools/main.go': 'product: new_file' },
    ],
    ['Go for one system', GO_MODULE, { 'slug_linux.go': 'package slug\n' }, { 'slug_linux.go': 'product: new_file' }],
    [
      'a module of Rust becomes a directory',
      CRATE,
      { 'src/words.rs': null, 'src/words/mod.rs': '' },
      { 'src/words.rs': 'product: product_code', 'src/words/mod.rs': 'product: new_file' },
    ],
    [
      'data from which a build script of Rust writes product code',
      crateWithScript({}),
      { 'words.txt': 'a\nb\n' },
      { 'words.txt': 'product: product_data' },
    ],
    [
      'a program beside the library',
      CRATE,
      { 'src/main.rs': 'fn main() {}\n' },
      { 'src/main.rs': 'product: new_file' },
    ],
    [
      'a C source',
      C_PROGRAM,
      { 'src/fold.c': '', 'src/fold.h': '' },
      { 'src/fold.c': 'product: new_file', 'src/fold.h': 'product: new_file' },
    ],
    [
      'a directory of headers that the compiler was told of',
      C_PROGRAM,
      { 'include/fold.h': '' },
      { 'include/fold.h': 'product: new_file' },
    ],
    ['a shell library', SHELL_PROGRAM, { 'lib/fold.sh': '' }, { 'lib/fold.sh': 'product: new_file' }],
    [
      'a link to the product',
      NODE_PACKAGE,
      { 'lib/alias.js': { link: 'slug.js' } },
      { 'lib/alias.js': 'product: new_file' },
    ],
  ]);
});

describe('tests that belong to the change', () => {
  allowAll([
    [
      'a new test beside a fix',
      PYTHON_PACKAGE,
      { 'sluggish/core.py': '', 'tests/test_more.py': '' },
      { 'sluggish/core.py': 'product: product_code', 'tests/test_more.py': 'added_test: new_test' },
    ],
    [
      'a new test in a directory of its own',
      PYTHON_PACKAGE,
      { 'tests/more/__init__.py': 'x = 1\n', 'tests/more/conftest.py': '', 'tests/more/test_a.py': '' },
      {
        'tests/more/__init__.py': 'added_test: new_test_support',
        'tests/more/conftest.py': 'added_test: new_test',
        'tests/more/test_a.py': 'added_test: new_test',
      },
    ],
    [
      'the tests become a package',
      PYTHON_PACKAGE,
      { 'tests/__init__.py': '"""Tests."""\n' },
      { 'tests/__init__.py': 'added_test: new_test_support' },
    ],
    [
      'a changed test',
      PYTHON_PACKAGE,
      { 'tests/test_core.py': 'def test_more(): pass\n' },
      { 'tests/test_core.py': 'no_vote: collected_test' },
    ],
    [
      'a moved test',
      PYTHON_PACKAGE,
      { 'tests/test_core.py': null, 'tests/unit/test_core.py': '' },
      { 'tests/test_core.py': 'no_vote: collected_test', 'tests/unit/test_core.py': 'added_test: new_test' },
    ],
    [
      'a new fixture and a new helper',
      PYTHON_PACKAGE,
      { 'tests/data/more.json': '', 'tests/builders.py': '' },
      { 'tests/data/more.json': 'added_test: new_test_support', 'tests/builders.py': 'added_test: new_test_support' },
    ],
    [
      'data in a directory that only tests use',
      { ...PYTHON_FLAT, files: { ...PYTHON_FLAT.files, 'cases/a.yml': '' } },
      { 'cases/b.yml': '' },
      { 'cases/b.yml': 'added_test: new_test_support' },
    ],
    [
      'the first file of its kind in a directory that the run searches',
      { ...PYTHON_PACKAGE, files: { ...PYTHON_PACKAGE.files, 'plugins/.gitkeep': '' }, dirs_listed: ['plugins'] },
      { 'plugins/more.py': '' },
      { 'plugins/more.py': 'added_test: new_test_support' },
    ],
    ['a test of mocha', NODE_PACKAGE, { 'test/words.js': '' }, { 'test/words.js': 'added_test: new_test_support' }],
    [
      'a test beside its source',
      NODE_PACKAGE,
      { 'lib/words.test.js': '' },
      { 'lib/words.test.js': 'added_test: new_test' },
    ],
    [
      'a test by the pattern of this repository',
      { ...NODE_PACKAGE, collected: ['lib/slug.check.js'], files: { ...NODE_PACKAGE.files, 'lib/slug.check.js': '' } },
      { 'lib/words.check.js': '' },
      { 'lib/words.check.js': 'added_test: new_test' },
    ],
    [
      'a helper becomes TypeScript',
      NODE_PACKAGE,
      { 'test/helper.js': null, 'test/helper.ts': '' },
      { 'test/helper.js': 'no_vote: test_file', 'test/helper.ts': 'added_test: new_test_support' },
    ],
    [
      'a snapshot for a test without one',
      { ...MONOREPO, looked_for: ['packages/core/src/__snapshots__/words.test.ts.snap'] },
      { 'packages/core/src/__snapshots__/words.test.ts.snap': '' },
      { 'packages/core/src/__snapshots__/words.test.ts.snap': 'added_test: new_test' },
    ],
    [
      'a Go test',
      GO_MODULE,
      { 'words_test.go': 'package slug_test\n', 'slug_linux_test.go': 'package slug\n' },
      { 'words_test.go': 'added_test: new_test', 'slug_linux_test.go': 'added_test: new_test' },
    ],
    [
      'first unit tests of a module of Rust',
      CRATE,
      { 'src/words.rs': 'pub fn words() {}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn one() {}\n}\n' },
      { 'src/words.rs': 'merged: inline_tests' },
    ],
    [
      'an integration test of Rust',
      CRATE,
      { 'tests/more.rs': '' },
      { 'tests/more.rs': 'added_test: new_test_support' },
    ],
    ['a C test', C_PROGRAM, { 'tests/test_words.c': '' }, { 'tests/test_words.c': 'added_test: new_test' }],
    [
      'a mock for new tests',
      MONOREPO,
      { '__mocks__/fs.ts': '', 'packages/core/src/__mocks__/slug.ts': '' },
      {
        '__mocks__/fs.ts': 'added_test: new_test_support',
        'packages/core/src/__mocks__/slug.ts': 'added_test: new_test_support',
      },
    ],
    [
      'product with an ending that one of many tests has',
      {
        ...NODE_PACKAGE,
        collected: ['test/app.use.js', 'test/app.all.js', 'test/res.send.js'],
        files: { ...NODE_PACKAGE.files, 'test/app.use.js': '', 'test/app.all.js': '', 'test/res.send.js': '' },
      },
      { 'lib/fast.use.js': '' },
      { 'lib/fast.use.js': 'product: new_file' },
    ],
    [
      'a package in a fixture',
      { ...NODE_PACKAGE, files: { ...NODE_PACKAGE.files, 'test/fixtures/app/index.js': '' } },
      { 'test/fixtures/app/node_modules/x/index.js': '', 'test/fixtures/app/tsconfig.json': '{}' },
      {
        'test/fixtures/app/node_modules/x/index.js': 'added_test: new_test_support',
        'test/fixtures/app/tsconfig.json': 'added_test: new_test_support',
      },
    ],
  ]);
});

describe('tests written before their module', () => {
  const first = (
    repository: SampleRepository,
    test_: string,
    text: string,
    looked: readonly string[],
  ): SampleRepository => ({
    ...repository,
    files: { ...repository.files, [test_]: text },
    collected: [...(repository.collected ?? []), test_],
    failing: [test_],
    looked_for: [...(repository.looked_for ?? []), ...looked],
  });
  allowAll([
    [
      'JavaScript',
      first(NODE_PACKAGE, 'test/fold.test.js', "require('../lib/fold');\n", ['lib/fold', 'lib/fold.js']),
      { 'lib/fold.js': '' },
      { 'lib/fold.js': 'product: awaited_module' },
    ],
    [
      'TypeScript, by the name of the output',
      first(MONOREPO, 'packages/core/src/fold.test.ts', "import { fold } from './fold.js';\n", [
        'packages/core/src/fold.js',
        'packages/core/src/fold.ts',
      ]),
      { 'packages/core/src/fold.ts': '' },
      { 'packages/core/src/fold.ts': 'product: awaited_module' },
    ],
    [
      'TypeScript, by alias',
      first(MONOREPO, 'packages/core/test/fold.test.ts', "import { fold } from '@/fold';\n", [
        'packages/core/src/fold.ts',
      ]),
      { 'packages/core/src/fold.ts': '' },
      { 'packages/core/src/fold.ts': 'product: awaited_module' },
    ],
    [
      'Python',
      first(PYTHON_PACKAGE, 'tests/test_fold.py', 'from sluggish.fold import fold\n', []),
      { 'sluggish/fold.py': '' },
      { 'sluggish/fold.py': 'product: awaited_module' },
    ],
    [
      'Go',
      first(GO_MODULE, 'fold_test.go', 'package slug\nimport "example.com/slug/fold"\n', ['fold']),
      { 'fold/fold.go': '' },
      { 'fold/fold.go': 'product: awaited_module' },
    ],
    [
      'Go, a package of which only its tests are there',
      { ...first(GO_MODULE, 'fold/fold_test.go', 'package fold\n', []), unloaded: ['fold/fold_test.go'] },
      { 'fold/fold.go': '' },
      { 'fold/fold.go': 'product: awaited_module' },
    ],
    [
      'Rust',
      first(CRATE, 'src/extra.rs', 'mod fold;\n', ['src/extra/fold.rs']),
      { 'src/extra/fold.rs': '' },
      { 'src/extra/fold.rs': 'product: awaited_module' },
    ],
    [
      'a C header',
      first(C_PROGRAM, 'tests/test_fold.c', '#include "fold.h"\n', ['tests/fold.h', 'include/fold.h']),
      { 'include/fold.h': '' },
      { 'include/fold.h': 'product: awaited_module' },
    ],
    [
      'a program that the test starts',
      first(PYTHON_FLAT, 'test_cli.py', 'import subprocess\nsubprocess.run(["python3", "cli.py"])\n', ['cli.py']),
      { 'cli.py': '' },
      { 'cli.py': 'product: new_file' },
    ],
    [
      'a shell script that the test starts',
      first(SHELL_PROGRAM, 'tests/new.sh', 'sh ./fold.sh A\n', ['fold.sh']),
      { 'fold.sh': '' },
      { 'fold.sh': 'product: new_file' },
    ],
  ]);
});

describe('what decides nothing', () => {
  allowAll([
    [
      'documents',
      PYTHON_PACKAGE,
      { 'README.md': '', 'docs/usage.rst': '', 'CHANGELOG.md': '' },
      { 'README.md': 'shown: document', 'docs/usage.rst': 'shown: document', 'CHANGELOG.md': 'shown: document' },
    ],
    ['a readme that Cargo looked for', CRATE, { 'README.md': '# slug\n' }, { 'README.md': 'shown: document' }],
    [
      'settings of a linter',
      NODE_PACKAGE,
      { 'eslint.config.js': '', '.editorconfig': '' },
      { 'eslint.config.js': 'shown: style_settings', '.editorconfig': 'shown: style_settings' },
    ],
    ['rules for git', NODE_PACKAGE, { '.gitignore': 'dist\n' }, { '.gitignore': 'shown: ignore_rules' }],
    [
      'a script that tests do not start',
      PYTHON_PACKAGE,
      { 'scripts/release.py': '' },
      { 'scripts/release.py': 'shown: not_read' },
    ],
    [
      'settings that the run did not use',
      MONOREPO,
      { 'tsconfig.build.json': '{}' },
      { 'tsconfig.build.json': 'shown: settings_not_read' },
    ],
    [
      'settings of another ecosystem',
      PYTHON_PACKAGE,
      { 'jest.config.js': '', 'web/tsconfig.json': '{}' },
      { 'jest.config.js': 'product: new_file', 'web/tsconfig.json': 'product: new_file' },
    ],
    ['a Makefile that no test uses', PYTHON_PACKAGE, { Makefile: 'fmt:\n' }, { Makefile: 'product: new_file' }],
    [
      'a stricter type checker',
      MONOREPO,
      { 'tsconfig.json': '{"compilerOptions": {"target": "es2022", "strict": true, "noUnusedLocals": true}}' },
      { 'tsconfig.json': 'shown: other_section' },
    ],
    [
      'names for paths that nothing uses yet',
      MONOREPO,
      {
        'tsconfig.json': '{"compilerOptions": {"target": "es2022", "strict": true, "paths": {"@/lib/*": ["./lib/*"]}}}',
      },
      { 'tsconfig.json': 'product: new_aliases' },
    ],
    [
      'an example of environment variables',
      NODE_PACKAGE,
      { '.env.example': 'PORT=\n' },
      { '.env.example': 'product: new_file' },
    ],
  ]);

  const sections: SampleRepository = {
    ...PYTHON_PACKAGE,
    files: {
      ...PYTHON_PACKAGE.files,
      'tox.ini': '[tox]\nenvlist = py311\n[pytest]\naddopts = -q\n',
      'setup.cfg': '[metadata]\nname = x\n',
    },
  };
  allowAll([
    [
      'another section of tox.ini',
      sections,
      { 'tox.ini': '[tox]\nenvlist = py312\n\n[pytest]\n# quiet\naddopts = -q\n' },
      { 'tox.ini': 'shown: other_section' },
    ],
    [
      'the section of tox.ini that pytest reads',
      sections,
      { 'tox.ini': '[tox]\nenvlist = py311\n[pytest]\naddopts = -q -k no\n' },
      { 'tox.ini': 'refused: settings_changed' },
    ],
    [
      'environments, where tox starts the tests',
      { ...sections, runner: 'script' },
      { 'tox.ini': '[tox]\nenvlist = none\n[pytest]\naddopts = -q\n' },
      { 'tox.ini': 'refused: settings_changed' },
    ],
    [
      'metadata in setup.cfg',
      sections,
      { 'setup.cfg': '[metadata]\nname = y\n' },
      { 'setup.cfg': 'shown: other_section' },
    ],
    [
      'setup.cfg gains a section for pytest',
      sections,
      { 'setup.cfg': '[metadata]\nname = x\n[tool:pytest]\naddopts = --co\n' },
      { 'setup.cfg': 'refused: settings_changed' },
    ],
    [
      'a new setup.cfg without tests in it',
      PYTHON_PACKAGE,
      { 'setup.cfg': '[metadata]\nname = x\n' },
      { 'setup.cfg': 'shown: other_section' },
    ],
  ]);
});

test('a loose module with examples in its docstrings is product with tests in it', async () => {
  const loose: SampleRepository = {
    runner: 'pytest',
    ecosystem: 'python',
    files: {
      'words.py': 'def one():\n    """\n    >>> one()\n    1\n    """\n    return 1\n',
      'checks.py': 'def test_one(): pass\n',
    },
    collected: ['words.py', 'checks.py'],
    doctested: ['words.py'],
  };
  expect(await decisionsOf(loose, { 'words.py': 'def one():\n    return 2\n', 'checks.py': '' })).toEqual({
    'words.py': 'merged: inline_tests',
    'checks.py': 'no_vote: collected_test',
  });
});

describe('data', () => {
  const page: SampleRepository = {
    runner: 'unittest',
    ecosystem: 'python',
    files: {
      'index.html': '<p>\n',
      'deploy/service.json': '{}\n',
      'cases.json': '[]\n',
      'expected.txt': 'x\n',
      'tests/data.json': '{}\n',
      'test_page.py': 'open("index.html"); open("cases.json"); open("expected.txt"); open("deploy/service.json")\n',
    },
    collected: ['test_page.py'],
  };
  test('of a tree without code is what its tests are about', async () => {
    const patch = {
      'index.html': '',
      'deploy/service.json': '',
      'cases.json': '',
      'expected.txt': '',
      'tests/data.json': '',
    };
    expect(await decisionsOf(page, patch)).toEqual({
      'index.html': 'product: product_data',
      'deploy/service.json': 'product: product_data',
      'cases.json': 'no_vote: read_by_run',
      'expected.txt': 'no_vote: read_by_run',
      'tests/data.json': 'no_vote: test_file',
    });
  });

  test('that the code of the product opens is product, also if tests name it', async () => {
    const named = {
      ...page,
      files: { ...page.files, 'app.py': 'def page():\n    return open("index.html").read()  # not cases.json\n' },
    };
    expect(await decisionsOf(named, { 'index.html': '', 'deploy/service.json': '', 'cases.json': '' })).toEqual({
      'index.html': 'product: product_data',
      'deploy/service.json': 'no_vote: read_by_run',
      'cases.json': 'both: named_by_both',
    });
  });
});

describe('targets of a Makefile', () => {
  const makefile = C_PROGRAM.files['Makefile'] ?? '';
  const helped = `${makefile}\nhelp: ## This text\n\t@echo "make test"\n\nclean:\n\trm -f slug\n\n.PHONY: test help clean\n`;
  const repository = { ...C_PROGRAM, files: { ...C_PROGRAM.files, Makefile: helped } };
  const cleaned = {
    ...repository,
    files: { ...repository.files, 'tests/cli.sh': '#!/bin/sh\nmake clean\n./slug x | diff - tests/expected.txt\n' },
  };
  allowAll([
    [
      'another help text, and an install target',
      repository,
      {
        Makefile: `${helped.replace('"make test"', '"make test, make install"')}\ninstall: slug\n\tcp slug /usr/bin\n\n.PHONY: install\n`,
      },
      { Makefile: 'shown: other_targets' },
    ],
    [
      'a program of its own, which is installed',
      repository,
      { Makefile: `${helped}\ntool: slug.c\n\tcc -o $@ $<\n\ninstall: tool\n\tcp tool /usr/bin\n` },
      { Makefile: 'shown: other_targets' },
    ],
    [
      'one that the tests need, by way of another',
      repository,
      { Makefile: `${helped.replace('test: test_slug', 'test: test_slug tool')}\ntool: extra\n\nextra:\n\ttrue\n` },
      { Makefile: 'refused: settings_changed' },
    ],
    [
      'one that a test makes',
      cleaned,
      { Makefile: helped.replace('rm -f slug', 'rm -f slug tests/expected.txt') },
      { Makefile: 'refused: settings_changed' },
    ],
    [
      'a second rule for the tests',
      repository,
      { Makefile: `${helped}\ntest:\n\t@true\n` },
      { Makefile: 'refused: settings_changed' },
    ],
    [
      'a new first target',
      repository,
      { Makefile: `all:\n\t@true\n\n${helped}` },
      { Makefile: 'refused: settings_changed' },
    ],
    [
      'a target that others need',
      repository,
      { Makefile: helped.replace('test: test_slug', 'test: test_slug help').replace('"make test"', 'x') },
      { Makefile: 'refused: settings_changed' },
    ],
    [
      'a variable beside a target',
      repository,
      { Makefile: helped.replace('help: ##', 'CC = true\n\nhelp: ##') },
      { Makefile: 'refused: settings_changed' },
    ],
    [
      'a variable that only a new target uses',
      repository,
      { Makefile: `PREFIX ?= /usr/local\n\n${helped}\ninstall: slug\n\tcp slug $(PREFIX)/bin\n` },
      { Makefile: 'shown: other_targets' },
    ],
    [
      'a variable of the compiler',
      repository,
      { Makefile: `CFLAGS = -DNDEBUG\n\n${helped}` },
      { Makefile: 'refused: settings_changed' },
    ],
    [
      'a variable that goes to every command',
      repository,
      { Makefile: `export\nMODE = quiet\n\n${helped}` },
      { Makefile: 'refused: settings_changed' },
    ],
  ]);
});

describe('versions in build files', () => {
  const withBuild = (path: string, text: string): SampleRepository => ({
    ...C_PROGRAM,
    command: path === 'Makefile' ? 'make test' : 'ctest',
    files: { ...C_PROGRAM.files, [path]: text },
  });
  const makefile = `VERSION = 1.0.0\n${C_PROGRAM.files['Makefile'] ?? ''}`;
  const cmake =
    'cmake_minimum_required(VERSION 3.10)\nproject(slug VERSION 1.0.0 LANGUAGES C)\nadd_test(NAME t COMMAND t)\n';
  allowAll([
    [
      'of make',
      withBuild('Makefile', makefile),
      { Makefile: makefile.replace('1.0.0', '1.1.0-rc1') },
      { Makefile: 'product: version_only' },
    ],
    [
      'that call a program',
      withBuild('Makefile', makefile),
      { Makefile: makefile.replace('1.0.0', '$(shell true)') },
      { Makefile: 'refused: settings_changed' },
    ],
    [
      'with another variable beside them',
      withBuild('Makefile', makefile),
      { Makefile: makefile.replace('1.0.0', '1.0.1').replace('CC = cc', 'CC = true') },
      { Makefile: 'refused: settings_changed' },
    ],
    [
      'of CMake',
      withBuild('CMakeLists.txt', cmake),
      { 'CMakeLists.txt': cmake.replace('1.0.0', '1.1.0') },
      { 'CMakeLists.txt': 'product: version_only' },
    ],
    [
      'of CMake, with a source more',
      withBuild('CMakeLists.txt', `${cmake}add_library(slug src/slug.c)\n`),
      { 'CMakeLists.txt': `${cmake.replace('1.0.0', '1.1.0')}add_library(slug src/slug.c src/fold.c)\n` },
      { 'CMakeLists.txt': 'product: source_list' },
    ],
    [
      'of CMake itself',
      withBuild('CMakeLists.txt', cmake),
      { 'CMakeLists.txt': cmake.replace('3.10', '2.8') },
      { 'CMakeLists.txt': 'refused: settings_changed' },
    ],
  ]);
});

describe('build files that name a source more', () => {
  const makefile = C_PROGRAM.files['Makefile'] ?? '';
  const cmake: SampleRepository = {
    ...C_PROGRAM,
    command: 'ctest',
    files: {
      ...C_PROGRAM.files,
      'CMakeLists.txt':
        'set(SRCS src/slug.c)\nadd_library(slug ${SRCS}\n  src/words.c)\nadd_executable(t tests/test_slug.c)\nadd_test(NAME t COMMAND t)\n',
    },
  };
  const cmakeText = cmake.files['CMakeLists.txt'] ?? '';
  allowAll([
    [
      'in a list',
      C_PROGRAM,
      { Makefile: makefile.replace('src/words.c\n', 'src/words.c src/fold.c\n') },
      { Makefile: 'product: source_list' },
    ],
    [
      'in a rule of a test',
      C_PROGRAM,
      { Makefile: makefile.replace('src/slug.c src/words.c\n\t', 'src/slug.c src/words.c src/fold.c\n\t') },
      { Makefile: 'product: source_list' },
    ],
    [
      'on a line of its own',
      cmake,
      { 'CMakeLists.txt': cmakeText.replace('src/words.c)', 'src/words.c\n  src/fold.c)') },
      { 'CMakeLists.txt': 'product: source_list' },
    ],
    [
      'a test less',
      C_PROGRAM,
      { Makefile: makefile.replace(' tests/check.c', ' src/fold.c') },
      { Makefile: 'refused: settings_changed' },
    ],
    [
      'a test more',
      C_PROGRAM,
      { Makefile: makefile.replace('tests/check.c', 'tests/check.c tests/other.c') },
      { Makefile: 'refused: settings_changed' },
    ],
    [
      'another command',
      C_PROGRAM,
      { Makefile: makefile.replace('./test_slug\n', './test_slug || true\n') },
      { Makefile: 'refused: settings_changed' },
    ],
    [
      'a word more for a program',
      C_PROGRAM,
      { Makefile: makefile.replace('sh tests/cli.sh', 'sh src/fold.s tests/cli.sh') },
      { Makefile: 'refused: settings_changed' },
    ],
    [
      'flags of the shell',
      { ...C_PROGRAM, files: { ...C_PROGRAM.files, Makefile: `.SHELLFLAGS = -c\n${makefile}` } },
      { Makefile: `.SHELLFLAGS = -c ./x.s\n${makefile}` },
      { Makefile: 'refused: settings_changed' },
    ],
    [
      'in a list, with an object of its own, another target and more warnings',
      C_PROGRAM,
      {
        Makefile: `${makefile.replace('src/words.c\n', 'src/words.c src/fold.c\n')}\nsrc/fold.o: src/fold.c src/fold.h\n\t$(CC) $(CFLAGS) -Wall -c -o $@ $<\n\ninstall: slug\n\tcp slug /usr/bin\n\n.PHONY: test install\n`,
      },
      { Makefile: 'product: source_list' },
    ],
    [
      'a list of headers, which objects need',
      C_PROGRAM,
      {
        Makefile: makefile
          .replace('src/words.c\n', 'src/words.c src/fold.c\nHEADERS = src/slug.h src/fold.h\n')
          .concat('\nsrc/slug.o src/fold.o: $(HEADERS)\n'),
      },
      { Makefile: 'product: source_list' },
    ],
    [
      'a list that the base names, and does not set',
      {
        ...C_PROGRAM,
        files: { ...C_PROGRAM.files, Makefile: makefile.replace('sh tests/cli.sh', 'sh $(FILES) tests/cli.sh') },
      },
      { Makefile: `FILES = src/fold.s\n${makefile.replace('sh tests/cli.sh', 'sh $(FILES) tests/cli.sh')}` },
      { Makefile: 'refused: settings_changed' },
    ],
    [
      'an object made of another source',
      C_PROGRAM,
      { Makefile: `${makefile}\nsrc/slug.o: src/fold.c\n\t$(CC) -c -o $@ $<\n` },
      { Makefile: 'refused: settings_changed' },
    ],
    [
      'an object with a macro',
      C_PROGRAM,
      { Makefile: `${makefile}\nsrc/slug.o: src/slug.c\n\t$(CC) -DNDEBUG -c -o $@ $<\n` },
      { Makefile: 'refused: settings_changed' },
    ],
    [
      'a program of the tests that is phony from now on, and so not built',
      {
        ...C_PROGRAM,
        files: {
          ...C_PROGRAM.files,
          Makefile: makefile.replace('words.c\n\t$(CC) -o $@ $^\n\ntest:', 'words.c\n\ntest:'),
        },
      },
      {
        Makefile: `${makefile.replace('words.c\n\t$(CC) -o $@ $^\n\ntest:', 'words.c\n\ntest:')}\n.PHONY: test_slug\n`,
      },
      { Makefile: 'refused: settings_changed' },
    ],
    [
      "a library of one's own in the place of one of C",
      {
        ...C_PROGRAM,
        files: { ...C_PROGRAM.files, Makefile: makefile.replace('-o $@ $^\n\ntest:', '-L. -o $@ $^\n\ntest:') },
      },
      { Makefile: makefile.replace('-o $@ $^\n\ntest:', '-L. -o $@ $^ -lm\n\ntest:') },
      { Makefile: 'refused: settings_changed' },
    ],
    [
      'a new test of its own',
      C_PROGRAM,
      {
        Makefile: `${makefile.replace('test: test_slug\n', 'test: test_slug test_words\n').replace('./test_slug\n', './test_slug\n\t./test_words\n')}\ntest_words: tests/test_words.c src/words.c\n\t$(CC) -o $@ $^\n`,
      },
      { Makefile: 'merged: names_new_tests' },
    ],
    [
      'a new test that is built in the place of another',
      C_PROGRAM,
      {
        Makefile: `${makefile.replace('test: test_slug\n', 'test: test_slug test_words\n')}\ntest_words: tests/test_words.c\n\t$(CC) -o test_slug $^\n`,
      },
      { Makefile: 'refused: settings_changed' },
    ],
    [
      'a new test of CMake, and a library for the old one',
      cmake,
      {
        'CMakeLists.txt': `${cmakeText}add_library(fold STATIC src/fold.c)\ntarget_link_libraries(t fold m)\nadd_executable(test_fold tests/test_fold.c)\ntarget_link_libraries(test_fold fold)\nadd_test(NAME fold_works COMMAND test_fold)\ninstall(TARGETS slug)\n`,
      },
      { 'CMakeLists.txt': 'merged: names_new_tests' },
    ],
    [
      'directories of headers, which a test of CMake gets from a library',
      cmake,
      {
        'CMakeLists.txt': `${cmakeText}add_library(fold src/fold.c)\ntarget_include_directories(fold PUBLIC src/own)\ntarget_link_libraries(t fold)\n`,
      },
      { 'CMakeLists.txt': 'refused: settings_changed' },
    ],
    [
      'a new program of CMake, linked with the library of the base',
      cmake,
      {
        'CMakeLists.txt': `${cmakeText}add_executable(slug-words src/main.c)\ntarget_link_libraries(slug-words slug)\ninstall(TARGETS slug slug-words)\n`,
      },
      { 'CMakeLists.txt': 'product: source_list' },
    ],
    [
      'a test of CMake that is linked with another part of the base',
      cmake,
      { 'CMakeLists.txt': `${cmakeText}target_link_libraries(t slug)\n` },
      { 'CMakeLists.txt': 'refused: settings_changed' },
    ],
    [
      'tests of CMake in a comment',
      cmake,
      { 'CMakeLists.txt': cmakeText.replace('add_test', '#[[\nadd_test').concat('#]]\n') },
      { 'CMakeLists.txt': 'refused: settings_changed' },
    ],
    [
      'code that CMake runs while installing',
      cmake,
      { 'CMakeLists.txt': `${cmakeText}install(CODE "message(x)")\n` },
      { 'CMakeLists.txt': 'refused: settings_changed' },
    ],
    [
      'a word more for a test of CMake',
      cmake,
      { 'CMakeLists.txt': cmakeText.replace('COMMAND t', 'COMMAND t src/x.c') },
      { 'CMakeLists.txt': 'refused: settings_changed' },
    ],
    [
      'the compiler of CMake',
      { ...cmake, files: { ...cmake.files, 'CMakeLists.txt': `set(CMAKE_C_COMPILER_LAUNCHER)\n${cmakeText}` } },
      { 'CMakeLists.txt': `set(CMAKE_C_COMPILER_LAUNCHER src/x.s)\n${cmakeText}` },
      { 'CMakeLists.txt': 'refused: settings_changed' },
    ],
  ]);
});

describe('dependencies and manifests', () => {
  allowAll([
    [
      'a lockfile',
      NODE_PACKAGE,
      { 'package-lock.json': '{"a": 1}' },
      { 'package-lock.json': 'dependencies: dependency_list' },
    ],
    [
      'requirements',
      PYTHON_PACKAGE,
      { 'requirements.txt': 'regex==2024.2\n' },
      { 'requirements.txt': 'dependencies: dependency_list' },
    ],
    [
      'Go and Rust',
      GO_MODULE,
      { 'go.mod': '', 'go.sum': 'x' },
      { 'go.mod': 'merged: manifest', 'go.sum': 'dependencies: dependency_list' },
    ],
    [
      'a first manifest',
      { ...PYTHON_FLAT, looked_for: [...(PYTHON_FLAT.looked_for ?? [])] },
      { 'pyproject.toml': '[project]\nname = "x"\n' },
      { 'pyproject.toml': 'merged: manifest' },
    ],
    [
      'a manifest in a fixture',
      { ...NODE_PACKAGE, files: { ...NODE_PACKAGE.files, 'test/fixtures/app/package.json': '{}' } },
      { 'test/fixtures/app/package.json': '{"a": 1}' },
      { 'test/fixtures/app/package.json': 'no_vote: test_file' },
    ],
  ]);
});

describe('caches and output of tools are left out', () => {
  allowAll([
    [
      'of Python',
      PYTHON_PACKAGE,
      {
        '.pytest_cache/v/x': '',
        'sluggish/__pycache__/core.cpython-311.pyc': '',
        'tests/__pycache__/x.pyc': '',
        '.coverage': '',
        'sluggish.egg-info/PKG-INFO': '',
      },
      {
        '.pytest_cache/v/x': 'byproduct: tool_cache',
        'sluggish/__pycache__/core.cpython-311.pyc': 'byproduct: tool_cache',
        'tests/__pycache__/x.pyc': 'byproduct: tool_cache',
        '.coverage': 'byproduct: tool_cache',
        'sluggish.egg-info/PKG-INFO': 'byproduct: tool_cache',
      },
    ],
    [
      'of JavaScript',
      NODE_PACKAGE,
      { 'node_modules/.cache/x': '', 'coverage/lcov.info': '', '.nyc_output/a.json': '' },
      {
        'node_modules/.cache/x': 'byproduct: tool_cache',
        'coverage/lcov.info': 'byproduct: tool_cache',
        '.nyc_output/a.json': 'byproduct: tool_cache',
      },
    ],
    [
      'of Rust',
      CRATE,
      { 'target/debug/build/x/build.rs': '' },
      { 'target/debug/build/x/build.rs': 'byproduct: tool_cache' },
    ],
    [
      'of CMake and of virtual environments',
      C_PROGRAM,
      {
        'out/CMakeCache.txt': '',
        'out/Makefile': '',
        'env/pyvenv.cfg': '',
        'env/bin/python': { link: '/usr/bin/python3' },
      },
      {
        'out/CMakeCache.txt': 'byproduct: tool_cache',
        'out/Makefile': 'byproduct: tool_cache',
        'env/pyvenv.cfg': 'byproduct: tool_cache',
        'env/bin/python': 'byproduct: tool_cache',
      },
    ],
  ]);

  test('not where the base tracks them', async () => {
    const tracked = { ...CRATE, files: { ...CRATE.files, 'target/keep.rs': '' } };
    expect(await decisionsOf(tracked, { 'target/more.rs': '' })).toEqual({
      'target/more.rs': 'added_test: new_test_support',
    });
  });

  test('what the base lets git ignore does not enter the judge', async () => {
    const options = { ignored: ['dist/index.js', 'node_modules/chai/index.js'] };
    expect(await decisionsOf(NODE_PACKAGE, { 'dist/index.js': '', 'node_modules/chai/index.js': '' }, options)).toEqual(
      {
        'dist/index.js': 'byproduct: ignored_output',
        'node_modules/chai/index.js': 'byproduct: ignored_output',
      },
    );
  });
});

test('settings of an editor that say nothing to an agent are shown', async () => {
  const settings = '{\n  "editor.formatOnSave": true,\n  "python.testing.pytestEnabled": true\n}\n';
  expect(await decisionsOf(NODE_PACKAGE, { '.vscode/settings.json': settings })).toEqual({
    '.vscode/settings.json': 'shown: style_settings',
  });
});

describe('what a person says', () => {
  test('a deciding file that is allowed by name is judged in the patch version, and marked', async () => {
    const patch = {
      'tests/test_core.py': '',
      'tests/test_new.py': '',
      'pytest.ini': '',
      '.github/workflows/ci.yml': '',
      'pyproject.toml': '',
    };
    const decisions = await decideSample(PYTHON_PACKAGE, patch, {
      allow: ['tests/**', 'pytest.ini', '.github/**', 'pyproject.toml'],
    });
    expect(decisions.map(({ path, kind, deciding, allowed_from }) => [path, kind, deciding, allowed_from])).toEqual([
      ['tests/test_core.py', 'product', 'patch', 'no_vote'],
      ['tests/test_new.py', 'product', 'patch', 'added_test'],
      ['pytest.ini', 'product', 'patch', 'refused'],
      ['.github/workflows/ci.yml', 'product', 'patch', 'refused'],
      ['pyproject.toml', 'merged', 'merged', 'merged'],
    ]);
  });

  test('protected files stay protected', async () => {
    const options = { protect: ['sluggish/core.py', 'new/**'], allow: ['**'] };
    expect(await decisionsOf(PYTHON_PACKAGE, { 'sluggish/core.py': '', 'new/a.py': '' }, options)).toEqual({
      'sluggish/core.py': 'refused: protected_file',
      'new/a.py': 'refused: protected_file',
    });
  });

  test('a decision says in words what it is about', async () => {
    const decisions = await decideSample(PYTHON_PACKAGE, { 'pytest.py': '', 'conftest.py': '' });
    expect(decisions.map(({ sentence }) => sentence)).toEqual([
      'hides the module pytest, which tests load from outside the tree',
      'new conftest.py',
    ]);
  });

  test('a new file names the deciding files whose place it takes', async () => {
    const decisions = await decideSample(NODE_PACKAGE, { 'test/helper.js': null, 'test/helper.ts': '' });
    expect(decisions[1]?.replaces).toEqual(['test/helper.js']);
  });
});
