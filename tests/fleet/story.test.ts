import { appendFileSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { FleetPlace, LIVE_TOML } from '../support/fleet-place.ts';

const places: FleetPlace[] = [];
function open(options: ConstructorParameters<typeof FleetPlace>[0]): FleetPlace {
  const place = new FleetPlace(options);
  places.push(place);
  return place;
}
afterEach(() => {
  for (const place of places.splice(0)) place.remove();
});

const bytesOf = (...paths: readonly string[]): string[] => paths.map((path) => readFileSync(path, 'latin1'));

test(
  'a live project of the Python engine is staged, compared, left alone, cut over and brought back',
  { timeout: 300_000 },
  async () => {
    const place = open({ python: true, toml: `poll_seconds = 20\n${LIVE_TOML}` });
    const { live, staged, unit, boot } = place;
    place.startLive();
    const captured = join(place.place.cwd, 'captured.txt');
    writeFileSync(captured, place.python('status'));
    const fingerprint = join(place.place.cwd, 'before.json');
    const taken = await place.call(
      'fingerprint',
      'take',
      live,
      '-o',
      fingerprint,
      '--file',
      unit,
      '--command',
      'echo none',
    );
    expect(taken.stdout, taken.stderr).toMatch(/4 sessions, 1 watchdog\n$/);

    // D2: staged beside it, byte-identical in status rows and kickoffs, with every difference named.
    const imported = await place.call('import', live, staged, '--engine', 'none');
    expect(imported, imported.stderr).toMatchObject({ code: 0 });
    expect(imported.stdout).toContain('differs: line 1, column 1: poll_seconds = 20 is not imported');
    expect(imported.stdout).toContain('not imported: kickoff-cc-adv.txt');
    const parity = await place.call('parity', live, staged, '--status', captured);
    expect(parity, parity.stdout).toMatchObject({ code: 0 });
    for (const same of ['agents', 'models', 'phases', 'captured status', 'generated kickoff-cc-builder.txt'])
      expect(parity.stdout).toContain(`same: ${same}\n`);

    // D3: registered, and never started.
    expect((await place.call('fleet', 'add', staged, '--disabled', '--name', 'cc-ci')).code).toBe(0);
    expect((await place.call('fleet', 'check')).stdout).toBe('OK, 1 project\n');
    expect((await place.call('fleet', 'up')).stdout).toBe('no project is enabled\n');
    expect((await place.call('fleet', 'up', 'cc-ci')).code).toBe(2);
    expect((await place.call('fleet', 'status')).stdout).toMatch(/^cc-ci +two \[2\/2\] +3\/3 +RUNNING +disabled$/m);

    // The same prefix: nothing that the staged project is told reaches the live one.
    for (const args of [['up'], ['down'], ['restart', 'builder'], ['send', 'builder', 'hello']])
      await place.call(...args, '--project', staged);

    // D5: untouched, after all of that.
    const unchanged = await place.call('fingerprint', 'check', fingerprint);
    expect(unchanged, unchanged.stdout).toMatchObject({ code: 0 });

    // D4: the runbook comes from what is there; one file and one key change.
    const plan = await place.call('cutover', 'plan', live, staged, '--unit', unit);
    expect(plan.stdout, plan.stderr).toContain(`shim: ${boot}/launch.py (python)\n`);
    const files = [
      join(boot, 'launch.py'),
      join(staged, 'agents.toml'),
      join(live, 'agents.toml'),
      join(live, '.logs/state/phase-idx'),
    ];
    const before = bytesOf(...files);
    const run = await place.call('cutover', 'run', staged);
    expect(run, run.stderr).toMatchObject({ code: 0 });
    expect(run.stdout).toMatch(/watchdogs: never more than 1 in \d+ looks; \d+\.\d s without one\n/);
    expect((await place.call('cutover', 'status', staged)).stdout).toMatch(
      /^cut over\n(.*\n)*watchdogs: process \d+ of .*staged\n/,
    );
    expect((await place.call('status', '--project', staged)).stdout).toMatch(/^builder .* RUNNING$/m);

    // The phase moved on meanwhile: a person says what becomes of that.
    writeFileSync(join(live, '.logs/state/phase-idx'), '2\n');
    expect(await place.call('cutover', 'rollback', staged)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('the phase index moved from 1 to 2 since the cutover'),
    });
    const back = await place.call('cutover', 'rollback', staged, '--discard-progress');
    expect(back, back.stderr).toMatchObject({ code: 0 });
    expect(bytesOf(...files)).toEqual(before);
    expect(readdirSync(join(live, '.logs/state'))).toEqual(['phase-idx']);
    const [archived = ''] = readdirSync(join(live, '.logs/archive')).filter((name) => name.startsWith('cutover-'));
    expect(readFileSync(join(live, '.logs/archive', archived, 'state/phase-idx'), 'utf8')).toBe('2\n');
    expect(place.python('status')).toBe(readFileSync(captured, 'utf8'));
  },
);

test('a planted difference is found and named by the right command', { timeout: 240_000 }, async () => {
  const place = open({ python: false });
  const { live, staged } = place;
  place.startLive();
  expect((await place.call('import', live, staged, '--engine', 'none')).code).toBe(0);
  const equal = await place.call('parity', live, staged);
  expect(equal.stdout, equal.stderr).toMatch(/^OK, \d+ equal$/m);
  expect(equal.stdout.match(/^same: kickoff of /gm)).toHaveLength(4);
  expect(equal.stdout).toMatch(/^same: status rows$/m);
  const fingerprint = join(place.place.cwd, 'before.json');
  await place.call('fingerprint', 'take', live, '-o', fingerprint);

  const original = readFileSync(join(staged, 'agents.toml'), 'utf8');
  const differs = async (from: string, to: string): Promise<string> => {
    writeFileSync(join(staged, 'agents.toml'), original.replace(from, to));
    const { code, stdout } = await place.call('parity', live, staged);
    writeFileSync(join(staged, 'agents.toml'), original);
    expect(code).toBe(1);
    return stdout;
  };
  expect(await differs('adversary = "sonnet"', 'adversary = "opus"')).toContain(
    'different: models\n  adversary in phase two: claude-sonnet-4-6, staged claude-opus-4-8\n',
  );
  expect(await differs('id = "one"', 'id = "uno"')).toContain(
    'different: phases\n  one is missing in the staged project',
  );
  appendFileSync(join(staged, 'prompts/builder.md'), '.');
  expect((await place.call('parity', live, staged)).stdout).toContain(
    'different: kickoff of builder in phase one\n  line 5, column 1:\n',
  );

  // A watchdog with a lock of its own, as one in another runtime directory would have.
  const second = place.place.start(['watchdog', '--project', live], {
    env: { ...place.env, XDG_RUNTIME_DIR: place.place.root },
  });
  await expect
    .poll(async () => (await place.call('fingerprint', 'check', fingerprint)).stdout, {
      timeout: 60_000,
      interval: 500,
    })
    .toMatch(/^watchdog watchdogs: were 1 \(.*\), are 2 \(/m);
  second.child.kill('SIGKILL');
  await second.ended;
  utimesSync(join(live, 'agents.toml'), new Date(), new Date());
  const touched = await place.call('fingerprint', 'check', fingerprint);
  expect(touched).toMatchObject({ code: 1 });
  expect(touched.stdout).toMatch(/^file .*live\/agents\.toml: it was touched/m);
});
