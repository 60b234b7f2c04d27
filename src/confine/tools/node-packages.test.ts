import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { digestInstalled } from './installed-program.ts';
import { nodePackagesOf } from './node-packages.ts';

const scratch: string[] = [];
afterEach(() => {
  for (const dir of scratch.splice(0)) rmSync(dir, { recursive: true });
});

/** Manifests by package directory. */
function installed(packages: Readonly<Record<string, object>>): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'seatrial-packages-')));
  scratch.push(dir);
  for (const [path, content] of Object.entries(packages)) {
    mkdirSync(join(dir, path), { recursive: true });
    writeFileSync(join(dir, path, 'package.json'), JSON.stringify(content));
    writeFileSync(join(dir, path, 'main.js'), path);
  }
  return dir;
}

function link(to: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(to, path);
}

const AGENT = { optionalDependencies: { '@a/linux': '1', '@a/mac': '1' }, dependencies: { tool: '1' } };

test('dependencies inside of a package are part of it', () => {
  const dir = installed({
    'node_modules/agent': AGENT,
    'node_modules/agent/node_modules/@a/linux': {},
    'node_modules/agent/node_modules/tool': { dependencies: { '../..': '1' } },
    'node_modules/stranger': {},
  });
  expect(nodePackagesOf(join(dir, 'node_modules/agent/main.js'))).toEqual({
    roots: [join(dir, 'node_modules/agent')],
    links: [],
  });
});

test('dependencies beside a package are found, with theirs, even in a circle', () => {
  const dir = installed({
    'node_modules/agent': AGENT,
    'node_modules/@a/linux': { peerDependencies: { agent: '1' } },
    'node_modules/tool': { dependencies: { deep: '1' } },
    'node_modules/tool/node_modules/deep': {},
    'node_modules/stranger': {},
  });
  expect(nodePackagesOf(join(dir, 'node_modules/agent/main.js'))?.roots).toEqual(
    ['agent', '@a/linux', 'tool'].map((name) => join(dir, 'node_modules', name)),
  );
});

test('dependencies behind links are found where they are, with the links', () => {
  const store = 'node_modules/.pnpm';
  const dir = installed({
    [`${store}/agent@1/node_modules/agent`]: { dependencies: { tool: '1' } },
    [`${store}/tool@1/node_modules/tool`]: {},
  });
  const path = join(dir, store, 'agent@1/node_modules/tool');
  const to = join(dir, store, 'tool@1/node_modules/tool');
  link(to, path);
  const own = join(dir, store, 'agent@1/node_modules/agent');
  expect(nodePackagesOf(join(own, 'main.js'))).toEqual({ roots: [own, to], links: [{ path, to }] });
});

test('a program in no package has none', () => {
  expect(nodePackagesOf('/usr/bin/agent')).toBeNull();
});

test('the digest of a program changes with a package beside it that it depends on, and with no other', () => {
  const dir = installed({ 'node_modules/agent': AGENT, 'node_modules/@a/linux': {}, 'node_modules/stranger': {} });
  const digest = (): string => digestInstalled(join(dir, 'node_modules/agent/main.js'), join(dir, 'cache')).sha256;
  const before = digest();
  writeFileSync(join(dir, 'node_modules/stranger/main.js'), 'changed');
  expect(digest()).toBe(before);
  writeFileSync(join(dir, 'node_modules/@a/linux/main.js'), 'changed');
  expect(digest()).not.toBe(before);
});
