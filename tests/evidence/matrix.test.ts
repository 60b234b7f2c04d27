import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BundleVerification } from '../../src/evidence/verify/types.ts';
import type { RowResult } from '../../src/run/selftest/row.ts';
import { type Ended, Place, readReport } from '../support/seatrial.ts';
import { missingFrom } from '../support/complete-bundle.ts';

/** The failure matrix as it was promised: row, reason, event, status, exit code. */
const PROMISED: readonly (readonly [string, RegExp, string, string, number])[] = [
  ['no diff', /^no diff produced$/, 'git.diff.checked', 'fail', 1],
  ['disallowed file', /^disallowed file changed: \S+$/, 'git.diff.checked', 'fail', 1],
  ['failed tests', /^tests failed$/, 'verification.completed', 'fail', 1],
  ['missing test command', /^missing test command$/, 'gate.checked', 'blocked', 2],
  ['missing event', /^missing required event: \S+$/, 'run.completed', 'fail', 1],
  ['reviewer reject', /^reviewer rejected$/, 'review.completed', 'fail', 1],
  ['approval denied', /^approval denied: \S+$/, 'approval.denied', 'blocked', 2],
  ['timeout', /^fake engine failed with exit code 124$/, 'backend.timeout', 'fail', 1],
  ['timeout after a valid patch', /^fake lifecycle timeout after valid patch$/, 'backend.timeout', 'fail', 1],
  ['dirty starting tree', /^dirty starting tree$/, 'gate.checked', 'blocked', 2],
  ['dirty ending tree', /^dirty ending tree$/, 'git.diff.checked', 'fail', 1],
  ['artifact write failure', /^artifact write failed: \S+$/, 'run.started', 'blocked', 3],
  ['provider unavailable', /^provider unavailable$/, 'provider.unavailable', 'blocked', 2],
  ['claimed commit not there', /^claimed commit not found$/, 'git.diff.checked', 'fail', 1],
  ['tests silenced', /^expected tests not reported: [1-9]\d*$/, 'verification.completed', 'fail', 1],
];

const place = new Place();
let ended: Ended;
let rows: ReadonlyMap<string, RowResult>;
let verified: ReadonlyMap<string, BundleVerification>;
let runs: string;

beforeAll(async () => {
  ended = await place.seatrial(['matrix', '--json']);
  const matrix: { rows: RowResult[] } = JSON.parse(ended.stdout);
  rows = new Map(matrix.rows.map((row) => [row.name, row]));
  const dir = place.runDirs().find((name) => /^\d{8}T\d{6}Z-run-all-fake-\d+$/.test(name));
  runs = join(place.runs, dir ?? 'no such directory');
  const all: { runs: BundleVerification[] } = JSON.parse(
    (await place.seatrial(['verify', '--all', '--runs', runs, '--json'])).stdout,
  );
  verified = new Map(all.runs.map((run) => [run.run_id ?? '', run]));
});
afterAll(() => place.remove());

describe('the failure matrix', () => {
  it('has the promised rows and no others, all of them good', () => {
    expect([...rows.keys()].toSorted()).toEqual(PROMISED.map(([name]) => name).toSorted());
    expect([...rows.values()].filter(({ ok }) => !ok)).toEqual([]);
    expect(ended.code).toBe(0);
  });

  it.each(PROMISED)('%s gives its reason, event, status and exit code', (name, reason, event, status, exit) => {
    const row = rows.get(name);
    expect(row?.seen).toMatchObject({ reason: expect.stringMatching(reason), status, exit });
    const dir = join(runs, row?.run ?? '');
    expect(readReport(dir)).toMatchObject({ status, failure_reason: row?.seen.reason });
    const events = readFileSync(join(dir, 'events.normalized.jsonl'), 'utf8').trim().split('\n');
    expect(events.map((line): unknown => JSON.parse(line).type)).toContain(event);
  });

  it.each(PROMISED.filter(([name]) => name !== 'artifact write failure'))(
    '%s leaves a complete bundle that verifies',
    (name) => {
      const run = rows.get(name)?.run ?? '';
      expect(missingFrom(join(runs, run))).toEqual([]);
      expect(verified.get(run)).toMatchObject({ verdict: 'verified' });
    },
  );
});
