import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { PROJECT } from '../support/seatrial.ts';

const root = mkdtempSync(join(tmpdir(), 'seatrial-add-an-engine-'));
const clone = join(root, 'clone');
afterAll(() => rmSync(root, { recursive: true, force: true }));

const COPIED = [
  'seatrial',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'vitest.config.ts',
  'scripts',
  'src',
  'tasks',
  'tests/conformance',
  'tests/support',
];

test('the page on adding an engine works as it is written', { timeout: 300_000 }, () => {
  for (const part of COPIED) cpSync(join(PROJECT, part), join(clone, part), { recursive: true });
  symlinkSync(join(PROJECT, 'node_modules'), join(clone, 'node_modules'));
  // Says that the packages are installed.
  mkdirSync(join(clone, '.build'));
  cpSync(join(clone, 'package-lock.json'), join(clone, '.build/installed-lock.json'));

  const page = readFileSync(join(PROJECT, 'docs/add-an-engine.md'), 'utf8');
  for (const [, file = '', text = ''] of page.matchAll(/^```ts (\S+)\n([\s\S]*?)^```$/gm)) {
    if (file === 'src/engines/list.ts') addLine(join(clone, file), text);
    else {
      mkdirSync(dirname(join(clone, file)), { recursive: true });
      writeFileSync(join(clone, file), text);
    }
  }
  const commands = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, text]) => text);
  expect(commands).toHaveLength(2);
  const env = { PATH: process.env['PATH'], HOME: root, NO_COLOR: '1' };
  const ended = spawnSync('/bin/bash', ['-e', '-c', commands.join('\n')], { cwd: clone, env, encoding: 'utf8' });
  expect(`${ended.stdout}${ended.stderr}`).toMatch(/3 passed/);
  expect([ended.status, ended.stdout]).toEqual([0, expect.stringMatching(/^PASS {2}r1-string-slugify by script/m)]);
});

/** The page shows the import and the list as they become. */
function addLine(file: string, text: string): void {
  const [imported = '', , list = ''] = text.split('\n');
  const before = readFileSync(file, 'utf8');
  const after = before
    .replace(/^export const ENGINES: .*$/m, list)
    .replace(/^(import .*\n)+/m, (imports) => `${imports}${imported}\n`);
  expect(after).not.toBe(before);
  writeFileSync(file, after);
}
