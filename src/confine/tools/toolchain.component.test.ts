import {
  chmodSync,
  lstatSync,
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
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { findProgram } from './find-program.ts';
import { resolveTool, type ToolSearch } from './toolchain.ts';

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

it('a program is found through links, together with its directory', async () => {
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

it('a shim resolves to its interpreter, and a system interpreter needs no mount', async (context) => {
  if (python === null) return context.skip('no python3 in /usr');
  script(join(dir, 'shims/python3'), `exec ${python} "$@"`);
  const found = await resolveTool('python3', { path: join(dir, 'shims'), cacheDir });
  expect(found?.command.startsWith('/usr/')).toBe(true);
  expect(found?.mounts).toEqual([]);
});

it('the first interpreter that has the module is selected, and none if no interpreter has it', async (context) => {
  if (python === null) return context.skip('no python3 in /usr');
  script(join(dir, 'bare/python3'), 'exit 1');
  const search = { path: `${join(dir, 'bare')}:/usr/bin:/usr/local/bin`, cacheDir };
  expect((await resolveTool('python3', { ...search, needsModule: 'json' }))?.command.startsWith('/usr/')).toBe(true);
  expect(await resolveTool('python3', { ...search, needsModule: 'no_such_module_at_all' })).toBeNull();
});

/** A script of a Node package: what it is stands in files that are known. */
function packaged(text: string): string {
  const tool = join(dir, 'lib/node_modules/tool/tool.js');
  mkdirSync(join(tool, '..'), { recursive: true });
  writeFileSync(join(tool, '../package.json'), '{}');
  writeFileSync(tool, `#!${process.execPath}\n${text}\n`);
  chmodSync(tool, 0o755);
  return tool;
}
const counting = (version: string): string =>
  `require('node:fs').appendFileSync(${JSON.stringify(join(dir, 'asked'))}, 'x'); console.log('${version}');`;
const inPackage = (): ToolSearch => ({ path: join(dir, 'bin'), cacheDir });

describe('the tool cache', () => {
  beforeEach(() => {
    packaged(counting('1.0'));
    mkdirSync(join(dir, 'bin'));
    symlinkSync('../lib/node_modules/tool/tool.js', join(dir, 'bin/tool'));
    // Files that changed in the millisecond of the question are not trusted.
    const made = lstatSync(join(dir, 'bin/tool')).ctimeMs;
    while (Date.now() <= made);
  });

  it('keeps an answer until the program changes', async () => {
    const first = await resolveTool('tool', inPackage());
    rmSync(join(dir, 'asked'));
    expect(await resolveTool('tool', inPackage())).toEqual(first);
    expect(readdirSync(dir)).not.toContain('asked');
    packaged(counting('2.0'));
    expect((await resolveTool('tool', inPackage()))?.tool.version).toBe('2.0');
  });

  it('ignores damaged entries and older versions, and is not written without a cache directory', async () => {
    await resolveTool('tool', { ...inPackage(), cacheDir: null });
    expect(readdirSync(dir)).not.toContain('cache');
    const first = await resolveTool('tool', inPackage());
    for (const text of ['{"version":2,"answer":{}}', '{"version":1,"witnesses":[],"answer":null}']) {
      for (const name of readdirSync(cacheDir)) writeFileSync(join(cacheDir, name), text);
      expect(await resolveTool('tool', inPackage())).toEqual(first);
    }
  });

  it('does not keep an answer if a file changed meanwhile', async () => {
    const replace = `require('node:fs').writeFileSync(__filename, ${JSON.stringify(`#!${process.execPath}\nconsole.log('2.0')\n`)});`;
    packaged(`${replace} console.log('1.0');`);
    expect((await resolveTool('tool', inPackage()))?.tool.version).toBe('1.0');
    expect((await resolveTool('tool', inPackage()))?.tool.version).toBe('2.0');
  });

  it('does not keep failures', async (context) => {
    if (python === null) return context.skip('no python3 in /usr');
    const ready = join(dir, 'ready');
    script(join(dir, 'shims/python3.99'), `[ -e ${ready} ] && exec ${python} "$@"; exit 1`);
    script(join(dir, 'shims/odd'), `[ -e ${ready} ] && echo odd 3.1`);
    const search = { path: join(dir, 'shims'), cacheDir };
    expect(await resolveTool('python3.99', { ...search, needsModule: 'json' })).toBeNull();
    expect((await resolveTool('odd', search))?.tool.version).toBe('unknown');
    writeFileSync(ready, '');
    expect((await resolveTool('python3.99', { ...search, needsModule: 'json' }))?.command).toMatch(/^\/usr\//);
    expect((await resolveTool('odd', search))?.tool.version).toBe('3.1');
  });

  it('does not keep answers of scripts, which may start anything', async () => {
    const version = join(dir, 'said');
    writeFileSync(version, '1.0');
    script(join(dir, 'bin/wrapper'), `/bin/cat ${version}`);
    expect((await resolveTool('wrapper', inPackage()))?.tool.version).toBe('1.0');
    writeFileSync(version, '2.0');
    expect((await resolveTool('wrapper', inPackage()))?.tool.version).toBe('2.0');
  });

  it('separates answers by PATH and version variables', async () => {
    packaged("console.log(process.env.PYENV_VERSION ?? process.env.PATH.length + '.0');");
    const at = async (path: string, env: Record<string, string>): Promise<string | undefined> =>
      (await resolveTool('tool', { path: `${join(dir, 'bin')}${path}`, cacheDir, env }))?.tool.version;
    const answers = [await at('', {}), await at(':/usr/bin', {}), await at('', { PYENV_VERSION: '3.9.1' })];
    expect(new Set(answers).size).toBe(3);
    expect(answers[2]).toBe('3.9.1');
  });
});

it('a missing program resolves to null', async () => {
  expect(await resolveTool('no-such-tool-at-all', { path: dir, cacheDir })).toBeNull();
});

it('go mounts its GOROOT, and nothing else of a GOPATH around it', async () => {
  const root = join(dir, 'sdk/go1.22.3');
  const answers = `case "$1" in version) echo go version go1.22.3 linux/amd64;; env) echo ${root};; esac`;
  script(join(root, 'bin/go'), answers);
  const wrapper = script(join(dir, 'gopath/bin/go'), `exec ${join(root, 'bin/go')} "$@"`);
  for (const go of [wrapper, join(root, 'bin/go')]) {
    const found = await resolveTool('go', { path: join(go, '..'), cacheDir: null });
    expect(found?.tool).toMatchObject({ version: '1.22.3', path: join(root, 'bin/go') });
    expect(found?.mounts).toEqual([{ source: root, target: root, mode: 'ro' }]);
  }
});
