import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FleetPlace } from '../support/fleet-place.ts';
import { PROJECT } from '../support/seatrial.ts';

/** A clone of Seatrial as it is built here, with a history of its own: the launcher, the bundle's files, and sources that are never older. */
let place: FleetPlace;
let source: string;
let first: string;
const IDENTITY = ['-c', 'user.name=A', '-c', 'user.email=a@b'];
const git = (cwd: string, ...args: readonly string[]): string => {
  const { status, stdout, stderr } = spawnSync('git', ['-C', cwd, ...IDENTITY, ...args], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return stdout.trim();
};

beforeAll(() => {
  place = new FleetPlace({ python: false });
  source = join(place.place.root, 'seatrial');
  for (const part of ['seatrial', 'scripts/setup.sh', 'package.json', 'package-lock.json', '.gitignore'])
    cpSync(join(PROJECT, part), join(source, part));
  mkdirSync(join(source, 'src'));
  writeFileSync(join(source, 'src/empty.ts'), '');
  // Builds without packages: what stands for the build is a copy of the bundle that is tested.
  writeFileSync(
    join(source, 'scripts/build.mjs'),
    `import { cpSync } from 'node:fs';\ncpSync(${JSON.stringify(join(PROJECT, 'dist'))}, new URL('../dist', import.meta.url).pathname, { recursive: true });\n`,
  );
  git(place.place.root, 'init', '--quiet', source);
  git(source, 'add', '--all');
  git(source, 'commit', '--quiet', '--message', 'One');
  git(source, 'tag', 'v1');
  first = git(source, 'rev-parse', 'HEAD');
  writeFileSync(join(source, 'NEWS'), 'two\n');
  git(source, 'add', '--all');
  git(source, 'commit', '--quiet', '--message', 'Two');
});
afterAll(() => place.remove());

/** A PATH on which npm does what it is told to do. */
function pathWithNpm(script: string): string {
  const bin = join(place.place.root, 'bin');
  rmSync(bin, { recursive: true, force: true });
  mkdirSync(bin);
  writeFileSync(join(bin, 'npm'), `#!/bin/sh\n${script}\n`);
  chmodSync(join(bin, 'npm'), 0o755);
  symlinkSync(process.execPath, join(bin, 'node'));
  return [bin, dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(':');
}

const engineCall = (dir: string, npm: string, ...args: readonly string[]) =>
  spawnSync(join(dir, 'engine/seatrial'), args, {
    cwd: dir,
    env: { ...place.env, HOME: place.place.home, SEATRIAL_SETUP: 'no', PATH: pathWithNpm(npm) },
    encoding: 'utf8',
  });
const INSTALLS = 'mkdir -p "$2/node_modules"';

test('a new project has Seatrial pinned at a tag, and exactly four tracked files', async () => {
  const dir = join(place.place.cwd, 'pinned');
  const made = await place.call('new', dir, '--engine', source, '--pin', 'v1');
  expect(made, made.stderr).toMatchObject({ code: 0 });
  expect(made.stdout).toContain(`warning: engine/ comes from ${source}, which only this machine has`);
  expect(git(dir, 'ls-files').split('\n')).toEqual(['.gitignore', '.gitmodules', 'agents.toml', 'engine']);
  expect(git(join(dir, 'engine'), 'rev-parse', 'HEAD')).toBe(first);
  expect(git(dir, 'status', '--porcelain')).toBe('');

  // The fleet compares the pin that it expects.
  for (const [name, pin] of [
    ['right', 'v1'],
    ['wrong', git(source, 'rev-parse', 'HEAD')],
  ] as const)
    await place.call(
      'fleet',
      'add',
      dir,
      '--name',
      name,
      '--pin',
      pin,
      '--fleet',
      join(place.place.cwd, `${name}.toml`),
    );
  expect((await place.call('fleet', 'check', '--fleet', 'right.toml')).stdout).toBe('OK, 1 project\n');
  expect(await place.call('fleet', 'check', '--fleet', 'wrong.toml')).toMatchObject({
    code: 1,
    stdout: expect.stringContaining(`line 4, column 1: wrong is pinned to ${first.slice(0, 12)}, not to `),
  });

  // Another Seatrial is refused with the way out; the pinned one runs.
  const other = await place.place.seatrial(['up', '--project', dir], { env: place.env });
  expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining(`call ${dir}/engine/seatrial instead`) });
  const built = engineCall(dir, INSTALLS, '--version');
  expect(built, built.stderr).toMatchObject({ status: 0 });
  appendFileSync(join(dir, 'agents.toml'), '[agents.one]\nkind = "service"\ncommand = "sleep 600"\n');
  const up = engineCall(dir, INSTALLS, 'up', '--dry-run');
  expect(up.stderr + up.stdout).not.toContain('pins');

  // A pin that is not what is checked out is refused, and so are changed files.
  git(join(dir, 'engine'), 'checkout', '--quiet', 'v1~0');
  git(join(dir, 'engine'), 'checkout', '--quiet', git(source, 'rev-parse', 'HEAD'));
  const moved = engineCall(dir, INSTALLS, 'up');
  expect(moved).toMatchObject({ status: 2, stderr: expect.stringContaining('git submodule update engine') });
});

test('without network the pinned one starts from what was built of the same commit on this machine', async () => {
  const dir = join(place.place.cwd, 'offline');
  expect((await place.call('new', dir, '--engine', source, '--pin', 'v1')).code).toBe(0);
  const cache = join(place.place.home, '.cache/seatrial/engines');
  // The project of the test before was built of this commit.
  expect(readdirSync(cache)).toEqual([first]);
  const offline = engineCall(dir, 'echo "npm: no network" >&2; exit 1', '--version');
  expect(offline, offline.stderr).toMatchObject({ status: 0 });
  expect(offline.stderr).toContain('using what was built from the same commit');
  expect(existsSync(join(dir, 'engine/node_modules'))).toBe(false);
  const later = join(place.place.cwd, 'later');
  expect((await place.call('new', later, '--engine', source)).code).toBe(0);
  const unknown = engineCall(later, 'exit 1', '--version');
  expect(unknown).toMatchObject({ status: 2, stderr: expect.stringContaining("'npm install' failed in") });
});

test('a source that is no Seatrial, or has no such commit, is one sentence', async () => {
  const dir = join(place.place.cwd, 'wrong');
  expect(await place.call('new', dir, '--engine', place.live)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('is not a clone of Seatrial'),
  });
  rmSync(dir, { recursive: true, force: true });
  expect(await place.call('new', dir, '--engine', source, '--pin', 'v9')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('there is no v9 in'),
  });
});
