import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { earnStageOne } from '../support/earned.ts';
import { usageError } from '../support/one-sentence.ts';
import { LastingPlace, QWEN, SOURCE } from '../support/lasting.ts';

let place: LastingPlace;
beforeEach(() => {
  place = new LastingPlace();
});
afterEach(() => place.remove());

const CASE = {
  CTO_HARNESS_ALLOW_CASE: '1',
  CTO_HARNESS_CASE_STAGE: '2',
  CTO_HARNESS_CASE_MODEL_PROVIDER: 'qwen-local',
  CTO_HARNESS_CASE_MODEL: 'qwen3.6-35b-a3b',
};

interface Shown {
  readonly engine: string;
  readonly eligible: boolean;
  readonly refusals: readonly { readonly reason: string; readonly detail: string }[];
}

async function caseEngine(env: Readonly<Record<string, string>>): Promise<Shown> {
  const { stdout } = await place.lasting(['engines', '--json'], { env });
  const shown = JSON.parse(stdout) as Shown[];
  return shown.find(({ engine }) => engine === 'case')!;
}

describe('seatrial admissions', () => {
  it('names what cannot be read, and says so by its exit code', async () => {
    await place.seatrial(QWEN);
    await place.seatrial(SOURCE);
    writeFileSync(join(place.admissions, 'broken.json'), '{');
    const { code, stdout } = await place.seatrial(['admissions']);
    expect(code).toBe(1);
    expect(stdout).toContain('qwen-local / qwen3.6-35b-a3b');
    expect(stdout).toMatch(/\n! broken\.json is not JSON; .*seatrial admit/);
    const listed = JSON.parse((await place.seatrial(['admissions', '--json'])).stdout);
    expect(listed.records).toHaveLength(2);
    expect(listed.faults).toMatchObject([{ file: 'broken.json', what: 'is not JSON' }]);
    expect(usageError(await place.seatrial(['admissions', 'show', 'broken']))).toContain('is not JSON');
  });

  it('shows a record by a part of its name, if only one has it', async () => {
    await place.seatrial(QWEN);
    await place.seatrial(SOURCE);
    expect(usageError(await place.seatrial(['admissions', 'show', 'CTO-CASE']))).toMatch(
      /matches .* and .*; give a longer name/,
    );
    expect(usageError(await place.seatrial(['admissions', 'show', 'pi']))).toMatch(/no record "pi" in/);
    expect((await place.seatrial(['admissions', 'show', 'SOURCE'])).stdout).toContain('"workos-case"');
  });

  it('a directory that may not be read is a fault, to a plain user', async (ctx) => {
    if (process.getuid?.() !== 0) ctx.skip('only root can become a plain user');
    await place.seatrial(QWEN);
    const uid = place.giveToPlainUser();
    chmodSync(place.admissions, 0);
    const { code, stdout } = await place.seatrial(['admissions'], { uid });
    expect(code).toBe(1);
    expect(stdout).toMatch(/admissions cannot be read \(EACCES\)/);
  });

  it('nothing admitted is told, and no directory made', async () => {
    expect((await place.seatrial(['admissions'])).stdout).toMatch(/^no records in .*seatrial admit/);
    await place.seatrial(['engines']);
    expect(readdirSync(place.cwd)).toEqual([]);
  });
});

describe('seatrial engines', () => {
  it('says of every engine whether it may run, and what to do', async () => {
    const { code, stdout } = await place.seatrial(['engines']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^fake +eligible\n/m);
    expect(stdout).toMatch(/^command +eligible\n/m);
    expect(stdout).toMatch(/^case +not eligible: 4 obstacles$/m);
    const ofCase = stdout.slice(stdout.search(/^case /m));
    const shown = [...ofCase.matchAll(/^ +- (.*): .*\n +next: \S/gm)].map(([, reason]) => reason);
    expect(shown).toEqual([
      'engine not enabled: case',
      'stage not set',
      'provider unavailable',
      'model not admitted: CTO_HARNESS_CASE_MODEL_PROVIDER and CTO_HARNESS_CASE_MODEL not set',
    ]);
  });

  it('follows the way of case from refusal to refusal until it may run', async () => {
    const path = place.program('ca');
    const bin = { CTO_HARNESS_CASE_BIN: place.seen(path) };
    const reason = async (env: Readonly<Record<string, string>>) => (await caseEngine(env)).refusals[0]?.reason;
    expect(await reason({})).toBe('engine not enabled: case');
    expect(await reason({ CTO_HARNESS_ALLOW_CASE: '1' })).toBe('stage not set');
    expect(await reason({ ...CASE, CTO_HARNESS_CASE_STAGE: '9' })).toBe('stage not set');
    expect(await reason(CASE)).toBe('stage not earned: 1');
    earnStageOne(place, path);
    expect(await reason(CASE)).toBe('provider unavailable');
    expect(await reason({ ...CASE, ...bin })).toBe('executable not admitted');
    await place.lasting(['admit', 'executable', place.seen(path), '--engine', 'case', '--yes']);
    expect(await reason({ ...CASE, ...bin })).toBe('model not admitted');
    await place.lasting(QWEN);
    expect((await caseEngine({ ...CASE, ...bin })).refusals[0]).toMatchObject({
      reason: 'provider unavailable',
      detail: expect.stringContaining('CTO_HARNESS_CASE_LOCAL_BASE_URL'),
    });
    const all = { ...CASE, ...bin, CTO_HARNESS_CASE_LOCAL_BASE_URL: 'http://canary.invalid/v1' };
    const { stdout } = await place.lasting(['engines'], { env: all });
    expect(stdout).toMatch(
      /^case +eligible, if its model answers\n +executable: [0-9a-f]{64} admitted\n +model: qwen-local/m,
    );
    expect(stdout).not.toContain('canary');
    writeFileSync(path, '#!/bin/sh\necho other bytes\n');
    expect(await reason(all)).toBe('stage not earned: 1');
  });

  it('the settings can take an engine out, and a wrong word there is told', async () => {
    writeFileSync(join(place.cwd, 'seatrial.toml'), '[engines.command]\nenabled = false\n');
    expect((await place.seatrial(['engines'])).stdout).toMatch(
      /^command +not eligible: 1 obstacle\n +- engine not enabled: command: /m,
    );
    writeFileSync(join(place.cwd, 'seatrial.toml'), '[engines.command]\nenabled = "no"\n');
    expect(usageError(await place.seatrial(['engines']))).toMatch(/engines\.command\.enabled must be true or false/);
  });
});

it('an engine can neither read nor write the admissions directory', async () => {
  await place.seatrial(QWEN);
  const before = readdirSync(place.admissions);
  const line = `ls ${place.admissions}; cat ${place.admissions}/*; mkdir -p ${place.admissions}; echo '{}' > ${place.admissions}/own.json; echo yes > answer.txt`;
  const { report, code } = await place.run(place.task('answer'), ['--engine', 'command', '--command', line]);
  expect([report.status, code]).toEqual(['pass', 0]);
  expect(readdirSync(place.admissions)).toEqual(before);
  const said = readFileSync(join(report.run_dir, 'backend/stdout.log'), 'utf8');
  expect(said).not.toMatch(/CTO-CASE|qwen/);
});

it('decide gives the decision that a run keeps, and says why every other engine was not chosen', async () => {
  const { code, stdout } = await place.seatrial(['decide', 'r1-string-slugify', '--json']);
  const { report } = await place.run('r1-string-slugify');
  const kept: unknown = JSON.parse(readFileSync(join(report.run_dir, 'eligibility.json'), 'utf8'));
  expect([code, { ...JSON.parse(stdout), run_id: report.run_id }]).toEqual([0, kept]);
  const refused = await place.seatrial(['decide', 'r1-string-slugify', '--engine', 'case']);
  expect(refused.code).toBe(2);
  expect(refused.stdout).toMatch(
    /^no engine may do this task\n[^]*engine not enabled: case[^]*^next: set CTO_HARNESS_ALLOW_CASE=1$/m,
  );
});
