import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { findProgram } from './find-program.ts';
import { resolveTool } from './toolchain.ts';

vi.setConfig({ testTimeout: 60_000 });

const python = findProgram('python3', '/usr/bin:/usr/local/bin');
let dir: string;
let cacheDir: string;
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'seatrial-tools-')));
  cacheDir = join(dir, 'cache');
});
afterEach(() => rmSync(dir, { recursive: true }));

function script(path: string, text: string): string {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
  return path;
}

it('a program is found through links, with the folder it lives in', async () => {
  const real = script(join(dir, 'opt/tool-1.2/bin/tool'), 'echo tool 1.2.3');
  mkdirSync(join(dir, 'bin'));
  symlinkSync(real, join(dir, 'bin/tool'));
  const found = await resolveTool('tool', { path: join(dir, 'bin'), cacheDir: null });
  expect(found).toMatchObject({
    tool: { name: 'tool', version: '1.2.3', path: real },
    command: real,
    pathEntries: [join(dir, 'opt/tool-1.2/bin')],
  });
  expect(found?.mounts).toContainEqual({
    source: join(dir, 'opt/tool-1.2/bin'),
    target: join(dir, 'opt/tool-1.2/bin'),
    mode: 'ro',
  });
});

it('a shim leads to the interpreter behind it, and a system one needs no mount', async (context) => {
  if (python === null) return context.skip('no python3 in /usr');
  script(join(dir, 'shims/python3'), `exec ${python} "$@"`);
  const found = await resolveTool('python3', { path: join(dir, 'shims'), cacheDir });
  expect(found?.command.startsWith('/usr/')).toBe(true);
  expect(found?.mounts).toEqual([]);
});

it('of several interpreters the first that has the module is taken, and none is better than a wrong one', async (context) => {
  if (python === null) return context.skip('no python3 in /usr');
  script(join(dir, 'bare/python3'), 'exit 1');
  const search = { path: `${join(dir, 'bare')}:/usr/bin:/usr/local/bin`, cacheDir };
  expect((await resolveTool('python3', { ...search, needsModule: 'json' }))?.command.startsWith('/usr/')).toBe(true);
  expect(await resolveTool('python3', { ...search, needsModule: 'no_such_module_at_all' })).toBeNull();
});

it('an answer is remembered until the program changes', async () => {
  const tool = script(join(dir, 'bin/tool'), `echo asked >>${dir}/asked; echo 1.0`);
  const search = { path: join(dir, 'bin'), cacheDir };
  const first = await resolveTool('tool', search);
  rmSync(join(dir, 'asked'));
  expect(await resolveTool('tool', search)).toEqual(first);
  expect(readdirSync(dir)).not.toContain('asked');
  script(tool, `echo asked >>${dir}/asked; echo 2.0`);
  expect((await resolveTool('tool', search))?.tool.version).toBe('2.0');
});

it('a damaged memory is asked again, and no memory is written when reading only', async () => {
  script(join(dir, 'bin/tool'), 'echo 1.0');
  const path = join(dir, 'bin');
  await resolveTool('tool', { path, cacheDir: null });
  expect(readdirSync(dir)).toEqual(['bin']);
  await resolveTool('tool', { path, cacheDir });
  for (const name of readdirSync(cacheDir)) writeFileSync(join(cacheDir, name), '{"version":1,"answer":{}}');
  expect((await resolveTool('tool', { path, cacheDir }))?.tool.version).toBe('1.0');
});

it('what is nowhere is null', async () => {
  expect(await resolveTool('no-such-tool-at-all', { path: dir, cacheDir })).toBeNull();
});

it('go and cargo come with the toolchain around them', async () => {
  const go = script(join(dir, 'sdk/go/bin/go'), '[ "$1" = version ] && echo go version go1.22.3 linux/amd64');
  const found = await resolveTool('go', { path: join(go, '..'), cacheDir: null });
  expect(found?.tool.version).toBe('1.22.3');
  expect(found?.mounts).toEqual([{ source: join(dir, 'sdk/go'), target: join(dir, 'sdk/go'), mode: 'ro' }]);
});
