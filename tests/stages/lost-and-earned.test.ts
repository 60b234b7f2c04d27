import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SLUGIFY_SCRIPTS, type SlugifyScript } from '../../src/engines/case/self-test/slugify.ts';
import { startScriptedModel } from '../../src/gateway/scripted/server.ts';
import { sha256 } from '../../src/kernel/digest.ts';
import { CasePlace, PROGRAM } from '../support/case-place.ts';
import { earnStageOne } from '../support/earned.ts';
import { type CallOptions, type Ended, writeBelow } from '../support/seatrial.ts';

/** One story: what is granted on runs of Case's simulator is lost by what other runs show, and is earned again. */
let place: CasePlace;
beforeAll(async () => {
  place = await CasePlace.open('commits');
  for (const name of ['stage_key', 'other_key'])
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(place.home, name)]);
  const key = readFileSync(join(place.home, 'stage_key.pub'), 'utf8');
  writeBelow(join(place.home, '.config/seatrial'), { allowed_signers: `you@example.org ${key}` });
  expect(await stage(['declare', 'case', '--to', '2', '--tasks', 'r1-string-slugify', ...SIGNED()])).toMatchObject(OK);
  expect(await stage(['run', '--jobs', '2'])).toMatchObject(OK);
  expect(await stage(['promote', 'case', '--to', '2', ...SIGNED()])).toMatchObject(OK);
}, 240_000);
afterAll(() => place.leave());

const OK = { code: 0 };
const signedBy = (name: string): string[] => ['--sign-with', join(place.home, name)];
const SIGNED = (): string[] => signedBy('stage_key');
/** Programs in a temporary directory do not run, so the place is seen elsewhere too. */
const SEEN_AT = '/mnt';
/** Variables of the program that is used now. */
let program: Readonly<Record<string, string>> = {};
const options = (env: Readonly<Record<string, string>> = {}): CallOptions => ({
  through: ['bwrap', '--dev-bind', '/', '/', '--bind', place.root, SEEN_AT, '--chdir', place.cwd],
  env: place.env({ ...program, ...env }),
});
const stage = (args: readonly string[]): Promise<Ended> => place.seatrial(['stage', ...args], options());

interface Standing {
  readonly stage: number;
  readonly history: readonly { readonly what: string; readonly by: string; readonly stage: number }[];
}
async function standing(): Promise<Standing> {
  const { stdout } = await stage(['--json']);
  return JSON.parse(stdout).engines.find((one: { subject: { engine: string } }) => one.subject.engine === 'case');
}

const earnAgain = (): Promise<Ended> => stage(['earn', 'case', '--to', '2', '--jobs', '2', ...SIGNED()]);

test('a batch is not resumed as a comparison, which would neither hide nor deliver what it should', async () => {
  expect(await place.seatrial(['compare', '--resume'], options())).toMatchObject({
    code: 64,
    stderr: expect.stringContaining('is a batch for stage 2; go on with `seatrial stage run`'),
  });
});

test(
  'a person takes a stage back with a reason, and what counted before does not count again',
  { timeout: 240_000 },
  async () => {
    const demote = (...args: string[]): Promise<Ended> => stage(['demote', 'case', ...args]);
    const records = (): number => readdirSync(join(place.cwd, '.seatrial/stages/decisions')).length;
    const before = records();
    const wrong = [
      await demote('--to', '1', ...SIGNED()),
      await demote('--to', '1', '--reason', 'x'),
      await demote('--to', '2', '--reason', 'x', ...SIGNED()),
      await demote('--to', '7', '--reason', 'x', ...SIGNED()),
      await demote('--to', '0', '--reason', 'x', ...SIGNED()),
      await demote('--to', '1', '--reason', '', ...SIGNED()),
      await stage(['demote', 'nobody', '--to', '1', '--reason', 'x', ...SIGNED()]),
      await stage(['demote', 'fake', '--to', '1', '--reason', 'x', ...SIGNED()]),
      await stage(['earn', 'case', '--to', '7', ...SIGNED()]),
      await stage(['earn', 'case', '--to', '1', ...SIGNED()]),
    ];
    expect(wrong.map(({ code }) => code)).toEqual(wrong.map(() => 64));
    const refused = [
      await demote('--to', '1', '--reason', 'x', ...signedBy('other_key')),
      await demote('--to', '1', '--reason', 'x', ...signedBy('no_key')),
    ];
    expect(refused.map(({ code }) => code)).toEqual([2, 64]);
    expect([(await standing()).stage, records()]).toEqual([2, before]);

    const nothing = await stage(['earn', 'case', '--to', '2', ...SIGNED()]);
    expect(nothing).toMatchObject({ code: 0, stdout: expect.stringContaining('case has stage 2 already') });

    const taken = await demote('--to', '1', '--reason', 'it deleted a branch', ...SIGNED());
    expect(taken).toMatchObject({ code: 0, stdout: expect.stringMatching(/is at stage 1: it deleted a branch\n$/) });
    expect(await standing()).toMatchObject({ stage: 1 });
    expect((await standing()).history.at(-1)).toMatchObject({ what: 'it deleted a branch', by: 'you@example.org' });
    // What counted once does not count again.
    expect(await stage(['promote', 'case', '--to', '2', ...SIGNED()])).toMatchObject({ code: 2 });
  },
);

test('another program starts anew, and earn repeats for it what was declared', { timeout: 240_000 }, async () => {
  const path = join(place.home, 'opt/ca');
  mkdirSync(join(place.home, 'opt'));
  cpSync(PROGRAM, path);
  appendFileSync(path, '\n');
  program = { CTO_HARNESS_CASE_BIN: `${SEEN_AT}/home/opt/ca` };
  expect((await standing()).stage).toBe(0);
  expect(await earnAgain()).toMatchObject({ code: 2, stderr: expect.stringContaining('has not earned stage 1') });

  earnStageOne(place, path);
  const refused = await earnAgain();
  expect(refused).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('would be refused: executable not admitted'),
  });
  const admissions = join(place.cwd, '.seatrial/admissions');
  const bytes = readFileSync(path);
  const admitted = JSON.parse(readFileSync(join(admissions, 'ca.json'), 'utf8'));
  const other = { ...admitted, sha256: sha256(bytes), size: bytes.length, path: program['CTO_HARNESS_CASE_BIN'] };
  writeBelow(admissions, { 'other-ca.json': JSON.stringify(other) });

  expect(await earnAgain()).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^granted: case .* has stage 2 /m),
  });
  expect((await standing()).stage).toBe(2);
  await runWith('mends it wrongly');
  // One failed run takes nothing back.
  expect((await standing()).stage).toBe(2);
});

test.each([
  ['is another model', 'another model answered: another-model'],
  ['only thinks', 'provider response shape unavailable'],
] as const)('one run in which the model %s takes the stage back', { timeout: 240_000 }, async (script, what) => {
  expect(await earnAgain()).toMatchObject(OK);
  expect((await standing()).stage).toBe(2);
  await runWith(script);
  // Seen at once by a command that writes nothing …
  expect((await standing()).stage).toBe(1);
  // … and written down by the next one that may, so that it stays known without the run.
  expect(await stage(['promote', 'case', '--to', '2', ...SIGNED()])).toMatchObject({ code: 2 });
  const { stage: now, history } = await standing();
  expect({ now, last: history.at(-1) }).toMatchObject({
    now: 1,
    last: { stage: 1, by: 'seatrial', what: expect.stringContaining(what) },
  });
});

async function runWith(script: SlugifyScript): Promise<void> {
  const model = await startScriptedModel(SLUGIFY_SCRIPTS[script]);
  try {
    const called = options({ CTO_HARNESS_CASE_LOCAL_BASE_URL: model.url });
    const { report } = await place.run('r1-string-slugify', ['--engine', 'case'], called);
    expect(report.status).not.toBe('pass');
  } finally {
    await model.close();
  }
}
