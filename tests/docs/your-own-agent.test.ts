import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Place, PROJECT } from '../support/seatrial.ts';

const place = new Place();
afterAll(() => place.remove());

test('the page on an agent of your own works as it is written', () => {
  const page = readFileSync(join(PROJECT, 'docs/your-own-agent.md'), 'utf8');
  for (const [, file = '', content = ''] of page.matchAll(/^```(?:js|json) (\S+)\n([\s\S]*?)^```$/gm))
    writeFileSync(join(place.cwd, file), content);
  const blocks = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
  const bin = join(place.root, 'bin');
  mkdirSync(bin);
  const program = `#!/bin/sh\nexec "${process.execPath}" "${join(PROJECT, 'dist/seatrial.js')}" "$@"\n`;
  writeFileSync(join(bin, 'seatrial'), program);
  chmodSync(join(bin, 'seatrial'), 0o755);
  const script = ['set -e', "trap 'kill %1; wait %1' EXIT", ...blocks].join('\n');
  const identity = {
    GIT_AUTHOR_NAME: 'A',
    GIT_AUTHOR_EMAIL: 'a@b',
    GIT_COMMITTER_NAME: 'A',
    GIT_COMMITTER_EMAIL: 'a@b',
  };
  const path = [bin, dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(':');
  const ended = spawnSync('bash', ['-c', script], {
    cwd: place.cwd,
    env: { PATH: path, HOME: place.home, NO_COLOR: '1', ...identity },
    encoding: 'utf8',
  });
  expect(ended.stdout, ended.stderr).toMatch(/^PASS .* by command/m);
  expect(ended.stdout).toMatch(/3 requests/);
  expect(ended.status, ended.stderr).toBe(0);
  const fixed = spawnSync('git', ['-C', join(place.cwd, 'shop'), 'show', 'fix:add.py'], { encoding: 'utf8' });
  expect(fixed.stdout).toContain('a + b');
});
