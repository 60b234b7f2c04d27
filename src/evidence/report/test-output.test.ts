import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lastLines, readSetupOutputEnd } from './test-output.ts';

test('lines of tests that passed do not push out what a failing test printed', () => {
  const passed = Array.from({ length: 20 }, (_, index) => `ok test.js::passes ${index}`).join('\n');
  const output = `ok test.js::first\nnot ok test.js::contractions\n  - 'don-t'\n  + 'dont'\n${passed}\n`;
  expect(lastLines(output, 12)).toEqual(['not ok test.js::contractions', "  - 'don-t'", "  + 'dont'"]);
});

test.each([
  ['go', '--- FAIL: TestOdd (0.00s)', '--- PASS: TestEven (0.00s)'],
  ['go, a subtest', '    --- FAIL: TestOdd/a (0.00s)', '    --- PASS: TestOdd/b (0.00s)'],
  ['cargo', 'test tests::odd ... FAILED', 'test tests::even ... ok'],
  ['pytest', 'test_a.py::test_odd FAILED [ 50%]', 'test_a.py::test_even PASSED [100%]'],
])('%s: a line for each test is told apart by how the test ended', (_runner, failed, passed) => {
  expect(lastLines(`${failed}\n${passed}\n`, 12)).toEqual([failed]);
});

test('where nothing else was printed, the lines of passed tests are shown', () => {
  expect(lastLines('ok a\nok b\n', 1)).toEqual(['ok b']);
  expect(lastLines('\n', 1)).toEqual([]);
});

test('a file where the directory of the log belongs counts as no log', () => {
  const dir = mkdtempSync(join(tmpdir(), 'seatrial-output-'));
  try {
    writeFileSync(join(dir, 'backend'), '');
    expect(readSetupOutputEnd(join(dir, 'backend/out.log'), join(dir, 'backend/err.log'))).toBe('');
  } finally {
    rmSync(dir, { recursive: true });
  }
});
