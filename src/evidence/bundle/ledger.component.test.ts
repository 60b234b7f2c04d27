import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../kernel/clock.ts';
import { sha256, ZERO_DIGEST } from '../../kernel/digest.ts';
import { appendToLedger, ledgerHead, ledgerPath, readLedger } from './ledger.ts';
import { beginSample, type SampleSite, sampleSite } from './sample-bundle.fixture.ts';
import { verifyLedger } from '../verify/checks/ledger-check.ts';

let site: SampleSite;
beforeEach(() => {
  site = sampleSite();
  beginSample(site.runsDir);
});
afterEach(() => site.remove());

const draft = (run_id: string) =>
  ({ kind: 'run', run_id, status: 'pass', manifest_sha256: sha256(run_id), chain_head: sha256('head') }) as const;
const append = (...ids: readonly string[]) => appendToLedger(site.runsDir, systemClock, ids.map(draft));

test('an empty ledger has an all-zero head, and reading it creates no file', () => {
  expect(ledgerHead(site.runsDir)).toBe(ZERO_DIGEST);
  expect(readLedger(site.runsDir)).toEqual([]);
  expect(readdirSync(site.runsDir).some((name) => name.startsWith('ledger'))).toBe(false);
});

test('lines form one chain, even with concurrent appends', async () => {
  await Promise.all(Array.from({ length: 10 }, (_, n) => append(`run-${n}`)));
  const entries = readLedger(site.runsDir);
  expect(entries.map(({ seq }) => seq)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(ledgerHead(site.runsDir)).toBe(entries.at(-1)?.hash);
  expect(verifyLedger(site.runsDir)).toMatchObject({ ok: true });
});

test('moves a half-written line aside, records it, and continues the chain', async () => {
  await append('a');
  appendFileSync(ledgerPath(site.runsDir), '{"chain_head":"12');
  const [first] = readLedger(site.runsDir);
  expect(ledgerHead(site.runsDir)).toBe(first?.hash);
  expect(verifyLedger(site.runsDir)).toMatchObject({
    ok: false,
    detail: expect.stringMatching(/line 2: ends in the middle/),
  });
  await append('b');
  expect(readFileSync(join(site.runsDir, 'ledger.torn-1'), 'utf8')).toBe('{"chain_head":"12');
  const kinds = readLedger(site.runsDir).map((entry) => (entry.kind === 'torn' ? entry.file : entry.run_id));
  expect(kinds).toEqual(['a', 'ledger.torn-1', 'b']);
  expect(verifyLedger(site.runsDir)).toMatchObject({ ok: true });
});

test('detects a changed line and names it', async () => {
  await append('a', 'b', 'c');
  const text = readFileSync(ledgerPath(site.runsDir), 'utf8');
  writeFileSync(ledgerPath(site.runsDir), text.replace('"run_id":"b"', '"run_id":"x"'));
  expect(verifyLedger(site.runsDir)).toMatchObject({
    ok: false,
    detail: expect.stringMatching(/^ledger.jsonl line 2: /),
  });
  expect(() => readLedger(site.runsDir)).toThrow(/line 2: .*damaged or changed/);
});

test('refuses to append to a ledger with a damaged end', async () => {
  await append('a');
  appendFileSync(ledgerPath(site.runsDir), 'nonsense\n');
  await expect(append('b')).rejects.toThrow(/the last line of .* is damaged/);
});
