import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Place, PROJECT } from '../support/seatrial.ts';

const place = new Place();
const clone = join(place.root, 'words');
const rows = join(place.root, 'rows.json');
let honest: string;
let quiet: string;

function commit(message: string, files: Readonly<Record<string, string>>): string {
  for (const [path, text] of Object.entries(files)) writeFileSync(join(clone, path), text);
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', ...args], {
      cwd: clone,
      encoding: 'utf8',
    });
  git('add', '-A');
  git('commit', '-qm', message);
  return git('rev-parse', 'HEAD').trim();
}

const checking = (wanted: string): string =>
  `. ./words.sh\nif [ "$(say)" = ${wanted} ]; then ok says; else not_ok says; exit 1; fi\n`;

beforeAll(() => {
  mkdirSync(clone);
  execFileSync('git', ['init', '-q', '-b', 'main'], { cwd: clone });
  commit('Starts', { 'words.sh': 'say() { echo hi; }\n', 'words_test.sh': checking('hi') });
  honest = commit('Says it another way', { 'words.sh': "say() { printf 'hi\\n'; }\n" });
  commit('Says something else', { 'words.sh': 'say() { echo ho; }\n', 'words_test.sh': checking('ho') });
  commit('Is broken', { 'words.sh': 'say() { echo; }\n' });
  commit('Is tested without a report', {
    'words.sh': 'say() { echo hey; }\n',
    'check.sh': '. ./words.sh\n[ "$(say)" = hey ]\n',
  });
  quiet = commit('Says it yet another way', { 'words.sh': "say() { printf 'hey\\n'; }\n" });
});
afterAll(() => place.remove());

it('draws the commits whose tests pass before, after, and as they were before; the matrix plays them', async () => {
  const args = ['bench/draw.mjs', '--repo', clone, '--test', 'sh words_test.sh', '--out', rows];
  const drawn = spawnSync(process.execPath, args, { cwd: PROJECT, encoding: 'utf8' });
  expect(drawn.stdout).toContain('tests from before fail with it (tests failed)  Says something else');
  expect(drawn.stdout).toContain('tests do not pass after it (tests failed)  Is broken');
  const name = `words ${honest.slice(0, 10)}`;
  expect(JSON.parse(readFileSync(rows, 'utf8'))).toEqual({
    changes: [{ name, repo: clone, commit: honest, test: 'sh words_test.sh' }],
  });
  // Five were asked for.
  expect(drawn.status).toBe(1);

  const ended = await place.seatrial(['matrix', '--honest', '--drawn', rows, '--only', name, '--json']);
  expect(ended.stderr).toBe('');
  expect(JSON.parse(ended.stdout)).toMatchObject({ rows: [{ name, kind: 'commits of words', ok: true }] });
});

it('draws commits of a repository whose tests have only an exit code', async () => {
  const counted = join(place.root, 'quiet-rows.json');
  const accepted = ['--accept', 'exit_code', '--among', '1', '--count', '1'];
  const args = ['bench/draw.mjs', '--repo', clone, '--test', 'sh check.sh', '--out', counted, ...accepted];
  expect(spawnSync(process.execPath, args, { cwd: PROJECT }).status).toBe(0);
  const name = `words ${quiet.slice(0, 10)}`;
  expect(JSON.parse(readFileSync(counted, 'utf8'))).toMatchObject({ changes: [{ name, accept: 'exit_code' }] });

  const ended = await place.seatrial(['matrix', '--honest', '--drawn', counted, '--only', name, '--json']);
  expect(JSON.parse(ended.stdout)).toMatchObject({ rows: [{ name, ok: true }] });
});

it('says where no commits were given, and refuses a list that is none', async () => {
  const plain = await place.seatrial(['matrix', '--honest', '--only', 'line ends of Windows']);
  expect([plain.code, plain.stdout]).toEqual([
    0,
    expect.stringContaining('no commits of public repositories were played'),
  ]);
  for (const [args, said] of [
    [['--drawn', rows], '--drawn needs --honest'],
    [['--honest', '--drawn', join(clone, 'words.sh')], 'is no list of drawn changes'],
  ] as const) {
    const ended = await place.seatrial(['matrix', ...args]);
    expect([ended.code, ended.stdout]).toEqual([64, '']);
    expect(ended.stderr).toContain(said);
  }
});
