import fc from 'fast-check';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { prettyJson } from '../kernel/canonical.ts';
import { systemClock } from '../kernel/clock.ts';
import { sha256 } from '../kernel/digest.ts';
import { writeArtifact } from './bundle.ts';
import { readLedger } from './ledger.ts';
import { type PrunableRun, pruneRuns, selectForPruning } from './prune.ts';
import { beginSample, sampleRun, type SampleSite, sampleSite } from './sample-bundle.ts';
import { verifyAll } from './verify/verify-all.ts';

let site: SampleSite;
beforeEach(() => {
  site = sampleSite();
});
afterEach(() => site.remove());

const now = new Date('2026-11-15T12:00:00.000Z');
const daysAgo = (days: number): string => new Date(now.getTime() - days * 86_400_000).toISOString();

test('what is selected obeys every rule given, and living runs never go', () => {
  const run = fc.record({
    runId: fc.uuid(),
    state: fc.constantFrom<PrunableRun['state'][]>('running', 'interrupted', 'sealed'),
    startedAt: fc.integer({ min: 0, max: 100 }).map(daysAgo),
  });
  const optional = fc.option(fc.nat({ max: 60 }), { nil: undefined });
  fc.assert(
    fc.property(fc.array(run), optional, optional, (runs, keep, olderThanDays) => {
      const rules = { ...(keep === undefined ? {} : { keep }), ...(olderThanDays === undefined ? {} : { olderThanDays }) };
      const going = selectForPruning(runs, rules, now);
      const staying = runs.filter((each) => each.state !== 'running' && !going.includes(each));
      expect(going.every(({ state }) => state !== 'running')).toBe(true);
      if (keep === undefined && olderThanDays === undefined) expect(going).toEqual([]);
      if (keep !== undefined && going.length > 0) expect(staying.length).toBeGreaterThanOrEqual(keep);
      if (olderThanDays !== undefined) {
        expect(going.every(({ startedAt }) => startedAt < daysAgo(olderThanDays))).toBe(true);
      } else if (keep !== undefined) {
        const oldestStaying = staying.map(({ startedAt }) => startedAt).toSorted()[0] ?? '';
        expect(going.every(({ startedAt }) => oldestStaying === '' || startedAt <= oldestStaying)).toBe(true);
      }
    }),
  );
});

test('the oldest runs go, the ledger says so and stays valid, the others still verify', async () => {
  const runs = [await sampleRun(site), await sampleRun(site), await sampleRun(site)];
  const ids = runs.map(({ runId }) => runId);
  const pruned = await pruneRuns(site.runsDir, { keep: 1 }, { clock: systemClock });
  expect(pruned.runs.toSorted()).toEqual(ids.slice(0, 2).toSorted());
  expect(runs.map(({ dir }) => existsSync(dir))).toEqual([false, false, true]);
  expect(readLedger(site.runsDir).slice(3)).toMatchObject([
    { kind: 'pruned', reason: 'beyond the newest 1' },
    { kind: 'pruned' },
  ]);
  expect(verifyAll(site.runsDir, { trusted: site.trusted, now: new Date() })).toMatchObject({ ok: true });
  expect(readdirSync(site.runsDir).filter((name) => name.startsWith('.pruned'))).toEqual([]);
});

test('a living run stays, whatever the rules', async () => {
  const bundle = beginSample(site.runsDir);
  expect(await pruneRuns(site.runsDir, { keep: 0 }, { clock: systemClock })).toEqual({ runs: [], blobs: [] });
  expect(existsSync(bundle.dir)).toBe(true);
});

test('stored inputs go with the last run that needs them, but not while anyone runs', async () => {
  const needed = sha256('base');
  mkdirSync(join(site.runsDir, 'store'), { recursive: true });
  const orphan = sha256('orphan');
  for (const name of [needed, orphan]) writeFileSync(join(site.runsDir, 'store', name), '');
  await sampleRun(site);
  await sampleRun(site);
  expect(await pruneRuns(site.runsDir, { keep: 1 }, { clock: systemClock })).toMatchObject({ blobs: [orphan] });
  const living = beginSample(site.runsDir);
  writeArtifact(living, 'inputs/contract.json', prettyJson({}));
  expect(await pruneRuns(site.runsDir, { keep: 0 }, { clock: systemClock })).toMatchObject({ runs: [expect.any(String)], blobs: [] });
  expect(readdirSync(join(site.runsDir, 'store'))).toEqual([needed]);
});

test('a pruning without a rule, or with a senseless one, is refused', async () => {
  await expect(pruneRuns(site.runsDir, {}, { clock: systemClock })).rejects.toThrow(/say what to prune/);
  await expect(pruneRuns(site.runsDir, { keep: -1 }, { clock: systemClock })).rejects.toThrow(/numbers from 0 on/);
  await expect(pruneRuns(site.runsDir, { olderThanDays: NaN }, { clock: systemClock })).rejects.toThrow(/numbers from 0/);
  expect(existsSync(site.runsDir)).toBe(false);
});

test('a pruning that was cut off after its line in the ledger is finished without a second line', async () => {
  const { runId } = await sampleRun(site);
  await pruneRuns(site.runsDir, { keep: 0 }, { clock: systemClock });
  const before = readFileSync(join(site.runsDir, 'ledger.jsonl'));
  mkdirSync(join(site.runsDir, `.pruned-${runId}`));
  await sampleRun(site);
  await pruneRuns(site.runsDir, { keep: 1 }, { clock: systemClock });
  expect(readdirSync(site.runsDir).filter((name) => name.startsWith('.pruned'))).toEqual([]);
  expect(readFileSync(join(site.runsDir, 'ledger.jsonl')).subarray(0, before.length)).toEqual(before);
});
