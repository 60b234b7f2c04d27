import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadProject } from '../../agents/config/load.ts';
import { foldJournal } from '../../agents/journal/fold.ts';
import { computeStatus, type ProjectStatus } from '../../agents/status/decide.ts';
import { livingSession, SEED_SESSIONS, SEED_STATUS, SEED_TOML } from '../../agents/status/seed-table.fixture.ts';
import { compareTexts } from './finding.ts';
import { compareCapturedStatus } from './status.ts';

const NOW = new Date('2026-06-13T20:00:00.000Z');

/** The status of a staged copy that sees the sessions of the live project. */
function stagedStatus(toml: string): ProjectStatus {
  const dir = mkdtempSync(join(tmpdir(), 'seatrial-parity-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  writeFileSync(join(dir, 'agents.toml'), toml);
  return computeStatus({
    project: loadProject(dir),
    index: 18,
    history: foldJournal([]),
    host: { kind: 'present', sessions: new Map(SEED_SESSIONS.map((name) => [name, livingSession(name)])) },
    heartbeatAgeMs: null,
  });
}

test("the captured table of the seed equals the staged project's, with its states", () => {
  expect(compareCapturedStatus(SEED_STATUS, stagedStatus(SEED_TOML), true, NOW).verdict).toBe('same');
});

test('one model and one state are named with both rows', () => {
  const other = SEED_TOML.replace('adversary = "sonnet"', 'adversary = "opus"');
  expect(compareCapturedStatus(SEED_STATUS, stagedStatus(other), true, NOW)).toEqual({
    what: 'captured status',
    verdict: 'different',
    lines: [
      '- adversary loop claude claude-sonnet-4-6 heal+stall RUNNING',
      '+ adversary loop claude claude-opus-4-8 heal+stall RUNNING',
    ],
  });
  const stopped = SEED_STATUS.replace('heal+stall RUNNING', 'heal+stall stopped');
  expect(compareCapturedStatus(stopped, stagedStatus(SEED_TOML), true, NOW).verdict).toBe('different');
  expect(compareCapturedStatus(stopped, stagedStatus(SEED_TOML), false, NOW).verdict).toBe('same');
});

test.each([
  ['a\nbcd\n', 'a\nbXd\n', ['line 2, column 2:', '- bcd', '+ bXd']],
  ['a\n', 'a', ['line 2, column 1:', '- ', '+ (ends here)']],
  ['', 'x', ['line 1, column 1:', '- ', '+ x']],
])('the first difference of %j and %j has its place', (live, staged, lines) => {
  expect(compareTexts('kickoff', live, staged)).toEqual({ what: 'kickoff', verdict: 'different', lines });
});
