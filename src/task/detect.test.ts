import { expect, test } from 'vitest';
import { detectProject } from './detect.ts';

const project = (files: Record<string, string>) =>
  detectProject({ paths: Object.keys(files), read: (path) => files[path] ?? null });

test.each([
  [
    'npm with a test script and pinned packages',
    {
      'package.json': '{"scripts": {"test": "vitest run"}}',
      'package-lock.json': '{"packages": {"node_modules/x": {}}}',
    },
    { language: 'JavaScript', lockfile: 'package-lock.json', testCommand: 'npm test', setupCommand: 'npm ci' },
  ],
  [
    'npm with nothing pinned and no real test script',
    {
      'package.json': '{"scripts": {"test": "echo \\"Error: no test specified\\" && exit 1"}}',
      'package-lock.json': '{}',
      'a.test.mjs': '',
    },
    { language: 'JavaScript', testCommand: 'node --test', setupCommand: null },
  ],
  [
    'pnpm before npm',
    {
      'pnpm-lock.yaml': 'lockfileVersion: 9\npackages:\n',
      'package-lock.json': '{"packages": {"node_modules/x": {}}}',
    },
    { lockfile: 'pnpm-lock.yaml', setupCommand: 'pnpm install --frozen-lockfile', testCommand: null },
  ],
  [
    'pytest',
    { 'tests/test_a.py': 'def test(): pass', 'pyproject.toml': '[tool.pytest.ini_options]' },
    { language: 'Python', testCommand: 'python3 -m pytest -q' },
  ],
  ['unittest', { 'tests/test_a.py': 'import unittest' }, { testCommand: 'python3 -m unittest' }],
  [
    'cargo',
    { 'Cargo.toml': '[package]', 'Cargo.lock': 'source = "registry+x"' },
    { language: 'Rust', testCommand: 'cargo test', setupCommand: 'cargo fetch --locked' },
  ],
  ['yarn 1', { 'yarn.lock': 'a@1:\n  resolved "x"\n' }, { setupCommand: 'yarn install --frozen-lockfile' }],
  [
    'yarn since 2',
    { 'yarn.lock': '__metadata:\n  version: 8\n\n"a@npm:1":\n  resolution: "a@npm:1"\n' },
    { setupCommand: 'yarn install --immutable' },
  ],
  [
    'yarn with only local packages',
    { 'yarn.lock': '__metadata:\n  version: 8\n\n"a@workspace:.":\n  resolution: "a@workspace:."\n' },
    { lockfile: 'yarn.lock', setupCommand: null },
  ],
  ['uv', { 'uv.lock': 'source = { registry = "x" }' }, { language: 'Python', setupCommand: 'uv sync --frozen' }],
  ['uv with nothing pinned', { 'uv.lock': 'source = { editable = "." }' }, { setupCommand: null }],
  ['cargo with nothing pinned', { 'Cargo.lock': '[[package]]\nname = "a"' }, { setupCommand: null }],
  ['requirements that are comments', { 'requirements.txt': '# none\n\n' }, { setupCommand: null }],
  ['go with pinned modules', { 'go.sum': 'a v1 h1:x' }, { language: 'Go', setupCommand: 'go mod download' }],
  ['go with vendored modules', { 'go.sum': 'a v1 h1:x', 'vendor/modules.txt': '' }, { setupCommand: null }],
  ['go', { 'go.mod': 'module x' }, { language: 'Go', testCommand: 'go test ./...', setupCommand: null }],
  ['a shell script', { 'test.sh': '' }, { language: 'shell', testCommand: 'sh test.sh' }],
  [
    'a runner behind a script of another program',
    { 'package.json': '{"scripts": {"test": "ts-scripts test"}, "devDependencies": {"vitest": "^3"}}' },
    { testCommand: 'npm test', otherTests: ['npx vitest run'] },
  ],
  [
    'a package manager that may not be installed',
    {
      'package.json': '{"scripts": {"test": "vitest run"}, "devDependencies": {"vitest": "^3"}}',
      'pnpm-lock.yaml': 'lockfileVersion: 9\npackages:\n',
    },
    { setupCommand: 'pnpm install --frozen-lockfile', otherSetups: ['npm install --no-audit --no-fund'] },
  ],
  [
    'a Python package below src/',
    { 'src/slug/__init__.py': '', 'tests/test_a.py': 'import unittest' },
    {
      testCommand: 'python3 -m unittest',
      otherTests: ['PYTHONPATH=src python3 -m unittest', 'python3 -m pytest -q', 'PYTHONPATH=src python3 -m pytest -q'],
    },
  ],
  ['a single file of tests', { 'test.py': 'import unittest' }, { testCommand: 'python3 -m unittest test.py' }],
  [
    'shunit2',
    {
      'a_test.sh': '. ./shunit2\n',
      'b_test.sh': '. "${TH_SHUNIT}"\n',
      test_helpers: 'true\n',
      'examples/c_test.sh': '. ../shunit2\n',
    },
    { language: 'shell', testCommand: 'sh a_test.sh && sh b_test.sh' },
  ],
  ['bats', { 'test/a.bats': '', 'test/b.bats': '' }, { testCommand: 'bats test' }],
  [
    'CMake with tests',
    { 'CMakeLists.txt': 'project(a C)\nenable_testing()\n', Makefile: 'test:\n' },
    {
      language: 'C',
      testCommand: 'cmake -S . -B build && cmake --build build && ctest --test-dir build --output-junit report.xml',
      otherTests: ['make test'],
    },
  ],
  ['CMake without tests', { 'CMakeLists.txt': 'project(a C)\n# enable_testing()\n' }, { testCommand: null }],
  ['make', { Makefile: 'all: x\ncheck: all\n' }, { language: 'make', testCommand: 'make check' }],
  ['nothing known', { 'README.md': '' }, { language: null, lockfile: null, testCommand: null, setupCommand: null }],
])('detects %s', (_what, files, expected) => {
  expect(project(files)).toMatchObject(expected);
});
