import { spawnSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SLUGIFY_SCRIPTS } from '../../src/engines/case/self-test/slugify.ts';
import { benchOf } from '../support/case-stories.ts';
import { PROGRAMS, Workbench } from '../support/case-workbench.ts';

describe.each(PROGRAMS)('%s', (_, program) => {
  const { play } = benchOf(program);

  it('tells what it is', async () => {
    const { code, said } = await play('commits', { args: ['--help'] });
    expect([code, said[0]]).toEqual([0, 'Usage: ca <command> [options]']);
  });
});

it('the simulator identifies itself and refuses to work on issues', async () => {
  const bench = await Workbench.with(PROGRAMS[0]![1], SLUGIFY_SCRIPTS.commits);
  const help = await bench.run({ args: ['--help'] });
  expect(help.said.join(' ')).toContain("Seatrial's simulator of the Case command line (ca), not WorkOS Case");
  const version = await bench.run({ args: ['--version'] });
  expect([version.code, version.said]).toEqual([1, ['Detecting repo...']]);
  expect(version.stderr).toContain('does not work on issues');
  await bench.remove();
});

it.each(['module', 'commonjs'])(
  'the simulator runs from any directory, also below a package.json of type %s',
  async (type) => {
    const bench = await Workbench.with(PROGRAMS[0]![1], SLUGIFY_SCRIPTS.commits);
    bench.write('../copy/package.json', JSON.stringify({ type }));
    copyFileSync(PROGRAMS[0]![1], join(bench.root, 'copy/ca'));
    const { status, stderr } = spawnSync(join(bench.root, 'copy/ca'), ['--help'], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
    await bench.remove();
  },
);
