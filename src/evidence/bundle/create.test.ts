import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createBundle, writeArtifact } from './create.ts';
import { readLiveEntry } from './running.ts';
import { readRun } from './runs.ts';
import { report } from '../schema/report.ts';
import { beginSample, type SampleSite, sampleSite } from './sample-bundle.fixture.ts';

let site: SampleSite;
beforeEach(() => {
  site = sampleSite();
});
afterEach(() => site.remove());

const clock = { now: () => new Date('2026-11-15T23:41:00.000Z'), mono: () => 0 };
const wanted = (task: string) => ({
  runsDir: site.runsDir,
  task,
  engine: 'fake',
  clock,
  pid: process.pid,
  nonce: 'n',
  scratch: '/tmp/seatrial-x',
});

test('a run is born blocked, with a whole report and an entry that says who runs it', () => {
  const bundle = createBundle(wanted('r1'));
  expect(bundle.runId).toBe(`20261115T234100Z-r1-${process.pid}`);
  const born = report.parse(JSON.parse(readFileSync(join(bundle.dir, 'report.json'), 'utf8')));
  expect(born).toMatchObject({ status: 'blocked', failure_reason: 'run interrupted', run_dir: bundle.dir });
  expect(readdirSync(bundle.dir)).toEqual(['report.json']);
  expect(readRun(bundle.dir).state).toBe('running');
  expect(readLiveEntry(site.runsDir, bundle.runId)).toMatchObject({ pid: process.pid, scratch: '/tmp/seatrial-x' });
});

test('runs of the same second get names of their own', () => {
  const ids = [1, 2, 3].map(() => createBundle(wanted('r1')).runId);
  const base = `20261115T234100Z-r1-${process.pid}`;
  expect(ids).toEqual([base, `${base}-2`, `${base}-3`]);
});

test('a task name that is no file name is refused', () => {
  for (const task of ['', 'a/b', '..\n', 'ü']) expect(() => createBundle(wanted(task))).toThrow(/cannot name a folder/);
  expect(existsSync(site.runsDir)).toBe(false);
});

test('a runs folder that cannot be written is one sentence with the path', () => {
  writeFileSync(site.runsDir, '');
  expect(() => createBundle(wanted('r1'))).toThrow(/^artifact write failed: .*\/runs: .*; (choose another|move it)/);
});

test('an artifact that cannot be written is named', () => {
  const bundle = beginSample(site.runsDir);
  writeArtifact(bundle, 'backend', '');
  expect(() => writeArtifact(bundle, 'backend/stdout.log', '')).toThrow(
    /artifact write failed: .*backend\/stdout\.log/,
  );
});

test('an artifact is replaced as a whole, and one that cannot be leaves nothing half written', () => {
  const bundle = beginSample(site.runsDir);
  writeArtifact(bundle, 'test.log', 'before');
  writeArtifact(bundle, 'test.log', 'after');
  expect(readFileSync(join(bundle.dir, 'test.log'), 'utf8')).toBe('after');
  mkdirSync(join(bundle.dir, 'patch.diff'));
  expect(() => writeArtifact(bundle, 'patch.diff', 'text')).toThrow(/artifact write failed: .*patch\.diff/);
  expect(readdirSync(bundle.dir).filter((name) => name.endsWith('.tmp'))).toEqual([]);
});
