import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Project } from '../support/project.ts';

const project = new Project();
afterAll(() => project.remove());

const CLOSES = `import { mkdirSync, chmodSync } from 'node:fs';
import { test } from 'node:test';
test('closes', () => {
  mkdirSync('left/inner', { recursive: true });
  chmodSync('left/inner', 0);
  chmodSync('left', 0);
});
`;

/** Root can remove everything; a plain user has to open what was closed first. */
test('tests that leave a closed directory behind: the verdict stands and nothing stays', async () => {
  project.commit({ 'closes.test.mjs': CLOSES }, 'a test');
  const temporary = join(project.root, 'temporary');
  mkdirSync(temporary);
  const ended = await project.seatrial(['judge', '--repo', project.repo, '--test', 'node --test'], {
    ...(process.getuid?.() === 0 ? { uid: project.giveToPlainUser() } : {}),
    env: { TMPDIR: temporary },
  });
  expect([ended.code, ended.stdout, ended.stderr]).toEqual([0, expect.stringMatching(/^PASS /m), '']);
  expect(readdirSync(temporary)).toEqual([]);
});
