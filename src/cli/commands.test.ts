import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { COMMANDS, HELP_TEXT } from './commands.ts';

/** The only module that opens a sandbox for anybody else. */
const OPENS_SANDBOXES = 'src/confine/open.ts';

describe.each([...COMMANDS])('%s', (name, { needs }) => {
  test('is set up by the launcher if, and only if, its modules can open a sandbox', async () => {
    const { metafile } = await build({
      entryPoints: [`src/cli/commands/${name}.ts`],
      bundle: true,
      write: false,
      metafile: true,
      platform: 'node',
      format: 'esm',
      packages: 'external',
    });
    expect(needs !== 'nothing').toBe(Object.hasOwn(metafile.inputs, OPENS_SANDBOXES));
  });

  test('is listed once in --help', () => {
    expect(HELP_TEXT.split('\n').filter((line) => line.startsWith(`  ${name} `))).toHaveLength(1);
  });
});
