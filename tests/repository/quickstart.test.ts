import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Place, PROJECT } from '../support/seatrial.ts';

let place: Place;
beforeEach(() => {
  place = new Place();
});
afterEach(() => place.remove());

test('the quickstart works as it is written, from an empty directory to an applied patch', () => {
  const blocks = [...readFileSync(join(PROJECT, 'docs/quickstart.md'), 'utf8').matchAll(/^```sh\n([\s\S]*?)^```$/gm)];
  const bin = join(place.root, 'bin');
  mkdirSync(bin);
  writeFileSync(
    join(bin, 'seatrial'),
    `#!/bin/sh\nexec "${process.execPath}" "${join(PROJECT, 'dist/seatrial.js')}" "$@"\n`,
  );
  chmodSync(join(bin, 'seatrial'), 0o755);
  const script = [
    'set -e',
    ...blocks.map(([, text]) => text),
    'git log -1 --format=%B',
    'git diff HEAD~1 -- total.py',
  ].join('\n');
  const env = {
    PATH: `${bin}:/usr/local/bin:/usr/bin:/bin`,
    HOME: place.home,
    GIT_AUTHOR_NAME: 'Ada',
    GIT_AUTHOR_EMAIL: 'a@b',
    GIT_COMMITTER_NAME: 'Ada',
    GIT_COMMITTER_EMAIL: 'a@b',
  };
  const output = execFileSync('bash', ['-c', script], { cwd: place.cwd, env, encoding: 'utf8', stdio: 'pipe' });
  expect(blocks.length).toBeGreaterThanOrEqual(5);
  expect(output).toContain('1 fixed (tests/test_total.py::test_total), 0 kept');
  expect(output).toContain('judged again: passed');
  expect(output).toContain('Seatrial-Run: ');
  expect(output).toContain('+    return sum(numbers)');
});
