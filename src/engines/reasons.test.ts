import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ENGINES, ALL_REASONS } from './list.ts';
import { reason, REASONS } from '../evidence/reasons/catalogue.ts';
import { codesOf, decidingCode, explainCode } from '../evidence/reasons/explain.ts';
import { PARAMETER } from '../evidence/reasons/reason.ts';

const SRC = join(import.meta.dirname, '..');
const ENTRIES = Object.entries(ALL_REASONS);

/** The template with a value for every parameter. */
const filled = (text: string): string => text.replace(PARAMETER, (_whole, name: string) => `some ${name}`);
const isOpen = (text: string): boolean => !/\w/.test(text.replace(PARAMETER, ''));

describe.each(ENTRIES)('%s', (code, entry) => {
  test('says what it means and what to do next, in sentences', () => {
    expect([entry.meaning, entry.next].filter((text) => !/^[A-Z].*[.:]$/.test(text))).toEqual([]);
  });

  test('is found by its text in a report of an earlier version', () => {
    // A text without a word of its own tells nothing.
    const found = isOpen(entry.text) ? 'refused' : code;
    expect(codesOf({ blockers: [filled(entry.text)] }, ALL_REASONS)).toEqual([found]);
  });
});

test('every code of the harness is given somewhere, and every engine gives its own', () => {
  const sources = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter(
      (file) => file.endsWith('.ts') && !/\.(test|fixture)\.ts$/.test(file) && !file.startsWith('evidence/reasons/'),
    )
    .map((file) => readFileSync(join(SRC, file), 'utf8'))
    .join('\n');
  expect(Object.keys(REASONS).filter((code) => !sources.includes(`'${code}'`))).toEqual([]);
  const own = ENGINES.flatMap(({ reasons }) => Object.keys(reasons));
  expect(own.filter((code) => !sources.includes(`eason('${code}'`))).toEqual([]);
});

test('no two reasons have the same text', () => {
  const texts = ENTRIES.map(([, { text }]) => text).filter((text) => !isOpen(text));
  expect(new Set(texts).size).toBe(texts.length);
});

/** Texts, statuses and markers that other programs and documents rely on. */
test.each([
  [reason('no_diff'), 'no diff produced', 'fail'],
  [reason('disallowed_file', { path: 'a.py' }), 'disallowed file changed: a.py', 'fail'],
  [reason('tests_failed'), 'tests failed', 'fail'],
  [reason('missing_test_command'), 'missing test command', 'blocked'],
  [reason('missing_event', { event: 'plan.updated' }), 'missing required event: plan.updated', 'fail'],
  [reason('reviewer_rejected'), 'reviewer rejected', 'fail'],
  [reason('approval_denied', { action: 'deliver' }), 'approval denied: deliver', 'blocked'],
  [reason('engine_timed_out', { engine: 'case' }), 'case engine failed with exit code 124', 'fail'],
  [reason('engine_ended', { engine: 'case' }), 'case engine failed with exit code null', 'fail'],
  [reason('engine_failed', { engine: 'case', exit: 7 }), 'case engine failed with exit code 7', 'fail'],
  [reason('timeout_after_patch', { engine: 'case' }), 'case lifecycle timeout after valid patch', 'fail'],
  [reason('dirty_starting_tree'), 'dirty starting tree', 'blocked'],
  [reason('dirty_ending_tree'), 'dirty ending tree', 'fail'],
  [reason('artifact_write_failed', { path: 'test.log' }), 'artifact write failed: test.log', 'lost'],
  [reason('provider_unavailable'), 'provider unavailable', 'blocked'],
  [reason('claimed_commit_missing'), 'claimed commit not found', 'fail'],
  [reason('expected_tests_missing', { n: 3 }), 'expected tests not reported: 3', 'fail'],
  [reason('decides_changed', { path: 'a' }), 'changes what decides: a', 'fail'],
  [reason('tests_missing', { n: 1 }), 'tests no longer reported: 1', 'fail'],
  [reason('tests_newly_failing', { n: 1 }), 'tests newly failing: 1', 'fail'],
  [reason('nothing_fixed'), 'no failing test was fixed', 'fail'],
  [reason('tests_cannot_fail', { n: 2 }), 'tests cannot fail: 2', 'fail'],
  [reason('passes_beside_tests_only', { tests: 'a, b' }), 'passes only in the process of its tests: a, b', 'fail'],
  [reason('test_files_changed'), 'test files changed while judging', 'fail'],
  [reason('demand_changed', { n: 2 }), 'the patch changes what tests demand: 2', 'blocked'],
  [reason('no_tests_on_base'), 'no tests on the base', 'blocked'],
  [reason('tests_not_run_on_base'), 'tests do not run on the base', 'blocked'],
  [reason('tests_unstable'), 'tests are not stable', 'blocked'],
  [reason('only_exit_code'), 'only an exit code', 'blocked'],
  [reason('hides_failures'), 'test command hides failures', 'blocked'],
  [reason('not_installed', { program: 'pytest' }), 'not installed: pytest', 'blocked'],
  [reason('review_unavailable'), 'review unavailable', 'blocked'],
  [reason('baseline_failed'), 'baseline did not pass', 'blocked'],
  [reason('patch_not_reproducible'), 'patch does not reproduce the tree', 'blocked'],
  [reason('engine_not_enabled', { engine: 'case' }), 'engine not enabled: case', 'blocked'],
  [reason('stage_not_set'), 'stage not set', 'blocked'],
  [reason('stage_not_earned', { stage: 1 }), 'stage not earned: 1', 'blocked'],
  [reason('source_not_admitted'), 'source not admitted', 'blocked'],
  [reason('executable_not_admitted'), 'executable not admitted', 'blocked'],
  [reason('model_not_admitted'), 'model not admitted', 'blocked'],
  [reason('auth_bridge_unavailable'), 'provider auth bridge unavailable', 'blocked'],
  [reason('response_shape_unavailable'), 'provider response shape unavailable', 'blocked'],
  [reason('run_interrupted'), 'run interrupted', 'blocked'],
  [reason('interrupted'), 'interrupted', 'blocked'],
])('the text of $code stays as it is', (given, text, status) => {
  expect(given).toMatchObject({ text, status });
});

test('a report without codes is explained by its texts, one with codes by those', () => {
  const old = {
    failure_reason: 'provider unavailable: HTTP 401',
    blockers: ['no diff produced', 'provider unavailable: HTTP 401'],
  };
  expect(codesOf(old)).toEqual(['no_diff', 'provider_unauthorized']);
  expect(decidingCode(old)).toBe('provider_unauthorized');
  expect(decidingCode({ ...old, blocker_codes: ['a', 'b'] })).toBe('b');
  expect(decidingCode({ failure_reason: null, blockers: [] })).toBeNull();
});

test('a text or code that no catalogue knows still leads to a next step', () => {
  const [code = ''] = codesOf({ blockers: ['the disk is on fire'] });
  expect(explainCode(code, REASONS).next).toMatch(/\S/);
  expect(explainCode('of_a_later_version', REASONS).next).toMatch(/\S/);
});
