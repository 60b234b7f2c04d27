import { expect, test } from 'vitest';
import { reason, REASONS } from '../../evidence/reasons/catalogue.ts';
import { sampleReport } from '../../evidence/report/render/sample-report.fixture.ts';
import type { Report } from '../../evidence/schema/report.ts';
import { annotationsOf, workflowCommand } from './annotations.ts';

const isFile = (path: string): boolean => ['tests/test_fees.py', 'src/a:b.ts', 'conftest.py'].includes(path);

function failed(ids: readonly string[]): Report {
  const { text, code } = reason('tests_newly_failing', { n: ids.length });
  const report = sampleReport();
  const seen = ids.map((id) => ({ id, outcome: 'failed' as const }));
  return {
    ...report,
    status: 'fail',
    baseline: null,
    blockers: [text],
    blocker_codes: [code],
    tests: { ...report.tests, seen, expected: [] },
  };
}

test('a failing test is an error at its file, whatever the name of the runner', () => {
  const files = annotationsOf(
    failed(['tests/test_fees.py::test_limit', 'src/a:b.ts > suite > name', 'pkg/TestLimit']),
    REASONS,
    isFile,
  ).map(({ file }) => file);
  expect(files).toEqual([undefined, 'tests/test_fees.py', 'src/a:b.ts', undefined]);
});

test('a reason comes with its next step', () => {
  const [first] = annotationsOf(failed(['t']), REASONS, isFile);
  expect(first?.message).toBe(`tests newly failing: 1\n${REASONS.tests_newly_failing.next}`);
});

test('no more of one kind than GitHub shows', () => {
  const many = annotationsOf(failed(Array.from({ length: 40 }, (_, n) => `t${n}`)), REASONS, isFile);
  expect(many).toHaveLength(10);
});

test('files that decide and files without a vote are named', () => {
  const deciding = {
    found_by: 'strace' as const,
    allowed: [],
    refused: [{ path: 'conftest.py', why: 'runner configuration' }],
    no_vote: [{ path: 'tests/test_fees.py', why: 'a test' }],
  };
  expect(annotationsOf({ ...failed([]), deciding }, REASONS, isFile).slice(1)).toMatchObject([
    { level: 'error', file: 'conftest.py' },
    { level: 'notice', file: 'tests/test_fees.py' },
  ]);
});

test('text cannot break out of its command', () => {
  const hostile = { level: 'error', title: 'a,line=1::x', message: '50%\n::set-output name=x::y\r\u001b[31m' } as const;
  const command = workflowCommand({ ...hostile, file: 'a,b:c' });
  expect(command).toMatch(/^::error file=a%2Cb%3Ac,title=a%2Cline=1%3A%3Ax::50%25%0A::set-output name=x::y/);
  expect(command).not.toMatch(/[\n\r\u001b]/);
});
