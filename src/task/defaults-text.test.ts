import { parse } from 'smol-toml';
import { expect, test } from 'vitest';
import { taskFileSchema } from './contract.ts';
import { defaultsText } from './defaults-text.ts';

const KNOWN = {
  testCommand: 'python3 -m pytest -q -k "not slow"',
  setupCommand: null,
  verifierTimeoutSec: 300,
  acceptExitCode: null,
} as const;

test('what init writes is a valid task.toml with exactly what was decided', () => {
  const tests = ['t.py::test_a["x"]', 't.py::test_é'];
  const read = (text: string) => taskFileSchema.parse(parse(text)).seatrial;
  const plain = { test_command: KNOWN.testCommand, allowed_files: ['**'] };
  expect(read(defaultsText({ ...KNOWN, knownFailing: { tests, written: 'proposed' } }))).toEqual(plain);
  expect(read(defaultsText({ ...KNOWN, knownFailing: { tests, written: 'active' } }))).toEqual({
    ...plain,
    known_failing: tests,
  });
  const accepting = { ...KNOWN, setupCommand: 'make', acceptExitCode: 'active' } as const;
  expect(read(defaultsText({ ...accepting, knownFailing: { tests: [], written: 'proposed' } }))).toEqual({
    ...plain,
    setup_command: 'make',
    accept: 'exit_code',
  });
});
