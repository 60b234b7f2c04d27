import { spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { npmPackages } from '../../src/confine/tools/npm-packages.fixture.ts';
import { LastingPlace } from '../support/lasting.ts';
import { followPage } from '../support/shell-page.ts';

const place = new LastingPlace();
afterAll(() => place.remove());

it('the quickstart with an installed agent works as it is written', async (context) => {
  const packages = await npmPackages('@qwen-code/qwen-code', '0.15.10');
  if (packages === null) return context.skip('Qwen Code cannot be installed: no registry is in reach');
  // Seatrial's own directory, where it was installed, is hidden from every sandbox.
  const agents = join(place.root, 'agents/node_modules');
  cpSync(packages, agents, { recursive: true, verbatimSymlinks: true });
  const ended = followPage(place, 'docs/quickstart.md', { blocks: 'sh agent', programs: [join(agents, '.bin')] });
  expect(ended.stdout, ended.stderr).toMatch(/^not yet {2}qwen, /m);
  expect(ended.stdout).toMatch(/^PASS .* by qwen/m);
  expect(ended.stdout).toContain('1 fixed (test_add.py::test_add)');
  expect(ended.status, ended.stderr).toBe(0);
  const fixed = spawnSync('git', ['-C', join(place.cwd, 'shop'), 'show', 'fix:add.py'], { encoding: 'utf8' });
  expect(fixed.stdout).toContain('a + b');
}, 300_000);
