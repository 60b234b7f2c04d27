import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { artifactPath } from './bundle.ts';
import { findRun, listRuns, newestRunNames, readRun } from './runs.ts';
import { beginSample, sampleRun, type SampleSite, sampleSite } from './sample-bundle.fixture.ts';

let site: SampleSite;
beforeEach(() => {
  site = sampleSite();
});
afterEach(() => site.remove());

test('lists runs oldest first, with their state', async () => {
  expect(listRuns(site.runsDir)).toEqual([]);
  const done = await sampleRun(site);
  const going = beginSample(site.runsDir);
  const damaged = beginSample(site.runsDir);
  writeFileSync(artifactPath(damaged, 'report.json'), '{');
  const runs = listRuns(site.runsDir);
  expect(runs.map(({ runId }) => runId)).toEqual([done.runId, going.runId, damaged.runId].toSorted());
  expect(Object.fromEntries(runs.map(({ runId, state }) => [runId, state]))).toEqual({
    [done.runId]: 'sealed',
    [going.runId]: 'running',
    [damaged.runId]: 'damaged',
  });
});

test('names the newest runs, whatever other directories lie beside them', () => {
  expect(newestRunNames(site.runsDir, 2)).toEqual([]);
  const ids = [1, 2, 3].map(() => beginSample(site.runsDir).runId).toSorted();
  for (const name of ['zz-compare', 'landings', '.hidden']) mkdirSync(join(site.runsDir, name));
  expect(newestRunNames(site.runsDir, 2)).toEqual(ids.slice(1));
  expect(newestRunNames(site.runsDir, Infinity)).toEqual(ids);
  expect(findRun(site.runsDir, 'last')).toBe(join(site.runsDir, ids[2] ?? ''));
});

test('shows an unsealed pass as blocked', async () => {
  const { dir } = await sampleRun(site);
  expect(readRun(dir).report?.status).toBe('pass');
  rmSync(join(dir, 'attestation.json'));
  expect(readRun(dir)).toMatchObject({
    state: 'interrupted',
    report: { status: 'blocked', failure_reason: expect.stringMatching(/not sealed/) },
  });
});

test('shows a pass written into an unsealed report as blocked', () => {
  const bundle = beginSample(site.runsDir);
  const path = artifactPath(bundle, 'report.json');
  writeFileSync(path, readFileSync(path, 'utf8').replace('"blocked"', '"pass"'));
  expect(readRun(bundle.dir).report?.status).toBe('blocked');
});

test('finds a run by id, by id prefix, or by path', async () => {
  const { runId, dir } = await sampleRun(site);
  expect(findRun(site.runsDir, runId)).toBe(dir);
  expect(findRun(site.runsDir, runId.slice(0, 10))).toBe(dir);
  expect(findRun(join(site.root, 'absent'), dir)).toBe(dir);
});

test('an ambiguous or unknown prefix is an error that says what to do', async () => {
  const first = await sampleRun(site);
  const second = beginSample(site.runsDir);
  expect(() => findRun(site.runsDir, '20')).toThrow(/"20" matches 2 runs \(.*\); give more of the id/);
  expect(findRun(site.runsDir, first.runId)).toBe(first.dir);
  expect(findRun(site.runsDir, second.runId)).toBe(second.dir);
  expect(findRun(site.runsDir, 'last')).toBe(second.dir);
  expect(() => findRun(site.runsDir, 'nope')).toThrow(/no run "nope" in .*`seatrial runs` lists them/);
  expect(() => findRun(site.runsDir, '')).toThrow(/no run ""/);
});
