import { describe, expect, it } from 'vitest';
import { sampleReport } from './sample-report.fixture.ts';
import { beforeAfterText, furtherNote, testRows, testsSummary } from './test-rows.ts';

const { tests } = sampleReport();

describe('test rows', () => {
  it('lists what was expected and never reported, and puts what needs attention first', () => {
    const rows = testRows({
      ...tests,
      expected: ['a', 'b', 'c'],
      seen: [
        { id: 'a', outcome: 'passed' },
        { id: 'b', outcome: 'skipped' },
        { id: 'x', outcome: 'passed' },
      ],
    });
    expect(rows.map(({ id, outcome, expected }) => `${id} ${outcome} ${expected}`)).toEqual([
      'c not reported yes',
      'b skipped yes',
      'a passed yes',
      'x passed no',
    ]);
  });
});

describe('counts of large suites', () => {
  it('group their digits in both numbers of a sentence', () => {
    const seen = Array.from(
      { length: 1373 },
      (_, at) => ({ id: `t${at}`, outcome: at === 0 ? 'skipped' : 'passed' }) as const,
    );
    expect(testsSummary({ ...tests, exit_code: 0, expected: [], seen }, true)).toMatch(
      /^1,372 of 1,373 tests of the base passed /,
    );
    expect(
      beforeAfterText({ fixed: ['a'], still_passing: seen.map(({ id }) => id), newly_failing: [], still_failing: [] }),
    ).toBe('1 fixed, 1,373 still passing');
  });
});

describe('the effect on the tests there were', () => {
  it('tells a file that no longer loads from tests that fail as before', () => {
    const compared = {
      fixed: [],
      still_passing: ['a.py::x'],
      newly_failing: [],
      no_longer_reported: ['b.py::y'],
      still_failing: ['b.py', 'c.py::z'],
    };
    expect(beforeAfterText(compared)).toBe(
      '1 still passing, 1 no longer reported, 1 no longer loading, 1 still failing',
    );
  });
});

describe('notes of the judge', () => {
  it('are shown in full, but for the warning that in-process results carry anyway', () => {
    const warning = "code under test shared the judge's process; a hostile patch could forge this";
    expect(furtherNote({ ...tests, isolation: 'in_process', note: warning })).toBeNull();
    expect(furtherNote({ ...tests, isolation: 'in_process', note: `${warning}; one script, one result` })).toBe(
      'one script, one result',
    );
    expect(furtherNote({ ...tests, isolation: 'black_box', note: warning })).toBe(warning);
  });
});
