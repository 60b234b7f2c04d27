import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findCallerPrograms, type WantedPrograms } from './caller-programs.ts';

let dir: string;
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'seatrial-programs-')));
});
afterEach(() => rmSync(dir, { recursive: true }));

function script(name: string, text: string): string {
  const path = join(dir, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
  return path;
}

const wanted = (named: readonly string[]): WantedPrograms => ({ named, mentioned: [], pythonModule: null });

const find = (names: readonly string[], ...dirs: string[]): ReturnType<typeof findCallerPrograms> =>
  findCallerPrograms(wanted(names), {
    path: [...dirs.map((name) => join(dir, name)), '/usr/bin'].join(':'),
    cacheDir: null,
  });

it('a program that only the caller has is shown, and is not run to find out what it is', async () => {
  const agent = script('bin/my-agent', `touch ${join(dir, 'was-run')}`);
  const { tools, mounts, dirs } = await find(['my-agent', 'no-such-program', '../escape'], 'bin');
  expect(tools.map(({ name, path }) => [name, path])).toEqual([['my-agent', agent]]);
  expect(dirs).toEqual([join(dir, 'bin')]);
  expect(mounts).toContainEqual({ source: join(dir, 'bin'), target: join(dir, 'bin'), mode: 'ro' });
  expect(existsSync(join(dir, 'was-run'))).toBe(false);
});

it('a language of the caller comes before that of the system, in the version that the caller would get', async () => {
  script('go/bin/cargo', 'echo cargo 9.9.9');
  const { tools, dirs } = await find([], 'go/bin');
  expect(tools).toMatchObject([{ name: 'cargo', version: '9.9.9' }]);
  expect(dirs).toEqual([join(dir, 'go/bin')]);
});

it('a directory is left out when it would replace a program that the caller has from the system', async () => {
  script('late/sh', 'exit 1');
  script('late/my-agent', 'exit 0');
  const path = `/usr/bin:/bin:${join(dir, 'late')}`;
  expect(await findCallerPrograms(wanted(['sh', 'my-agent']), { path, cacheDir: null })).toMatchObject({ dirs: [] });
});

it('what the system offers anyway needs no directory', async () => {
  expect(await find(['sh', 'ls'])).toEqual({ tools: [], mounts: [], dirs: [] });
});
