import { build } from 'esbuild';
import { beforeAll, describe, expect, test } from 'vitest';
import { COMMANDS, HELP_TEXT } from './commands.ts';

/** The only module that opens sandboxes. */
const OPENS_SANDBOXES = 'src/confine/open.ts';

/** The modules that each command can load. */
const modules = new Map<string, readonly string[]>();

beforeAll(async () => {
  const { metafile } = await build({
    entryPoints: Array.from(COMMANDS.keys(), (name) => `src/cli/commands/${name}.ts`),
    outdir: 'commands',
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
  });
  for (const { entryPoint = '', inputs } of Object.values(metafile.outputs))
    modules.set(entryPoint, Object.keys(inputs));
});

describe.each([...COMMANDS])('%s', (name, { needs }) => {
  test('is set up by the launcher if, and only if, its modules can open a sandbox', () => {
    const loaded = modules.get(`src/cli/commands/${name}.ts`);
    expect(loaded).toBeDefined();
    expect(needs !== 'nothing').toBe(loaded?.includes(OPENS_SANDBOXES));
  });

  test('is listed once in --help', () => {
    expect(HELP_TEXT.split('\n').filter((line) => line.startsWith(`  ${name} `))).toHaveLength(1);
  });
});
