import { appendFileSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../kernel/clock.ts';
import { readLedger } from './ledger.ts';
import { readRun } from './runs.ts';
import { beginSample, fillSample, type SampleSite, sampleSite } from './sample-bundle.fixture.ts';
import { sealBundle } from './seal.ts';

let site: SampleSite;
beforeEach(() => {
  site = sampleSite();
});
afterEach(() => site.remove());

test('does not seal a run whose directory was replaced, and leaves it for recovery', async () => {
  const bundle = beginSample(site.runsDir);
  const aside = `${bundle.dir}-aside`;
  const report = fillSample(bundle);
  renameSync(bundle.dir, aside);
  mkdirSync(bundle.dir);
  await expect(sealBundle({ bundle, report, key: site.key, clock: systemClock })).rejects.toThrow(
    /removed or changed during the run/,
  );
  expect(readLedger(site.runsDir)).toEqual([]);
  rmSync(bundle.dir, { recursive: true });
  renameSync(aside, bundle.dir);
  expect(readRun(bundle.dir).report).toMatchObject({ status: 'blocked', failure_reason: 'run interrupted' });
});

test.each([
  ['removed', (patch: string) => rmSync(patch)],
  ['changed', (patch: string) => appendFileSync(patch, 'x')],
])('does not seal a run whose patch was %s meanwhile', async (_what, strike) => {
  const bundle = beginSample(site.runsDir);
  const report = fillSample(bundle);
  strike(`${bundle.dir}/patch.diff`);
  await expect(sealBundle({ bundle, report, key: site.key, clock: systemClock })).rejects.toThrow(/patch\.diff/);
  expect(readLedger(site.runsDir)).toEqual([]);
  expect(readRun(bundle.dir).report).toMatchObject({ status: 'blocked' });
});
