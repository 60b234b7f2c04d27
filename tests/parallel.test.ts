import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { Place, readReport } from './support/seatrial.ts';

const PROCESSES = 5;
const RUNS_EACH = 4;
const RUNS = PROCESSES * RUNS_EACH;

const place = new Place();
afterAll(() => place.remove());

it('20 runs by five processes, on a machine without a key or a runs directory, do not get in each other’s way', async () => {
  place.task('answer');
  const args = ['run', './answer', '--repeat', String(RUNS_EACH), '--jobs', '2'];
  const ended = await Promise.all(Array.from({ length: PROCESSES }, () => place.seatrial(args)));
  for (const { code, stdout, stderr } of ended) {
    expect(stderr).toBe('');
    expect(code, stdout).toBe(0);
    expect(stdout).toContain(`${RUNS_EACH} runs: ${RUNS_EACH} pass`);
  }

  const dirs = place.runDirs();
  const reports = dirs.map((name) => readReport(join(place.runs, name)));
  expect(dirs.length).toBe(RUNS);
  expect(new Set(reports.map((report) => report.freshness.nonce)).size).toBe(RUNS);
  expect(reports.every((report) => report.freshness.sealed_at !== null && report.status === 'pass')).toBe(true);

  const signers = dirs.map((name) => JSON.parse(readFileSync(join(place.runs, name, 'attestation.json'), 'utf8')));
  expect(new Set(signers.map((envelope) => envelope.signatures[0].keyid)).size).toBe(1);

  const lines = readFileSync(join(place.runs, 'ledger.jsonl'), 'utf8').trimEnd().split('\n');
  const ledger = lines.map((line) => JSON.parse(line));
  expect(ledger.map((entry) => entry.seq)).toEqual(Array.from({ length: RUNS }, (_, seq) => seq));
  expect(new Set(ledger.map((entry) => entry.run_id))).toEqual(new Set(dirs));

  const verified = await place.seatrial(['verify', '--all']);
  expect(verified.code, verified.stdout).toBe(0);
  expect(verified.stdout).toContain(`${RUNS} runs verified`);
  expect((await place.seatrial(['runs', 'recover'])).stdout).toBe('nothing to recover\n');
});
