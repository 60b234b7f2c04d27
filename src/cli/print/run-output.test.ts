import { expect, test } from 'vitest';
import { EXIT, type ExitCode } from '../../kernel/exit-codes.ts';
import { exitCodeOfAll } from './run-output.ts';

const { pass, fail, blocked, evidenceLost } = EXIT;

test.each<[codes: ExitCode[], wanted: number, code: ExitCode]>([
  [[pass, pass], 2, pass],
  [[pass, blocked, fail], 3, fail],
  [[fail, evidenceLost, pass], 3, evidenceLost],
  [[pass, pass], 5, blocked],
  [[], 1, blocked],
  [[pass, fail], 5, fail],
])('runs that ended with %j, of %d that were asked for: exit %d', (codes, wanted, code) => {
  expect(exitCodeOfAll(codes, wanted)).toBe(code);
});
