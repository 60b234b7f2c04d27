import { build, type Metafile } from 'esbuild';
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { COMMANDS, HELP_TEXT } from './commands.ts';

/** The only module that opens sandboxes. */
const OPENS_SANDBOXES = 'src/confine/open.ts';

const DIR = 'src/cli/commands';
/** The file of each command, which has its name. */
const files = new Map(
  readdirSync(DIR, { recursive: true, encoding: 'utf8' }).map((path) => [basename(path, '.ts'), join(DIR, path)]),
);
/** The modules that each file can load. */
const modules = new Map<string, readonly string[]>();

beforeAll(async () => {
  const { metafile } = await build({
    entryPoints: Array.from(COMMANDS.keys(), (name) => files.get(name) ?? name),
    outdir: 'commands',
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
    // What commands share is bundled once, which takes a fraction of the time.
    splitting: true,
    packages: 'external',
  });
  for (const [path, { entryPoint }] of Object.entries(metafile.outputs))
    if (entryPoint !== undefined) modules.set(entryPoint, modulesIn(path, metafile.outputs));
});

/** The modules of a bundle, and of the bundles that it loads. */
function modulesIn(path: string, outputs: Metafile['outputs']): readonly string[] {
  const found = new Set([path]);
  for (const one of found) for (const { path: next } of outputs[one]?.imports ?? []) found.add(next);
  return [...found].flatMap((one) => Object.keys(outputs[one]?.inputs ?? {}));
}

describe.each([...COMMANDS])('%s', (name, { needs }) => {
  test('is set up by the launcher if, and only if, its modules can open a sandbox, or it starts agents that do', () => {
    const loaded = modules.get(files.get(name) ?? '');
    expect(loaded).toBeDefined();
    expect(needs !== 'nothing').toBe(needs === 'agents' || loaded?.includes(OPENS_SANDBOXES));
  });

  test('is listed once in --help', () => {
    expect(HELP_TEXT.split('\n').filter((line) => line.startsWith(`  ${name} `))).toHaveLength(1);
  });
});
