import type { SampleRepository } from './repository.fixture.ts';

/** What pytest looks for in vain beside the tests of a small project. */
const PYTEST_LOOKUPS = [
  'pytest.ini',
  '.pytest.ini',
  'tox.ini',
  'setup.cfg',
  'setup.py',
  'conftest.py',
  'tests/pytest.ini',
  'tests/pyproject.toml',
  'tests/tox.ini',
  'tests/setup.cfg',
  'tests/__init__.py',
  'RUN_SLOW',
];

export const PYTHON_PACKAGE: SampleRepository = {
  runner: 'pytest',
  ecosystem: 'python',
  files: {
    'pyproject.toml': '[project]\nname = "sluggish"\n[tool.pytest.ini_options]\naddopts = "-q"\n',
    'README.md': '# sluggish\n',
    'requirements.txt': 'regex==2024.1\n',
    '.github/workflows/ci.yml': 'on: push\n',
    'sluggish/__init__.py': 'from .core import slugify\n',
    'sluggish/core.py': 'import json\nfrom . import speed_test\nTABLE = json.load(open("letters.json"))\n',
    'sluggish/speed_test.py': 'def measure(f):\n    return f()\n',
    'sluggish/letters.json': '{"ß": "ss"}\n',
    'sluggish/testing.py': 'def same(a, b):\n    assert a == b\n',
    'scripts/release.py': 'print("release")\n',
    'tests/conftest.py': 'import pytest\n',
    'tests/helper.py': 'def read_cases():\n    return open("tests/data/cases.json")\n',
    'tests/data/cases.json': '[]\n',
    'tests/test_core.py': 'from helper import read_cases\nfrom sluggish.testing import same\nimport golden\n',
    'golden/out.txt': 'a-b\n',
    'golden/__init__.py': 'EXPECTED = open("golden/out.txt").read()\n',
  },
  unread: ['scripts/release.py', 'requirements.txt'],
  collected: ['tests/test_core.py'],
  looked_for: PYTEST_LOOKUPS,
  dirs_listed: ['', 'tests', 'sluggish'],
  outside_modules: ['pytest', '_pytest', 'json', 'regex', 'os.path'],
};

/** Scripts in one directory, without a manifest. */
export const PYTHON_FLAT: SampleRepository = {
  runner: 'pytest',
  ecosystem: 'python',
  files: {
    'slug.py':
      'import json\nLETTERS = json.load(open("letters.json"))\ndef slugify(s):\n    assert isinstance(s, str)\n    return s\n',
    'words.py': 'def words(s):\n    return s.split()\n',
    'letters.json': '{}\n',
    'testing.py': 'def same(a, b):\n    assert a == b, (a, b)\n',
    'test_slug.py': 'from slug import slugify\nfrom testing import same\nCASES = open("golden/out.txt")\n',
    'golden/out.txt': 'a-b\n',
    'README.md': 'slugs\n',
  },
  collected: ['test_slug.py'],
  looked_for: ['pytest.ini', 'pyproject.toml', 'tox.ini', 'setup.cfg', 'setup.py', 'conftest.py', '__init__.py'],
  outside_modules: ['pytest', 'json'],
};

export const NODE_PACKAGE: SampleRepository = {
  runner: 'mocha',
  ecosystem: 'javascript',
  command: 'npm test',
  files: {
    'package.json': JSON.stringify({
      name: 'sluggish',
      main: 'index.js',
      bin: { sluggish: './bin/sluggish' },
      scripts: { pretest: 'node scripts/build.js', test: 'sh scripts/check.sh' },
    }),
    'package-lock.json': '{}\n',
    'index.js': "module.exports = require('./lib/slug');\n",
    'bin/sluggish': "#!/usr/bin/env node\nrequire('../lib/cli');\n",
    'lib/slug.js': "const letters = require('./letters.json');\nexports.slugify = (s) => s;\n",
    'lib/letters.json': '{}\n',
    'lib/cli.js': "require('./slug');\n",
    'scripts/build.js': "require('fs').writeFileSync('lib/letters.json', '{}');\n",
    'scripts/check.sh': '#!/bin/sh\nset -e\nmocha --recursive\n',
    'test/slug.test.js': "const { same } = require('./helper');\nrequire('..');\n",
    'test/helper.js': "exports.same = require('assert').equal;\n",
    'test/fixtures/in.txt': 'A b\n',
    'examples/web/index.js': "require('../..');\n",
    '.mocharc.json': '{"reporter": "dot"}\n',
    'web/package.json': '{"name": "web", "scripts": {"test": "mocha"}}\n',
    'web/page.test.js': '',
    'web/page.js': 'module.exports = 1;\n',
  },
  collected: ['test/slug.test.js', 'web/page.test.js'],
  looked_for: [
    '.npmrc',
    '.mocharc.js',
    '.mocharc.cjs',
    '.env',
    'node_modules/.bin/mocha',
    'lib/slug',
    'test/helper',
    'test/package.json',
    'lib/package.json',
  ],
  outside_modules: ['mocha', 'assert', 'fs', 'node:path', 'chai'],
};

/** A monorepo with TypeScript and vitest. */
export const MONOREPO: SampleRepository = {
  runner: 'vitest',
  ecosystem: 'javascript',
  files: {
    'package.json': '{"private": true, "workspaces": ["packages/*"], "scripts": {"test": "vitest run"}}\n',
    'pnpm-workspace.yaml': 'packages: ["packages/*"]\n',
    'pnpm-lock.yaml': '',
    'vitest.config.ts':
      "import plugin from './packages/core/src/plugin.js';\nexport default { test: { setupFiles: ['./vitest.setup.ts', './packages/core/src/env.ts'] } };\n",
    'vitest.setup.ts': "import { expect } from 'vitest';\n",
    'tsconfig.json': '{\n  // strict\n  "compilerOptions": { "strict": false, "target": "es2022", },\n}\n',
    'tsconfig.build.json': '{"extends": "./tsconfig.json"}\n',
    'packages/core/package.json': JSON.stringify({
      name: '@s/core',
      version: '1.0.0',
      exports: { '.': { types: './dist/index.d.ts', import: './dist/index.js' }, './words': './dist/words.js' },
      devDependencies: { '@s/kit': 'workspace:*' },
    }),
    'packages/core/src/index.ts': "export * from './slug.js';\n",
    'packages/core/src/slug.ts': "import { fold } from '@s/fold';\nexport const slugify = fold;\n",
    'packages/core/src/words.ts': 'export const words = 1;\n',
    'packages/core/src/plugin.ts': 'export default {};\n',
    'packages/core/src/env.ts': 'process.env.X = 1;\n',
    'packages/core/src/extra.ts': 'export const extra = 1;\n',
    'packages/core/src/test-utils.ts': "import { expect } from 'vitest';\n",
    'packages/core/src/slug.test.ts': "import { slugify } from './slug.js';\nimport { same } from '@s/kit';\n",
    'packages/core/src/__snapshots__/slug.test.ts.snap': 'exports[`a`] = `1`;\n',
    'packages/fold/package.json': '{"name": "@s/fold", "version": "1.0.0", "main": "./dist/index.js"}\n',
    'packages/fold/src/index.ts': 'export const fold = (s: string) => s;\n',
    'packages/core2/package.json':
      '{"name": "@s/core2", "version": "1.0.0", "main": "src/index.ts", "dependencies": {"@s/fold": "*"}}\n',
    'packages/core2/src/index.ts': "export { fold } from '@s/fold';\n",
    'packages/kit/package.json': '{"name": "@s/kit", "private": true, "main": "src/index.ts"}\n',
    'packages/kit/src/index.ts': "export { expect } from 'vitest';\n",
  },
  unread: ['tsconfig.build.json'],
  collected: ['packages/core/src/slug.test.ts'],
  looked_for: [
    'vite.config.ts',
    '.env',
    '.env.test',
    'postcss.config.js',
    'packages/core/tsconfig.json',
    'packages/core/src/slug.js',
    'packages/core/src/package.json',
  ],
  outside_modules: ['vitest', 'node:fs'],
};

export const GO_MODULE: SampleRepository = {
  runner: 'go',
  ecosystem: 'go',
  files: {
    'go.mod': 'module example.com/slug\n\ngo 1.22\n',
    'go.sum': '',
    'slug.go': 'package slug\n\nimport _ "embed"\n\n//go:embed letters.txt\nvar letters string\n',
    'letters.txt': 'a\n',
    'slug_test.go':
      'package slug\n\nimport (\n\t"testing"\n\t"example.com/slug/internal/check"\n\t"example.com/slug/slugtest"\n)\n',
    'cmd/slug/main.go': 'package main\n\nimport "example.com/slug"\n\nfunc main() { slug.Make("") }\n',
    'internal/check/check.go':
      'package check\n\nimport "testing"\n\nfunc Same(t *testing.T, a, b string) { if a != b { t.Fatal(a, b) } }\n',
    'slugtest/slugtest.go': 'package slugtest\n\nimport "testing"\n\nfunc New(t *testing.T) {}\n',
    'testdata/golden.txt': 'a-b\n',
    'vendor/modules.txt': '# github.com/x/assert v1.0.0\n',
    'vendor/github.com/x/assert/assert.go': 'package assert\n',
  },
  collected: ['slug_test.go'],
  looked_for: ['go.work', 'internal/go.mod', 'internal/check/go.mod', 'cmd/go.mod', 'cmd/slug/go.mod', 'UPDATE_GOLDEN'],
  outside_modules: ['fmt', 'testing'],
};

export const CRATE: SampleRepository = {
  runner: 'cargo',
  ecosystem: 'rust',
  files: {
    'Cargo.toml':
      '[package]\nname = "slug"\nversion = "1.0.0"\n\n[dev-dependencies]\ncheck = { path = "check" }\n\n[workspace]\nmembers = ["check"]\n',
    'Cargo.lock': '',
    'src/lib.rs':
      'mod words;\n#[cfg(test)]\nmod tests;\npub fn slug() {}\n\n#[cfg(test)]\nmod unit {\n    #[test]\n    fn a() {}\n}\n',
    'src/words.rs': 'pub fn words() {}\n',
    'src/tests.rs': '#[test]\nfn b() {}\n',
    'tests/it.rs': 'mod common;\n#[test]\nfn c() {}\n',
    'tests/common/mod.rs': 'pub fn same() {}\n',
    'check/Cargo.toml': '[package]\nname = "check"\nversion = "0.0.0"\npublish = false\n',
    'check/src/lib.rs': 'pub fn same(a: &str, b: &str) { assert_eq!(a, b) }\n',
    'letters.txt': 'a\n',
  },
  collected: ['src/lib.rs', 'src/tests.rs', 'tests/it.rs'],
  looked_for: [
    'build.rs',
    'README.md',
    'README',
    'src/main.rs',
    'src/words/mod.rs',
    '.cargo/config.toml',
    '.cargo/config',
    'rust-toolchain',
    'rust-toolchain.toml',
    'examples',
    'benches',
    'check/build.rs',
  ],
};

/** A crate whose build script writes product code from `words.txt`. */
export const crateWithScript = (files: SampleRepository['files']): SampleRepository => ({
  ...CRATE,
  files: {
    ...CRATE.files,
    'build.rs': 'fn main() { write(read("words.txt")) }\n',
    'words.txt': 'a\n',
    'src/words.rs': 'include!(concat!(env!("OUT_DIR"), "/words.rs"));\n',
    ...files,
  },
});

export const C_PROGRAM: SampleRepository = {
  runner: 'script',
  ecosystem: 'c',
  command: 'make test',
  files: {
    Makefile:
      'CC = cc\nSRCS = src/slug.c src/words.c\n\nslug: $(SRCS) src/main.c\n\t$(CC) -o $@ $^\n\ntest_slug: tests/test_slug.c tests/check.c src/slug.c src/words.c\n\t$(CC) -o $@ $^\n\ntest: test_slug\n\tpython3 tools/gen.py\n\t./test_slug\n\tsh tests/cli.sh\n',
    'src/slug.c': '#include "slug.h"\n#include <assert.h>\nint slug(void) { assert(1); return 0; }\n',
    'src/words.c': 'int words(void) { return 0; }\n',
    'src/main.c': 'int main(void) { return 0; }\n',
    'src/speed_test.c': 'int speed(void) { return 0; }\n',
    'src/slug.h': 'int slug(void);\n',
    'tests/test_slug.c': '#include "check.h"\n#include "../src/slug.h"\nint main(void) { return slug(); }\n',
    'tests/check.c': 'void check(int ok) {}\n',
    'tests/check.h': 'void check(int ok);\n',
    'tests/cli.sh': '#!/bin/sh\n./slug x | diff - tests/expected.txt\n',
    'tests/expected.txt': 'x\n',
    'tools/gen.py': 'open("src/table.h", "w")\n',
  },
  collected: ['tests/test_slug.c'],
  looked_for: ['GNUmakefile', 'makefile', 'test', 'include', 'tests/slug.h', 'tests/assert.h', 'src/assert.h'],
  written: ['test_slug', 'src/table.h', 'src/slug.o'],
};

export const SHELL_PROGRAM: SampleRepository = {
  runner: 'script',
  ecosystem: 'shell',
  command: 'sh run-tests.sh',
  files: {
    'slug.sh': '#!/bin/sh\n. ./case.sh\nprintf %s "$1"\n',
    'case.sh': 'lower() { tr A-Z a-z; }\n',
    'assertions.sh': 'assert_eq() { [ "$1" = "$2" ] || { echo FAIL; exit 1; }; }\n',
    'run-tests.sh': '#!/bin/sh\n. ./assertions.sh\nassert_eq "$(sh slug.sh A)" a\nsh checks/more.sh\n',
    'checks/more.sh': '#!/bin/sh\ncmp -s out.txt wanted.txt\n',
    'wanted.txt': 'a\n',
    'README.md': 'slugs\n',
  },
  collected: [],
  looked_for: ['bin/tr', '.slugrc'],
};
