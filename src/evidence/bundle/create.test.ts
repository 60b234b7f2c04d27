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

test('a new run is blocked, with a complete report and an entry that names its process', () => {
  const bundle = createBundle(wanted('r1'));
  expect(bundle.runId).toBe(`20261115T234100Z-r1-${process.pid}`);
  const born = report.parse(JSON.parse(readFileSync(join(bundle.dir, 'report.json'), 'utf8')));
  expect(born).toMatchObject({ status: 'blocked', failure_reason: 'run interrupted', run_dir: bundle.dir });
  expect(readdirSync(bundle.dir)).toEqual(['report.json']);
  expect(readRun(bundle.dir).state).toBe('running');
  expect(readLiveEntry(site.runsDir, bundle.runId)).toMatchObject({ pid: process.pid, scratch: '/tmp/seatrial-x' });
});

test('runs started in the same second get different names', () => {
  const ids = [1, 2, 3].map(() => createBundle(wanted('r1')).runId);
  const base = `20261115T234100Z-r1-${process.pid}`;
  expect(ids).toEqual([base, `${base}-2`, `${base}-3`]);
});

test('rejects a task name that is not a valid file name', () => {
  for (const task of ['', 'a/b', '..\n', 'ü'])
    expect(() => createBundle(wanted(task))).toThrow(/not a valid directory name/);
  expect(existsSync(site.runsDir)).toBe(false);
});

test('an unwritable runs directory is a one-sentence error with the path', () => {
  writeFileSync(site.runsDir, '');
  expect(() => createBundle(wanted('r1'))).toThrow(/^artifact write failed: .*\/runs: .*; (choose another|move it)/);
});

test('the error for an unwritable artifact names it', () => {
  const bundle = beginSample(site.runsDir);
  writeArtifact(bundle, 'backend', '');
  expect(() => writeArtifact(bundle, 'backend/stdout.log', '')).toThrow(
    /artifact write failed: .*backend\/stdout\.log/,
  );
});

test('replaces an artifact atomically, and leaves no partial file when that fails', () => {
  const bundle = beginSample(site.runsDir);
  writeArtifact(bundle, 'test.log', 'before');
  writeArtifact(bundle, 'test.log', 'after');
  expect(readFileSync(join(bundle.dir, 'test.log'), 'utf8')).toBe('after');
  mkdirSync(join(bundle.dir, 'patch.diff'));
  expect(() => writeArtifact(bundle, 'patch.diff', 'text')).toThrow(/artifact write failed: .*patch\.diff/);
  expect(readdirSync(bundle.dir).filter((name) => name.endsWith('.tmp'))).toEqual([]);
});
