import { expect, test } from 'vitest';
import { reason } from '../evidence/reasons/catalogue.ts';
import type { BaseRecord } from '../evidence/schema/base-record.ts';
import type { Survey } from '../run/survey.ts';
import { attemptsFor, bestOf, isWorthTrying, outcomeText, writtenSetup } from './init-attempts.ts';

const PINNED = {
  language: 'JavaScript',
  lockfile: 'package-lock.json',
  testCommand: 'npm test',
  setupCommand: 'npm ci',
  otherSetups: ['npm install'],
  otherTests: ['npx vitest run'],
};
const UNPINNED = { ...PINNED, lockfile: null, setupCommand: null };

const record: BaseRecord = {
  schema_version: 1,
  key: '',
  test_command: '',
  runner: 'pytest',
  exit_code: 0,
  duration_ms: 1,
  tests: [],
  flaky: [],
  failed_commands: [],
  collected: [],
  found_by: 'strace',
  read: [],
  asked: [],
  missing: [],
  written: [],
  listed: [],
  links: [],
  outside_modules: [],
};
const outcomes = (passed: number, failed: number, more: Partial<BaseRecord> = {}, packages: string[] = []): Survey => ({
  kind: 'recorded',
  output: null,
  provision: null,
  deciding: { support: [], inline: [] },
  packages,
  recordKey: {
    baseSha256: '',
    testCommand: '',
    productsSha256: null,
    env: {},
    confine: 'bubblewrap',
    path: '',
    programs: [],
  },
  record: {
    ...record,
    ...more,
    tests: [...Array(passed).fill('passed'), ...Array(failed).fill('failed')].map((outcome, at) => ({
      id: `${at}`,
      outcome,
      file: null,
    })),
  },
});
const unusable = (why: ReturnType<typeof reason>): Survey => ({ kind: 'unusable', reasons: [why], output: '' });
const MISSING = unusable(reason('not_installed', { program: 'mocha' }));
const BROKEN = unusable(reason('setup_failed', { exit: 1 }));
const tried = (command: string, setup: string | null, survey: Survey) => ({ test: command, setup, survey });

test('a setup by lockfile comes first, a setup by guess only after trying without one', () => {
  expect(attemptsFor(PINNED, {}).map(({ setup }) => setup)).toEqual([
    'npm ci',
    'npm install',
    null,
    'npm ci',
    'npm install',
    null,
  ]);
  expect(attemptsFor(UNPINNED, { test: 'x' }).map(({ setup }) => setup)).toEqual([null, 'npm install']);
  expect(attemptsFor(PINNED, { test: 'x', setup: '' })).toEqual([{ test: 'x', setup: null }]);
});

test('another setup is tried where tests fail, but not in place of a lockfile that works', () => {
  const next = { test: 'npm test', setup: 'npm install' };
  expect(isWorthTrying(next, [tried('npm test', null, outcomes(3, 1))], UNPINNED)).toBe(true);
  expect(isWorthTrying(next, [tried('npm test', null, outcomes(3, 0))], UNPINNED)).toBe(false);
  expect(isWorthTrying(next, [tried('npm test', 'npm ci', outcomes(3, 1))], PINNED)).toBe(false);
  expect(isWorthTrying(next, [tried('npm test', 'npm ci', BROKEN)], PINNED)).toBe(true);
});

test('another test command is tried where the first one reports no tests', () => {
  const next = { test: 'npx vitest run', setup: null };
  expect(isWorthTrying(next, [tried('npm test', null, outcomes(0, 0))], UNPINNED)).toBe(true);
  expect(isWorthTrying(next, [tried('npm test', null, outcomes(1, 1))], UNPINNED)).toBe(false);
});

test('tests by name are better than an exit code, and a problem after the setup says more than a missing runner', () => {
  const [code, named] = [tried('a', null, outcomes(0, 0)), tried('b', null, outcomes(0, 2))];
  expect(bestOf([code, named])).toBe(named);
  const [missing, broken] = [tried('a', null, MISSING), tried('a', 'npm install', BROKEN)];
  expect(bestOf([missing, broken])).toBe(broken);
  expect(outcomeText(MISSING)).toBe('not installed: mocha');
});

test('tests that load an installed copy of the package are not chosen, and said to do so', () => {
  const installed = outcomes(9, 0, { read: ['tests/test_a.py'] }, ['src/slug']);
  const own = outcomes(8, 1, { read: ['src/slug/__init__.py'] }, ['src/slug']);
  const next = { test: 'PYTHONPATH=src python3 -m pytest', setup: null };
  expect(isWorthTrying(next, [tried('python3 -m pytest', null, installed)], UNPINNED)).toBe(true);
  expect(bestOf([tried('a', null, installed), tried('b', null, own)])?.test).toBe('b');
  expect(outcomeText(installed)).toContain('load src/slug from outside of the repository');
});

test('where the tests pass without the setup that a lockfile asks for, that is written down', () => {
  expect(writtenSetup({ test: 'npm test', setup: null }, PINNED)).toBe('');
  expect(writtenSetup({ test: 'npm test', setup: null }, UNPINNED)).toBeNull();
  expect(writtenSetup({ test: 'npm test', setup: 'npm install' }, PINNED)).toBe('npm install');
});
