import fc from 'fast-check';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { prettyJson } from '../../kernel/canonical.ts';
import { systemClock } from '../../kernel/clock.ts';
import { sha256 } from '../../kernel/digest.ts';
import { writeArtifact } from './create.ts';
import { readLedger } from './ledger.ts';
import { type PrunableRun, pruneRuns, selectForPruning } from './prune.ts';
import { beginSample, sampleRun, type SampleSite, sampleSite } from './sample-bundle.fixture.ts';
import { sweepStore } from './store.ts';
import { verifyAll } from '../verify/verify-all.ts';

let site: SampleSite;
beforeEach(() => {
  site = sampleSite();
});
afterEach(() => site.remove());

const now = new Date('2026-11-15T12:00:00.000Z');
const daysAgo = (days: number): string => new Date(now.getTime() - days * 86_400_000).toISOString();

const someRuns = fc.array(
  fc.record({
    runId: fc.uuid(),
    state: fc.constantFrom<PrunableRun['state'][]>('running', 'interrupted', 'sealed'),
    startedAt: fc.integer({ min: 0, max: 100 }).map(daysAgo),
  }),
);

test('by count, removes the oldest runs and never a running one', () => {
  fc.assert(
    fc.property(someRuns, fc.nat({ max: 20 }), (runs, keep) => {
      const going = selectForPruning(runs, { keep }, now);
      const ended = runs.filter(({ state }) => state !== 'running');
      const staying = ended.filter((run) => !going.includes(run));
      expect(going.every((run) => ended.includes(run))).toBe(true);
      expect(staying).toHaveLength(Math.min(keep, ended.length));
      expect(going.every((gone) => staying.every((kept) => gone.startedAt <= kept.startedAt))).toBe(true);
    }),
  );
});

test('by age, removes exactly the older runs; with both rules, only runs that match both', () => {
  fc.assert(
    fc.property(someRuns, fc.nat({ max: 100 }), fc.nat({ max: 20 }), (runs, olderThanDays, keep) => {
      const byAge = selectForPruning(runs, { olderThanDays }, now);
      const older = runs.filter((run) => run.state !== 'running' && run.startedAt < daysAgo(olderThanDays));
      expect(new Set(byAge)).toEqual(new Set(older));
      const byNumber = selectForPruning(runs, { keep }, now);
      const both = selectForPruning(runs, { keep, olderThanDays }, now);
      expect(new Set(both)).toEqual(new Set(byAge.filter((run) => byNumber.includes(run))));
      expect(selectForPruning(runs, {}, now)).toEqual([]);
    }),
  );
});

test('removes the oldest runs, records it in a valid ledger, and the others still verify', async () => {
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

test('never removes a running run', async () => {
  const bundle = beginSample(site.runsDir);
  expect(await pruneRuns(site.runsDir, { keep: 0 }, { clock: systemClock })).toEqual({ runs: [], blobs: [] });
  expect(existsSync(bundle.dir)).toBe(true);
});

test('removes stored inputs with the last run that needs them, but not while any run is active', async () => {
  const needed = sha256('base');
  mkdirSync(join(site.runsDir, 'store'), { recursive: true });
  const orphan = sha256('orphan');
  for (const name of [needed, orphan]) writeFileSync(join(site.runsDir, 'store', name), '');
  await sampleRun(site);
  await sampleRun(site);
  expect(await pruneRuns(site.runsDir, { keep: 1 }, { clock: systemClock })).toMatchObject({ blobs: [orphan] });
  const living = beginSample(site.runsDir);
  writeArtifact(living, 'inputs/contract.json', prettyJson({}));
  expect(await pruneRuns(site.runsDir, { keep: 0 }, { clock: systemClock })).toMatchObject({
    runs: [expect.any(String)],
    blobs: [],
  });
  expect(readdirSync(join(site.runsDir, 'store'))).toEqual([needed]);
});

test('a sweep removes nothing that a starting or running run needs', () => {
  const store = join(site.runsDir, 'store');
  const blob = sha256('blob');
  mkdirSync(store, { recursive: true });
  writeFileSync(join(store, blob), 'blob');
  const answers = [true, false, true];
  const seen: string[][] = [];
  const isAnyRunning = (): boolean => {
    seen.push(readdirSync(store));
    return answers[seen.length - 1] ?? false;
  };
  expect(sweepStore(site.runsDir, [], isAnyRunning)).toEqual([]);
  expect(seen).toEqual([[blob]]);
  expect(sweepStore(site.runsDir, [], isAnyRunning)).toEqual([]);
  expect(readdirSync(store)).toEqual([blob]);
  expect(sweepStore(site.runsDir, [], isAnyRunning)).toEqual([blob]);
  expect(readdirSync(store)).toEqual([]);
});

test('rejects a prune without a rule, or with an invalid one', async () => {
  await expect(pruneRuns(site.runsDir, {}, { clock: systemClock })).rejects.toThrow(/nothing to prune by/);
  await expect(pruneRuns(site.runsDir, { keep: -1 }, { clock: systemClock })).rejects.toThrow(/must be 0 or more/);
  await expect(pruneRuns(site.runsDir, { olderThanDays: NaN }, { clock: systemClock })).rejects.toThrow(
    /must be 0 or more/,
  );
  expect(existsSync(site.runsDir)).toBe(false);
});

test('finishes a prune interrupted after its ledger line, without a second line', async () => {
  const { runId } = await sampleRun(site);
  await pruneRuns(site.runsDir, { keep: 0 }, { clock: systemClock });
  const before = readFileSync(join(site.runsDir, 'ledger.jsonl'));
  mkdirSync(join(site.runsDir, `.pruned-${runId}`));
  await sampleRun(site);
  await pruneRuns(site.runsDir, { keep: 1 }, { clock: systemClock });
  expect(readdirSync(site.runsDir).filter((name) => name.startsWith('.pruned'))).toEqual([]);
  expect(readFileSync(join(site.runsDir, 'ledger.jsonl')).subarray(0, before.length)).toEqual(before);
});
