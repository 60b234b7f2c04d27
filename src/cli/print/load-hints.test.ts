import { expect, test } from 'vitest';
import { loadHints } from './load-hints.ts';

const PYTEST = { paths: ['code/mod.py', 'tests/test_a.py'], testCommand: 'python3 -m pytest -q' };

test('a module of the repository is said to lie elsewhere', () => {
  expect(loadHints(['tests/test_a.py'], "E   ModuleNotFoundError: No module named 'mod'", PYTEST)).toEqual([
    '1 test file does not load: mod is not found',
    "it lies in code/; say where: seatrial init --test 'PYTHONPATH=code python3 -m pytest -q'",
  ]);
});

test('a module from elsewhere has to be installed', () => {
  const [what, next] = loadHints(['a', 'b'], "ModuleNotFoundError: No module named 'yaml.loader'", PYTEST);
  expect(what).toBe('2 test files do not load: yaml.loader is not found');
  expect(next).toContain('pip install -e .');
  const node = { paths: [], testCommand: 'npm test' };
  expect(loadHints(['a'], "Error: Cannot find module 'express'\n", node)[1]).toContain('npm install');
});

test('without the reason, the way to it is named, and without such a file nothing is', () => {
  expect(loadHints(['a'], null, PYTEST)[1]).toContain('by hand');
  expect(loadHints([], "No module named 'mod'", PYTEST)).toEqual([]);
});
