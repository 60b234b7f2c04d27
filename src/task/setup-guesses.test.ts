import { expect, test } from 'vitest';
import { setupsWithoutLockfile } from './setup-guesses.ts';

const PIP = 'python3 -m venv .venv && .venv/bin/python -m pip install';

test.each<[string, Record<string, string>, readonly string[]]>([
  [
    'npm with packages',
    { 'package.json': '{"devDependencies": {"mocha": "^11"}}' },
    ['npm install --no-audit --no-fund'],
  ],
  ['npm without packages', { 'package.json': '{"scripts": {"test": "node --test"}, "dependencies": {}}' }, []],
  ['a Python package', { 'pyproject.toml': '[project]\nname = "x"\n' }, [`${PIP} -e . pytest`]],
  [
    'a Python package with an extra for tests',
    {
      'pyproject.toml':
        '[project]\nname = "x"\n[project.optional-dependencies]\ndocs = []\ntest = ["pytest"]\n[tool.x]\n',
    },
    [`${PIP} -e '.[test]'`],
  ],
  ['a list for development', { 'requirements-dev.txt': 'pytest\n' }, [`${PIP} -r requirements-dev.txt`]],
  ['settings of tools alone', { 'pyproject.toml': '[tool.black]\n' }, []],
  ['cargo', { 'Cargo.toml': '[package]\nname = "x"\n[dependencies]\nserde = "1"\n' }, ['cargo fetch']],
  ['cargo without crates', { 'Cargo.toml': '[package]\nname = "x"\n[dependencies]\n\n[features]\n' }, []],
])('%s', (_name, files, setups) => {
  expect(setupsWithoutLockfile({ paths: Object.keys(files), read: (path) => files[path] ?? null })).toEqual(setups);
});
