import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleReport } from './sample-report.fixture.ts';
import { hostileText, viewSaying } from './hostile.fixture.ts';
import { type TerminalStyle, verdictLines } from './terminal.ts';
import { REASONS } from '../../reasons/catalogue.ts';
import type { Report } from '../../schema/report.ts';

const PLAIN = { color: false, columns: 80 };

function linesOf(report: Report, style: TerminalStyle): string[] {
  return verdictLines({ report, events: [], reasons: REASONS, testOutputEnd: '', setupOutputEnd: '' }, style);
}

describe('the verdict on a terminal', () => {
  it('reads calmly for a pass', () => {
    expect(linesOf(sampleReport({ run_dir: '/r/run-1', run_id: 'run-1' }), PLAIN)).toEqual([
      'PASS  r1-string-slugify by fake in 0.4 s',
      '      5 of 5 expected tests passed · black box',
      '      changed: strings.py',
      '',
      '      report:   /r/run-1/report.html',
      '      run:      /r/run-1',
      '      check it: seatrial verify run-1',
    ]);
  });

  it('gives the reason first and every further blocker', () => {
    const report = sampleReport({
      status: 'fail',
      failure_reason: 'tests failed',
      blockers: ['tests failed', 'dirty ending tree'],
    });
    expect(linesOf(report, PLAIN).slice(1, 5)).toEqual([
      '      tests failed',
      '      At least one deciding test did not pass on the patched tree.',
      '      next: Read test.log for what the failing tests say.',
      '      also: dirty ending tree',
    ]);
  });

  it('names the tests that a change lost, and counts those beyond ten', () => {
    const gone = Array.from({ length: 12 }, (_, index) => `tests/test_a.py::test_${index}`);
    const tests = {
      fixed: ['x'],
      still_passing: [],
      newly_failing: ['tests/test_b.py::test_b'],
      no_longer_reported: gone,
      still_failing: [],
    };
    const comparison = { same_status: false, same_patch: false, changed_files: {}, tests };
    const baseline = { kind: 'before', run_id: 'r', status: 'fail', paths: {}, comparison } as const;
    const lines = linesOf(sampleReport({ status: 'fail', baseline }), PLAIN);
    expect(lines).toEqual(
      expect.arrayContaining([
        '      newly failing       tests/test_b.py::test_b',
        '      no longer reported  tests/test_a.py::test_8',
        '      and 3 more, all in report.json',
        '      against the tests before: 1 fixed, 1 newly failing, 12 no longer reported',
      ]),
    );
    expect(lines.join('\n')).not.toContain('test_9');
  });

  it('shows the end of what failing tests printed, before the counts', () => {
    const seen = [
      { id: 'a', outcome: 'failed' },
      { id: 'b', outcome: 'passed' },
    ] as const;
    const report = sampleReport({ status: 'fail', tests: { ...sampleReport().tests, expected: [], seen: [...seen] } });
    const printed = Array.from({ length: 50 }, (_, index) => `line ${index}`).join('\n');
    const facts = {
      report,
      events: [],
      reasons: REASONS,
      testOutputEnd: `${printed}\nE  assert 2 == 3\n\n`,
      setupOutputEnd: '',
    };
    const lines = verdictLines(facts, PLAIN);
    const at = (text: string): number => lines.findIndex((line) => line.includes(text));
    expect(at('failed  a')).toBeGreaterThan(0);
    expect(at('E  assert 2 == 3')).toBeGreaterThan(at('failed  a'));
    expect(at('1 of 2 reported tests passed')).toBeGreaterThan(at('E  assert 2 == 3'));
    expect(at('line 30')).toBe(-1);
    expect(verdictLines({ ...facts, report: { ...report, status: 'pass' } }, PLAIN).join()).not.toContain('assert 2');
  });

  it('shows what a failed setup printed, although no test is named', () => {
    const report = sampleReport({
      status: 'blocked',
      failure_reason: 'setup command failed with exit code 3',
      blockers: ['setup command failed with exit code 3'],
      blocker_codes: ['setup_failed'],
    });
    const facts = { report, events: [], reasons: REASONS, testOutputEnd: '', setupOutputEnd: 'no such package\n' };
    expect(verdictLines(facts, PLAIN).join('\n')).toContain(
      'last lines that the setup printed:\n           no such package',
    );
    expect(verdictLines({ ...facts, report: { ...report, blocker_codes: ['refused'] } }, PLAIN).join()).not.toContain(
      'no such package',
    );
  });

  it('says why a file was refused before what to do about it', () => {
    const deciding = {
      found_by: 'strace' as const,
      no_vote: [],
      allowed: [],
      refused: [{ path: 'a.py', why: 'line 3, if testing:' }],
    };
    const lines = linesOf(
      sampleReport({
        status: 'fail',
        failure_reason: 'changes what decides: a.py',
        blockers: ['changes what decides: a.py'],
        blocker_codes: ['decides_changed'],
        deciding,
      }),
      PLAIN,
    );
    expect(lines.slice(1, 3).map((line) => line.trim())).toEqual([
      'changes what decides: a.py',
      'a.py: line 3, if testing:',
    ]);
  });

  it('names tests that a pass leaves failing', () => {
    const { baseline } = sampleReport();
    const comparison = {
      same_status: false,
      same_patch: false,
      changed_files: { base: [], command: [] },
      tests: { fixed: ['a'], still_passing: ['b'], newly_failing: [], no_longer_reported: [], still_failing: ['c'] },
    };
    const before = { kind: 'before' as const, run_id: 'r', status: 'fail' as const, paths: {}, comparison };
    const lines = linesOf(sampleReport({ proof: 'fixed', fixed: ['a'], baseline: { ...baseline, ...before } }), PLAIN);
    expect(lines[1]).toBe('      1 fixed (a), 1 kept, 1 still failing (c)');
  });

  it('says loudly, above everything else, that a run was unconfined', () => {
    const { confinement } = sampleReport();
    if (confinement === null) throw new Error('the sample has a confinement');
    const lines = linesOf(sampleReport({ confinement: { ...confinement, kind: 'none' } }), PLAIN);
    expect(lines[1]).toContain('UNCONFINED: engine and tests ran without a sandbox');
    expect(linesOf(sampleReport(), PLAIN).join()).not.toContain('UNCONFINED');
  });

  it('leads a proven change with what it proves, counts new tests apart, and names the command that uses it', () => {
    const shown = { reported: 4, failing: ['n2'], added: ['n1', 'n2'] };
    const tests = { ...sampleReport().tests, expected: [], shown };
    const lines = linesOf(sampleReport({ run_id: 'r', proof: 'fixed', fixed: ['t::a', 't::b'], tests }), PLAIN);
    expect(lines[1]).toBe('      2 fixed (t::a, t::b), 0 kept; 2 new tests, 1 failing, without a vote');
    expect(lines).toContain('      use it:   seatrial apply r');
  });

  it('says so when nothing ran', () => {
    const tests = { ...sampleReport().tests, passed: false, exit_code: null, seen: [] };
    const lines = linesOf(sampleReport({ status: 'blocked', duration_ms: null, changed_files: [], tests }), PLAIN);
    expect(lines[0]).toBe('BLOCKED  r1-string-slugify by fake');
    expect(lines).toContain('         tests did not run');
  });

  it('counts a test that reported both passed and failed as not passed', () => {
    const seen = [
      { id: 'a', outcome: 'passed' },
      { id: 'a', outcome: 'failed' },
    ] as const;
    const report = sampleReport({ tests: { ...sampleReport().tests, expected: ['a'], seen: [...seen] } });
    expect(linesOf(report, PLAIN)).toContain('      0 of 1 expected test passed · black box');
  });

  it('colours only on request, and the words are the same', () => {
    const report = sampleReport();
    const colored = linesOf(report, { color: true, columns: 80 });
    expect(colored[0]).toContain('\u001b[1;32mPASS\u001b[0m');
    expect(colored.map((line) => line.replace(/\u001b\[[\d;]*m/g, ''))).toEqual(linesOf(report, PLAIN));
  });

  it('wraps sentences and keeps what is to be copied whole', () => {
    const blockers = Array.from(
      { length: 6 },
      (_, index) => `disallowed file changed: some/deep/folder/number-${index}.py`,
    );
    const lines = linesOf(sampleReport({ status: 'fail', failure_reason: null, blockers }), {
      color: false,
      columns: 40,
    });
    for (const line of lines.slice(1, lines.indexOf(''))) expect(line.length).toBeLessThanOrEqual(48);
    expect(lines.at(-2)).toContain(sampleReport().run_dir);
  });

  it('passes nothing on to the terminal that could drive it', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        for (const line of linesOf(viewSaying(text).report, PLAIN)) expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
      }),
    );
  });
});
