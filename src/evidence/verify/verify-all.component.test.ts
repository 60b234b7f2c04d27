import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../kernel/clock.ts';
import { sha256 } from '../../kernel/digest.ts';
import type { Bundle } from '../bundle/bundle.ts';
import { ledgerPath } from '../bundle/ledger.ts';
import { beginSample, fillSample, sampleRun, type SampleSite, sampleSite } from '../bundle/sample-bundle.fixture.ts';
import { sealBundle } from '../bundle/seal.ts';
import { verifyAll } from './verify-all.ts';

let site: SampleSite;
let runs: readonly Bundle[] = [];
beforeEach(async () => {
  site = sampleSite();
  runs = [await sampleRun(site), await sampleRun(site), await sampleRun(site)];
});
afterEach(() => site.remove());

const all = (runsDir = site.runsDir) => verifyAll(runsDir, { trusted: site.trusted, now: new Date() });
const ledgerFaults = (): string =>
  all()
    .ledger.filter(({ ok }) => !ok)
    .map(({ detail }) => detail)
    .join('\n');

test('verifies a runs directory with its ledger; an empty or missing one is ok', () => {
  expect(all()).toMatchObject({ ok: true, runs: [{ verdict: 'verified' }, { verdict: 'verified' }, {}] });
  expect(all(join(site.root, 'absent'))).toMatchObject({ ok: true, runs: [] });
});

test('ignores a running run, which claims nothing', () => {
  beginSample(site.runsDir);
  const { ok, runs: verified } = all();
  expect(ok).toBe(true);
  expect(verified.map(({ verdict }) => verdict)).toContain('unsealed');
});

test('reports a missing run', () => {
  rmSync(runs[1]?.dir ?? '', { recursive: true });
  expect(ledgerFaults()).toBe(`${runs[1]?.runId} is in the ledger but its directory is missing`);
});

test('detects a ledger that is truncated or lacks lines', () => {
  const lines = readFileSync(ledgerPath(site.runsDir), 'utf8').split('\n');
  writeFileSync(ledgerPath(site.runsDir), `${lines.slice(0, 2).join('\n')}\n`);
  expect(ledgerFaults()).toContain(`${runs[2]?.runId} is sealed but not in the ledger`);
  writeFileSync(ledgerPath(site.runsDir), `${lines[0]}\n${lines[2]}\n`);
  expect(ledgerFaults()).toContain('ledger.jsonl line 2:');
});

test('detects a run that replaced another', async () => {
  const other = await sampleRun(site);
  rmSync(runs[0]?.dir ?? '', { recursive: true });
  cpSync(other.dir, runs[0]?.dir ?? '', { recursive: true });
  expect(ledgerFaults()).toBe(`${runs[0]?.runId} is in the ledger but its directory contains something else`);
});

test('detects a run that claims to have started from another ledger', async () => {
  const bundle = beginSample(site.runsDir);
  const report = fillSample(bundle);
  const freshness = { ...report.freshness, ledger_head_at_start: sha256('another') };
  await sealBundle({ bundle, report: { ...report, freshness }, key: site.key, clock: systemClock });
  expect(ledgerFaults()).toBe(`${bundle.runId} started from a different ledger`);
});

test('detects a ledger that was started over', async () => {
  rmSync(ledgerPath(site.runsDir));
  await sampleRun(site);
  expect(ledgerFaults()).toContain('is sealed but not in the ledger');
});
