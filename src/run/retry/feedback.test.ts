import { describe, expect, test } from 'vitest';
import { REASONS } from '../../evidence/reasons/catalogue.ts';
import { sampleReport } from '../../evidence/report/render/sample-report.fixture.ts';
import type { Report } from '../../evidence/schema/report.ts';
import { feedbackFor, type FeedbackFacts } from './feedback.ts';

function failing(ids: readonly string[]): Report {
  const report = sampleReport();
  const seen = ids.map((id) => ({ id, outcome: 'failed' as const }));
  return { ...report, status: 'fail', baseline: null, tests: { ...report.tests, seen, expected: [] } };
}

const FACTS: FeedbackFacts = {
  report: failing(['a.py::test_one', 'a.py::test_two[4-four]', 'a.py::test_two[5-five]']),
  blockers: [{ step: 'judge', code: 'test_step_failed', text: 'command failed: LEAK (LEAK)', kind: 'fail' }],
  testOutputEnd: 'E  assert 4 == 5\n\u001b[31mred\n',
  startsFrom: 'previous_work',
  sealedIds: null,
};

describe('tests that the engine can read', () => {
  const text = feedbackFor(FACTS, REASONS);
  test('are named, with the reason and the last lines of the output', () => {
    expect(text).toContain('- command failed: LEAK (LEAK)');
    expect(text).toContain('- failed: a.py::test_two[4-four]');
    expect(text).toContain('    E  assert 4 == 5');
    expect(text).toContain('The changes of that attempt are in the working tree');
  });
  test('cannot send escape sequences', () => {
    expect(text).not.toContain('\u001b');
  });
});

describe('sealed tests', () => {
  const known = new Set(FACTS.report.tests.seen.map(({ id }) => id));
  const invented = failing([...known, 'LEAK::of_the_source']);
  const text = feedbackFor({ ...FACTS, report: invented, sealedIds: known }, REASONS);
  test('are named without parameters, which are values of their source', () => {
    expect(text).toContain('- failed: a.py::test_one\n- failed: a.py::test_two (2 cases)\n');
    expect(text).not.toContain('four');
  });
  test('say nothing that the judged code could have written', () => {
    expect(text).not.toContain('LEAK');
    expect(text).not.toContain('assert 4 == 5');
  });
  test('leave what was found before them as it is', () => {
    const blockers = [
      { step: 'diff', code: 'disallowed_file', text: 'disallowed file changed: x', kind: 'fail' },
    ] as const;
    expect(feedbackFor({ ...FACTS, blockers, sealedIds: known }, REASONS)).toContain('- disallowed file changed: x');
  });
});

test('many failing tests are bounded, and the rest is counted', () => {
  const report = failing(Array.from({ length: 80 }, (_, index) => `t${index}`));
  expect(feedbackFor({ ...FACTS, report }, REASONS)).toContain('- and 30 more');
});
