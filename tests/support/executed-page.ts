import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { PROJECT } from './seatrial.ts';

const ALWAYS = ['seatrial', 'package.json', 'package-lock.json', 'tsconfig.json', 'vitest.config.ts', 'scripts', 'src'];

/** A page of docs/ that tells how to add something to a list. */
interface ExecutedPage {
  readonly page: string;
  /** The file with the list; the page shows the new import and the list's first line as it becomes. */
  readonly list: string;
  /** What the commands need beyond `src/` and the build. */
  readonly alsoNeeds: readonly string[];
}

/** Does in a copy of the project what a page says: its files are written, its shell blocks run as one script. */
export function executePage({ page, list, alsoNeeds }: ExecutedPage): SpawnSyncReturns<string> {
  const root = mkdtempSync(join(tmpdir(), 'seatrial-page-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const clone = join(root, 'clone');
  for (const part of [...ALWAYS, ...alsoNeeds]) cpSync(join(PROJECT, part), join(clone, part), { recursive: true });
  symlinkSync(join(PROJECT, 'node_modules'), join(clone, 'node_modules'));
  // Says that the packages are installed.
  mkdirSync(join(clone, '.build'));
  cpSync(join(clone, 'package-lock.json'), join(clone, '.build/installed-lock.json'));

  const text = readFileSync(join(PROJECT, page), 'utf8');
  for (const [, file = '', content = ''] of text.matchAll(/^```(?:ts|js) (\S+)\n([\s\S]*?)^```$/gm)) {
    if (file === list) addToList(join(clone, file), content);
    else {
      mkdirSync(dirname(join(clone, file)), { recursive: true });
      writeFileSync(join(clone, file), content);
    }
  }
  const commands = [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
  expect(commands.length).toBeGreaterThan(0);
  const identity = {
    GIT_AUTHOR_NAME: 'A',
    GIT_AUTHOR_EMAIL: 'a@b',
    GIT_COMMITTER_NAME: 'A',
    GIT_COMMITTER_EMAIL: 'a@b',
  };
  const script = commands.join('\n').replaceAll('/tmp/', `${root}/`);
  return spawnSync('/bin/bash', ['-e', '-c', script], {
    cwd: clone,
    env: { PATH: process.env['PATH'], HOME: root, NO_COLOR: '1', ...identity },
    encoding: 'utf8',
  });
}

function addToList(file: string, content: string): void {
  const [imported = '', , line = ''] = content.split('\n');
  const declaration = line.slice(0, line.indexOf('= ['));
  const before = readFileSync(file, 'utf8');
  const lines = before.split('\n').map((old) => (old.startsWith(declaration) ? line : old));
  const after = lines.join('\n').replace(/^(import .*\n)+/m, (imports) => `${imports}${imported}\n`);
  expect(after).toContain(line);
  writeFileSync(file, after);
}
