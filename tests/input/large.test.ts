import { closeSync, existsSync, mkdirSync, openSync, readdirSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { PLAYS_ALL } from '../../src/kernel/some-of.fixture.ts';
import { Place } from '../support/seatrial.ts';

const place = new Place();
afterAll(() => place.remove());

/** Disks of busy machines take their time with this many files. */
const TIMEOUT_MS = 300_000;

/** Directories of a hundred files each. */
const GROUPS = PLAYS_ALL ? 100 : 25;

const MEGABYTE = Buffer.alloc(1 << 20, 'seatrial\n');

function writeLargeFile(path: string, megabytes: number): void {
  const fd = openSync(path, 'w');
  for (let n = 0; n < megabytes; n += 1) writeSync(fd, MEGABYTE);
  closeSync(fd);
}

it(
  'a 100 MB file lies in the store when unchanged and beside the patch when changed; rerun finds both',
  { timeout: TIMEOUT_MS },
  async () => {
    const dir = place.task('large', { solve: 'echo yes > answer.txt; printf more >> changed.bin\n' });
    writeLargeFile(join(dir, 'environment/files/unchanged.bin'), 100);
    writeLargeFile(join(dir, 'environment/files/changed.bin'), 20);
    const { code, report } = await place.run('large');
    expect([code, report.blockers]).toEqual([0, []]);
    expect(report.changed_files).toEqual(['answer.txt', 'changed.bin']);

    const bundle = report.run_dir;
    expect(existsSync(join(bundle, 'inputs/base.tar'))).toBe(false);
    const stored = readdirSync(join(place.runs, 'store')).map((name) => statSync(join(place.runs, 'store', name)).size);
    expect(Math.max(...stored)).toBeGreaterThan(120 * (1 << 20));
    expect(readdirSync(join(bundle, 'blobs')).length).toBe(2);
    expect(statSync(join(bundle, 'patch.diff')).size).toBeLessThan(1000);

    const verified = await place.seatrial(['verify', report.run_id, '--rerun']);
    expect(verified.code, verified.stdout).toBe(0);
    expect(verified.stdout).toMatch(/ok +rerun +judged again: passed/);
  },
);

it(`${GROUPS * 100} files, a thousand of them changed`, { timeout: TIMEOUT_MS }, async () => {
  const dir = place.task('many', { solve: 'echo yes > answer.txt; for f in d1?/*; do echo new > "$f"; done\n' });
  for (let group = 0; group < GROUPS; group += 1) {
    mkdirSync(join(dir, `environment/files/d${group}`));
    for (let n = 0; n < 100; n += 1) writeFileSync(join(dir, `environment/files/d${group}/f${n}`), `${group} ${n}\n`);
  }
  const { code, report } = await place.run('many');
  expect([code, report.blockers]).toEqual([0, []]);
  expect(report.changed_files.length).toBe(1001);
  const shown = await place.seatrial(['runs', 'show', report.run_id]);
  expect(shown.stdout).toContain('and 996 more');
  const verified = await place.seatrial(['verify', report.run_id]);
  expect(verified.code, verified.stdout).toBe(0);
});
