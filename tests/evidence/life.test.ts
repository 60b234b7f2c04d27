import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { processesWith } from '../support/processes.ts';
import { Place, PROJECT, readReport } from '../support/seatrial.ts';
import { CORRECT_SLUGIFY, copyOfSlugify, writing } from '../support/slugify.ts';
import { missingFrom } from '../support/complete-bundle.ts';
import { decidedBy } from '../support/decided-by.ts';

const SLUGIFY = 'r1-string-slugify';
const places: Place[] = [];
const newPlace = (): Place => {
  const place = new Place();
  places.push(place);
  return place;
};
afterAll(() => places.forEach((place) => place.remove()));

describe('a harness that is killed while its engine works', () => {
  const place = newPlace();
  const nap = `4242.${process.pid}`;
  let dir: string;
  let scratch: string;

  beforeAll(async () => {
    const running = place.start(['run', SLUGIFY, '--engine', 'command', '--command', `sleep ${nap}`]);
    await vi.waitUntil(() => processesWith(/^sleep /, nap).length > 0, { timeout: 60_000 });
    running.child.kill('SIGKILL');
    await running.ended;
    const run = place.runDirs()[0] ?? '';
    dir = join(place.runs, run);
    scratch = JSON.parse(readFileSync(join(place.runs, '.live', `${run}.json`), 'utf8')).scratch;
  });

  it('leaves no process, and a report that says it was interrupted', async () => {
    await expect.poll(() => processesWith(nap), { timeout: 30_000 }).toEqual([]);
    expect(readReport(dir)).toMatchObject({ status: 'blocked', blocker_codes: decidedBy('run_interrupted') });
    expect(existsSync(scratch)).toBe(true);
    expect((await place.seatrial(['runs'])).stdout).toMatch(/^interrupted .*`seatrial runs recover` seals it$/m);
    const verified = await place.seatrial(['verify', dir]);
    expect(verified).toMatchObject({ code: 1, stdout: expect.stringMatching(/^unsealed: .* is a blocked$/m) });
  });

  it('is finished by `runs recover`, once, and never as a pass', async () => {
    expect(await place.seatrial(['runs', 'recover'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^sealed .*blocked, run interrupted/),
    });
    expect(readReport(dir)).toMatchObject({ status: 'blocked', blocker_codes: decidedBy('run_interrupted') });
    expect(missingFrom(dir)).toEqual([]);
    expect(await place.seatrial(['verify', dir])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^verified: .* is a blocked$/m),
    });
    expect(await place.seatrial(['verify', '--all'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('ok: 1 run verified'),
    });
    expect(await place.seatrial(['runs', 'recover'])).toMatchObject({ code: 0, stdout: 'nothing to recover\n' });
    expect(existsSync(scratch)).toBe(false);
  });

  it('does not keep the next run from passing', async () => {
    expect((await place.run(SLUGIFY)).code).toBe(0);
    expect((await place.seatrial(['verify', '--all'])).code).toBe(0);
  });
});

describe('pruned runs', () => {
  it('leave a ledger that holds, before and after the next run', async () => {
    const place = newPlace();
    await place.seatrial(['run', SLUGIFY, '--repeat', '3', '--jobs', '2']);
    const newest = place.runDirs().toSorted().at(-1);
    expect(await place.seatrial(['runs', 'prune', '--keep', '1'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('removed 2 runs'),
    });
    expect(place.runDirs()).toEqual([newest]);
    expect(await place.seatrial(['verify', '--all'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('ok: 1 run verified'),
    });
    await place.run(SLUGIFY);
    expect((await place.seatrial(['verify', '--all'])).code).toBe(0);
  });
});

describe('a run without confinement', () => {
  const place = newPlace();
  const root = join(place.cwd, 'precious');

  beforeAll(() => writeFileSync(join(place.cwd, 'seatrial.toml'), 'protected_roots = ["precious"]\n'));

  it('is recorded as such and verifies', async () => {
    writeFileSync(root, 'as it was\n');
    const { report, code } = await place.run(SLUGIFY, ['--confine', 'none']);
    expect(code).toBe(0);
    expect(report).toMatchObject({
      status: 'pass',
      confinement: { kind: 'none', network: 'host', probe_passed: false },
      allowed_writes_passed: null,
    });
    expect(missingFrom(report.run_dir)).toEqual([]);
    expect((await place.seatrial(['verify', report.run_dir])).code).toBe(0);
    expect(readFileSync(join(report.run_dir, 'report.md'), 'utf8')).toMatch(
      /not confined|without confinement|unconfined/i,
    );
  });

  it('does not pass when the engine has changed a protected root', async () => {
    const args = writing({ 'strings.py': CORRECT_SLUGIFY, [root]: 'other\n' });
    const { report } = await place.run(SLUGIFY, ['--confine', 'none', ...args]);
    expect(report).toMatchObject({
      status: 'fail',
      failure_reason: `protected root changed: ${root}`,
      allowed_writes_passed: false,
    });
  });
});

describe('allowed_writes_passed', () => {
  const place = newPlace();

  it('is true of a confined engine that kept to what is allowed, and names what was protected', async () => {
    const { report } = await place.run(SLUGIFY, writing({ 'strings.py': CORRECT_SLUGIFY }));
    expect([report.status, report.allowed_writes_passed]).toEqual(['pass', true]);
    const events = readFileSync(join(report.run_dir, 'events.normalized.jsonl'), 'utf8').trim().split('\n');
    const checked = events.map((line) => JSON.parse(line)).find(({ type }) => type === 'protected_roots.checked');
    expect(checked.data.roots).toEqual(expect.arrayContaining([place.runs, PROJECT.replace(/\/$/, '')]));
  });

  it('is false of an engine that wrote what is not allowed', async () => {
    const { report } = await place.run(SLUGIFY, writing({ 'strings.py': CORRECT_SLUGIFY, 'README.md': 'other\n' }));
    expect(report).toMatchObject({
      failure_reason: 'disallowed file changed: README.md',
      allowed_writes_passed: false,
    });
  });

  it('is false of an unconfined engine that changed Seatrial itself, without any configuration', async () => {
    const clone = join(place.root, 'clone');
    for (const part of ['package.json', 'dist', 'tasks', 'src/run/judge/runners'])
      cpSync(join(PROJECT, part), join(clone, part), { recursive: true });
    const args = writing({ 'strings.py': CORRECT_SLUGIFY, [join(clone, 'tasks/new.txt')]: 'other\n' });
    const { report } = await place.run(SLUGIFY, ['--confine', 'none', ...args], {
      command: join(clone, 'dist/seatrial.js'),
    });
    expect(report).toMatchObject({
      failure_reason: `protected root changed: ${join(clone, 'tasks')}`,
      allowed_writes_passed: false,
    });
  });
});

describe('the control', () => {
  const place = newPlace();

  it('runs beside any other engine, is a bundle of its own, and is compared', async () => {
    const { report, code } = await place.run(SLUGIFY, writing({ 'strings.py': CORRECT_SLUGIFY }));
    expect(code).toBe(0);
    expect(report.baseline).toMatchObject({
      status: 'pass',
      paths: { fake: 'baseline', command: '.' },
      comparison: {
        same_status: true,
        same_patch: false,
        changed_files: { fake: ['strings.py'], command: ['strings.py'] },
      },
    });
    const control = join(report.run_dir, 'baseline');
    expect(missingFrom(control)).toEqual([]);
    expect(readReport(control)).toMatchObject({
      backend: 'fake',
      status: 'pass',
      run_id: report.baseline?.run_id,
    });
    const verified = await place.seatrial(['verify', report.run_dir]);
    expect(verified).toMatchObject({ code: 0, stdout: expect.stringMatching(/^ok +control .*\(pass\)$/m) });
  });

  it('that does not pass blocks the run, whatever the engine did', async () => {
    const task = copyOfSlugify(place, 'broken-oracle', { solve: 'echo "# nothing" >> strings.py\n' });
    const { report, code } = await place.run(task, writing({ 'strings.py': CORRECT_SLUGIFY }));
    expect(code).toBe(2);
    expect(report).toMatchObject({
      status: 'blocked',
      blocker_codes: decidedBy('baseline_failed'),
      tests: { passed: true },
      baseline: { status: 'fail' },
    });
    expect((await place.seatrial(['verify', report.run_dir])).code).toBe(0);
  });
});
