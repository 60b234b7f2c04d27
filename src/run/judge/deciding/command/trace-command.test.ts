import { expect, test } from 'vitest';
import { traceCommand } from './trace-command.ts';

function trace(
  command: string,
  files: Readonly<Record<string, string>>,
): { readonly starts: readonly string[]; readonly before: readonly string[] } {
  const { starts, before } = traceCommand(command, {
    paths: Object.keys(files),
    read: (path) => files[path] ?? null,
  });
  return { starts, before };
}

test.each([
  ['a runner alone', 'pytest -q', {}, { starts: [], before: [] }],
  [
    'a script that starts it',
    'sh ci/check.sh',
    { 'ci/check.sh': 'set -e\npython -m pytest\n' },
    { starts: ['ci/check.sh'], before: [] },
  ],
  [
    'a script in another directory',
    'cd web && ./check',
    { 'web/check': '#!/bin/bash\nnpx vitest run\n' },
    { starts: ['web/check'], before: [] },
  ],
  [
    'a script that starts a script',
    'bash a.sh',
    { 'a.sh': './b.sh\n', 'b.sh': 'go test ./...\n' },
    { starts: ['b.sh', 'a.sh'], before: [] },
  ],
  [
    'a generator before the runner',
    'python tools/gen.py && pytest',
    { 'tools/gen.py': 'print()\n' },
    { starts: [], before: ['tools/gen.py'] },
  ],
  [
    'a generator inside a script',
    'sh check.sh',
    { 'check.sh': 'node build.js\nnode --test\n', 'build.js': '' },
    { starts: ['check.sh'], before: ['build.js'] },
  ],
  [
    'a program that starts the runner',
    'python run.py',
    { 'run.py': 'import subprocess\nsubprocess.run(["pytest"])\n' },
    { starts: ['run.py'], before: [] },
  ],
  [
    'a program whose output a script compares',
    'sh test.sh',
    { 'test.sh': 'got=$(bash bin/slug.sh "A b")\n[ "$got" = a-b ]\n', 'bin/slug.sh': 'echo "$1"\n' },
    { starts: ['test.sh'], before: [] },
  ],
  [
    'a check after the runner',
    'pytest && python verdict.py',
    { 'verdict.py': 'print()\n' },
    { starts: ['verdict.py'], before: [] },
  ],
  [
    'a program that a script of the tests tries',
    'sh tests/run.sh',
    {
      'tests/run.sh': './greet Ann >out\nsh tools/compare.sh out wanted\n./agree out wanted\n',
      greet: '#!/bin/sh\necho "Hello, $1"\n',
      agree: '#!/bin/sh\ncmp "$1" "$2"\n',
      'tools/compare.sh': 'exec same "$1" "$2"\n',
    },
    { starts: ['tools/compare.sh', 'agree', 'tests/run.sh'], before: [] },
  ],
  [
    'programs in other languages that it tries',
    'sh tests/run.sh',
    {
      'tests/run.sh': 'python3 count.py < a | diff - b\nnode lib/judge.mjs a b\npython3 tools/count.py\n',
      'count.py': 'print(1)\n',
      'lib/judge.mjs': 'process.exit(1);\n',
      'tools/count.py': 'print(1)\n',
    },
    { starts: ['lib/judge.mjs', 'tools/count.py', 'tests/run.sh'], before: [] },
  ],
  [
    'the same of a script that is no test by its name',
    'sh all.sh',
    { 'all.sh': './greet Ann\n', greet: '#!/bin/sh\necho hi\n' },
    { starts: ['greet', 'all.sh'], before: [] },
  ],
  [
    'scripts that are the tests',
    'sh a.sh && sh b.sh',
    { 'a.sh': 'cmp x y\n', 'b.sh': 'cmp x z\n' },
    { starts: ['a.sh', 'b.sh'], before: [] },
  ],
  [
    'a build before them',
    'sh build.sh && sh a.sh',
    { 'build.sh': 'cc x.c\n', 'a.sh': 'cmp x y\n' },
    { starts: ['a.sh'], before: ['build.sh'] },
  ],
  [
    'make',
    'make test',
    { Makefile: 'gen:\n\tpython3 tools/gen.py\n\ntest: gen\n\tctest\n', 'tools/gen.py': '' },
    { starts: ['Makefile'], before: ['tools/gen.py'] },
  ],
  [
    'the first target of a Makefile elsewhere',
    'make -C sub',
    { 'sub/Makefile': 'PY = python3\nall:\n\t@$(PY) run_tests.py\n', 'sub/run_tests.py': '' },
    { starts: ['sub/run_tests.py', 'sub/Makefile'], before: [] },
  ],
  [
    'make inside make',
    'make',
    { Makefile: 'test:\n\t$(MAKE) -C sub check\n', 'sub/Makefile': 'check:\n\tsh t.sh\n', 'sub/t.sh': 'assert x\n' },
    { starts: ['sub/t.sh', 'sub/Makefile', 'Makefile'], before: [] },
  ],
  [
    'package scripts',
    'npm test',
    {
      'package.json': '{"scripts": {"pretest": "node gen.js", "test": "npm run unit", "unit": "sh unit.sh"}}',
      'gen.js': '',
      'unit.sh': 'mocha\n',
    },
    { starts: ['unit.sh'], before: ['gen.js'] },
  ],
  [
    'package scripts of a subfolder',
    'npm --prefix web test',
    { 'web/package.json': '{"scripts": {"test": "./t.sh"}}', 'web/t.sh': '#!/bin/sh\njest\n' },
    { starts: ['web/t.sh'], before: [] },
  ],
  [
    'a check that make ends with',
    'make check',
    { Makefile: 'check:\n\tpython3 verify.py\n', 'verify.py': 'print()\n' },
    { starts: ['verify.py', 'Makefile'], before: [] },
  ],
  [
    'settings that the runner is given',
    'pytest -c ci/fast.cfg',
    { 'ci/fast.cfg': '' },
    { starts: ['ci/fast.cfg'], before: [] },
  ],
  [
    'a module to load first',
    'node --import ./hooks.js --test',
    { 'hooks.js': '' },
    { starts: ['hooks.js'], before: [] },
  ],
  [
    'the same for a program that is the test',
    'node -r ./hooks.js all.js',
    { 'hooks.js': '', 'all.js': '' },
    { starts: ['hooks.js', 'all.js'], before: [] },
  ],
  [
    'the same in a variable',
    "NODE_OPTIONS='--require ./hooks.js' mocha",
    { 'hooks.js': '' },
    { starts: ['hooks.js'], before: [] },
  ],
  ['variables before the command', 'A=1 B="x y" sh t.sh', { 't.sh': 'bats .\n' }, { starts: ['t.sh'], before: [] }],
  [
    'scripts that call each other',
    'sh a.sh',
    { 'a.sh': 'sh b.sh\npytest\n', 'b.sh': 'sh a.sh\n' },
    { starts: ['a.sh'], before: ['b.sh'] },
  ],
])('%s', (_name, command, files, expected) => {
  expect(trace(command, files)).toEqual(expected);
});
