import { expect, it } from 'vitest';
import type { BaseRecord } from '../../../evidence/schema/base-record.ts';
import { explainExit } from './runner-exit.ts';

type Outcome = BaseRecord['tests'][number]['outcome'];
const run = (outcome: Outcome, exitCode: number | null, runnerErrors: readonly string[] = []) => ({
  protocolFaults: [],
  seen: [{ id: 'a', outcome, file: null }],
  exitCode,
  runnerErrors,
});
const recordOf = (outcome: Outcome, exitCode: number, runnerErrors?: readonly string[]): BaseRecord => ({
  schema_version: 1,
  key: '0'.repeat(64),
  test_command: 'vitest run',
  runner: 'vitest',
  exit_code: exitCode,
  duration_ms: 1,
  tests: [{ id: 'a', outcome, file: null }],
  flaky: [],
  failed_commands: [],
  ...(runnerErrors === undefined ? {} : { runner_errors: [...runnerErrors] }),
  collected: [],
  found_by: 'names',
  read: [],
  asked: [],
  missing: [],
  written: [],
  listed: [],
  links: [],
  outside_modules: [],
});

it.each([
  ['success', recordOf('failed', 1), run('passed', 0), 'explained'],
  ['a failing test', recordOf('failed', 1), run('failed', 1), 'explained'],
  ['the same exit code on a green base', recordOf('passed', 1), run('passed', 1), 'explained'],
  [
    'an error that the base names too',
    recordOf('failed', 1, ['port 80 busy']),
    run('passed', 1, ['port 81 busy']),
    'explained',
  ],
  ['another exit code', recordOf('passed', 1), run('passed', 2), 'unexplained'],
  ['a green base that succeeded', recordOf('passed', 0), run('passed', 1), 'unexplained'],
  ['a red base that may hide it', recordOf('failed', 1), run('passed', 1), 'unexplained'],
  ['an error of the base with another exit code', recordOf('failed', 1, ['x']), run('passed', 2, ['x']), 'unexplained'],
  ['an error that only the patch has', recordOf('failed', 1, ['x']), run('passed', 1, ['x', 'y']), 'new_error'],
  ['a new error beside a failing test', recordOf('failed', 1, []), run('failed', 1, ['y']), 'new_error'],
  ['an error, and a record that names none', recordOf('passed', 1), run('passed', 1, ['x']), 'new_error'],
] as const)('an exit code after %s', (_, record, ended, how) => {
  expect(explainExit(record, ended)).toBe(how);
});
