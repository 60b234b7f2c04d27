import { expect, test } from 'vitest';
import { importsOf } from '../../syntax/imports.ts';
import type { Ecosystem } from '../facts.ts';
import { factsOf, type SampleRepository, treeOf } from '../repository.fixture.ts';
import { mapProduct } from './map-product.ts';

/** The product of a tree, files of which that is not certain with a `?`, and doubtful ones with a `~`. */
async function productOf(
  ecosystem: Ecosystem,
  files: Readonly<Record<string, string>>,
  more: Partial<SampleRepository> = {},
): Promise<readonly string[]> {
  const repository: SampleRepository = { runner: 'script', ecosystem, files, ...more };
  const tree = treeOf(repository);
  const { roles } = await mapProduct(tree, factsOf(repository, tree), importsOf);
  const marks = [...roles].flatMap(([path, role]) =>
    role.kind === 'support' ? [] : [`${path}${role.kind === 'doubtful' ? '~' : role.certain ? '' : '?'}`],
  );
  return marks.sort();
}

const json = (value: unknown): string => JSON.stringify(value);

test('JavaScript: entry points lead to what they import', async () => {
  const files = {
    'package.json': json({ main: './lib', bin: { a: 'cli.js' }, browser: { './lib/node.js': './lib/web.js' } }),
    'lib/index.js': "require('./a'); import('./b.mjs'); export * from './c.ts';",
    'lib/a.js': '',
    'lib/b.mjs': '',
    'lib/c.ts': '',
    'lib/node.js': '',
    'lib/web.js': '',
    'cli.js': "#!/usr/bin/env node\nrequire('./package.json')",
    'bench/run.js': '',
    'test/a.js': "require('../lib')",
  };
  expect(await productOf('javascript', files)).toEqual([
    'cli.js',
    'lib/a.js',
    'lib/b.mjs',
    'lib/c.ts',
    'lib/index.js',
    'lib/node.js',
    'lib/web.js',
    'package.json',
  ]);
});

test('JavaScript: assertions that only users and tests load are doubtful', async () => {
  const files = {
    'package.json': json({ exports: { '.': './lib/index.js', './testing': './lib/testing.js' } }),
    'lib/index.js': '',
    'lib/testing.js': "const assert = require('node:assert');\nexports.same = (a, b) => assert.equal(a, b);\n",
    'test/a.test.js': "require('../lib/testing.js').same(1, 1);",
  };
  expect(await productOf('javascript', files)).toContain('lib/testing.js~');
  const used = { ...files, 'lib/index.js': "require('./testing.js');" };
  expect(await productOf('javascript', used)).toContain('lib/testing.js');
});

test('TypeScript: built output stands for its sources', async () => {
  const files = {
    'package.json': json({
      exports: {
        '.': { types: './dist/types/index.d.ts', default: './dist/esm/index.mjs' },
        './*': './dist/*.js',
        './deep': './dist/deep/x.cjs',
      },
    }),
    'src/index.ts': "import './inner.js';",
    'src/inner.ts': '',
    'src/words.ts': '',
    'src/deep/x.ts': '',
    'src/index.test.ts': '',
    'scripts/gen.ts': '',
  };
  expect(await productOf('javascript', files)).toEqual([
    'src/deep/x.ts',
    'src/index.ts',
    'src/inner.ts',
    'src/words.ts',
  ]);
});

test('TypeScript: aliases, package imports and the names of packages in the tree', async () => {
  const files = {
    'package.json': json({ name: 'root', private: true, workspaces: ['packages/*'] }),
    'packages/a/package.json': json({ name: '@x/a', main: 'dist/main.js', imports: { '#in/*': './src/in/*.ts' } }),
    'packages/a/tsconfig.json': '{ "compilerOptions": { "baseUrl": ".", "paths": { "~lib/*": ["lib/*"] } } } // end',
    'packages/a/src/main.ts': "import '#in/one'; import '~lib/two'; import '@x/b/sub'; import '@x/a';",
    'packages/a/src/in/one.ts': '',
    'packages/a/lib/two.ts': '',
    'packages/a/other/three.ts': '',
    'packages/b/package.json': json({ name: '@x/b', exports: { './sub': './sub.js' } }),
    'packages/b/sub.js': '',
    'packages/b/extra.js': '',
  };
  expect(await productOf('javascript', files)).toEqual([
    'packages/a/lib/two.ts',
    'packages/a/src/in/one.ts',
    'packages/a/src/main.ts',
    'packages/b/extra.js~',
    'packages/b/sub.js',
  ]);
});

test('JavaScript: an application begins at its page or its start script', async () => {
  expect(
    await productOf('javascript', {
      'package.json': json({ scripts: { start: 'node server/main.js --port=1' } }),
      'server/main.js': "require('./db')",
      'server/db.js': '',
    }),
  ).toEqual(['server/db.js', 'server/main.js']);
  expect(
    await productOf('javascript', {
      'package.json': '{}',
      'index.html': '<script type="module" src="/web/main.tsx"></script>',
      'web/main.tsx': "import './App.vue'",
      'web/App.vue': "<script>import './state'</script>",
      'web/state.ts': '',
    }),
  ).toEqual(['index.html', 'web/App.vue', 'web/main.tsx', 'web/state.ts']);
});

test('JavaScript: without entry points a file is product unless it sounds like a test', async () => {
  const files = {
    'package.json': '{}',
    'slug.js': '',
    'same.js': "exports.same = require('assert').equal;",
    'slug.test.js': '',
  };
  expect(await productOf('javascript', files, { collected: ['slug.test.js'] })).toEqual(['same.js~', 'slug.js?']);
});

test('Python: the layouts of packages', async () => {
  expect(
    await productOf('python', {
      'pyproject.toml': '[project]\nname = "my-pkg"\n',
      'src/my_pkg/a.py': '',
      'src/my_pkg/tests/test_a.py': '',
      'tests/test_a.py': '',
      'noxfile.py': '',
    }),
  ).toEqual(['src/my_pkg/a.py']);
  expect(
    await productOf('python', {
      'setup.py': 'setup(name="x", packages=["pkg"])',
      'pkg/__init__.py': '',
      'pkg/sub/b.py': '',
      'docs/conf.py': '',
      'other/__init__.py': '',
    }),
  ).toEqual(['other/__init__.py~', 'pkg/__init__.py', 'pkg/sub/b.py']);
  expect(
    await productOf('python', {
      'setup.cfg': '[metadata]\nname = one\n[options]\npy_modules =\n    one\n    two\n',
      'one.py': '',
      'two.py': '',
      'three.py': '',
    }),
  ).toEqual(['one.py', 'three.py~', 'two.py']);
  expect(
    await productOf('python', {
      'app/__init__.py': '',
      'app/views.py': '',
      'manage.py': 'import app\n',
      'helpers.py': '',
    }),
  ).toEqual(['app/__init__.py', 'app/views.py', 'helpers.py~', 'manage.py?']);
});

test('Python: a directory of tests is product where the product imports it', async () => {
  const files = {
    'pyproject.toml': '[tool.poetry]\nname = "web"\npackages = [{ include = "web" }]\n',
    'web/__init__.py': 'from web.test.client import Client\nfrom .core import x\n',
    'web/core.py': 'from . import speed_test\n',
    'web/speed_test.py': '',
    'web/test/__init__.py': '',
    'web/test/client.py': 'from .wire import send\n',
    'web/test/wire.py': '',
    'web/test/test_client.py': '',
    'web/size_test.py': '',
  };
  const more = { collected: ['web/test/test_client.py', 'web/size_test.py'] };
  expect(await productOf('python', files, more)).toEqual([
    'web/__init__.py',
    'web/core.py',
    'web/speed_test.py',
    'web/test/__init__.py',
    'web/test/client.py',
    'web/test/wire.py',
  ]);
});

test('Go: packages that others import, and internal ones that these import', async () => {
  const files = {
    'go.mod': 'module example.com/m\n',
    'a.go': 'package m\nimport "example.com/m/internal/used"\n',
    'a_test.go': 'package m\nimport "example.com/m/internal/helper"\n',
    'internal/used/u.go': 'package used\nimport "example.com/m/internal/deeper"\n',
    'internal/deeper/d.go': 'package deeper\n',
    'internal/helper/h.go': 'package helper\nimport "example.com/m/internal/more"\n',
    'internal/more/m.go': 'package more\nimport "testing"\n',
    'testdata/x.go': 'package x\n',
    '_old/o.go': 'package o\n',
    'vendor/x/x.go': 'package x\n',
    'mtest/t.go': 'package mtest\nimport "testing"\n',
    'tool/main.go': 'package main\nimport "testing"\n',
  };
  expect(await productOf('go', files)).toEqual([
    'a.go',
    'internal/deeper/d.go',
    'internal/more/m.go~',
    'internal/used/u.go',
    'mtest/t.go~',
    'tool/main.go',
  ]);
});

test('Rust: sources of crates without modules for tests', async () => {
  const files = {
    'Cargo.toml':
      '[package]\nname = "a"\n[lib]\npath = "lib/a.rs"\n[dependencies]\nb = { path = "b" }\n[dev-dependencies]\nc = { path = "c" }\nd = { path = "d" }\n',
    'lib/a.rs': 'mod x;\n#[cfg(all(test, unix))]\n// why\n#[path = "odd.rs"]\nmod odd;\n#[cfg(not(test))]\nmod real;\n',
    'lib/x.rs': '#[cfg(test)]\nmod inner;\n',
    'lib/x/inner.rs': 'mod deep;\n',
    'lib/x/inner/deep.rs': '',
    'lib/odd.rs': '',
    'lib/real.rs': '',
    'lib/all.rs': '#![cfg(test)]\n',
    'src/bin/tool.rs': '',
    'b/Cargo.toml': '[package]\nname = "b"\n',
    'b/src/lib.rs': '',
    'c/Cargo.toml': '[package]\nname = "c"\npublish = false\n',
    'c/src/lib.rs': '',
    'd/Cargo.toml': '[package]\nname = "d"\n',
    'd/src/lib.rs': '',
    'tests/t.rs': '',
    'examples/e.rs': '',
    'build.rs': '',
  };
  expect(await productOf('rust', files)).toEqual([
    'b/src/lib.rs',
    'd/src/lib.rs~',
    'lib/a.rs',
    'lib/real.rs',
    'lib/x.rs',
    'src/bin/tool.rs',
  ]);
});

test('C: what build files name for something else than tests', async () => {
  const cmake =
    'file(GLOB LIB src/*.c)\nadd_library(slug ${LIB})\nadd_executable(check_slug check/main.c check/same.c src/slug.c)\nadd_test(NAME all COMMAND check_slug)\n';
  const files = {
    'CMakeLists.txt': cmake,
    'src/slug.c': '',
    'src/my_test.c': '',
    'include/slug.h': '',
    'check/main.c': 'int main(void) { return 0; }\n',
    'check/same.c': 'puts("FAILED");\n',
    'check/unity.c': '',
  };
  expect(await productOf('c', files)).toEqual(['check/same.c~', 'include/slug.h', 'src/my_test.c', 'src/slug.c']);
  const meson = "srcs = ['a.c']\nlib = library('a', srcs, 'b.c')\nt = executable('t', 't.c')\ntest('t', t)\n";
  expect(
    await productOf('c', { 'meson.build': meson, 'a.c': '', 'b.c': '', 't.c': 'int main(void) { return 0; }\n' }),
  ).toEqual(['a.c', 'b.c']);
});

test('C: a program that tests start is product unless it tests itself', async () => {
  const made = 'count: src/count.c src/words.c\n\t$(CC) -o $@ $^\n\ncheck: count\n\tsh tests/run.sh\n';
  const program = 'int main(void)\n{\n    printf("%d\\n", words(stdin));\n}\n';
  const files = { Makefile: made, 'tests/run.sh': '', 'src/words.c': '' };
  const both = ['src/count.c', 'src/words.c'];
  expect(await productOf('c', { ...files, 'src/count.c': program })).toEqual(both);
  const testing = program.replace('printf', 'assert(words("a") == 1); printf');
  expect(await productOf('c', { ...files, 'src/count.c': testing })).toEqual(['src/words.c']);
  const cmake = 'add_executable(count src/count.c src/words.c)\nadd_test(NAME all COMMAND count tests/a.txt)\n';
  expect(await productOf('c', { 'CMakeLists.txt': cmake, 'src/count.c': program, 'src/words.c': '' })).toEqual(both);
});

test('C: a library that brings its test along is in doubt', async () => {
  const files = {
    Makefile: 'sds-test: sds.c\n\t$(CC) -DTEST -o $@ sds.c\n',
    'sds.c': '#ifdef TEST\nint main(void) { return 0; }\n#endif\n',
  };
  expect(await productOf('c', files)).toEqual(['sds.c~']);
});

test('Java and ecosystems without a rule of their own, by their customs', async () => {
  expect(
    await productOf('java', { 'pom.xml': '', 'src/main/java/A.java': '', 'src/test/java/ATest.java': '' }),
  ).toEqual(['src/main/java/A.java']);
  expect(await productOf('other', { 'x.gemspec': '', 'lib/x.rb': '', 'spec/x_spec.rb': '', Rakefile: '' })).toEqual([
    'lib/x.rb',
  ]);
});
