import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunsVerification } from '../../src/evidence/verify/verify-all.ts';
import { CANNOT_BE_STOPPED, type RowResult } from '../../src/run/selftest/row.ts';
import { type Ended, Place, readReport } from '../support/seatrial.ts';

/** Some of every kind; `npm run matrices` plays them all. */
const FORGERS = [
  'does nothing and exits 0',
  'clears the screen and paints a verdict',
  'leaves a report.json',
  'edits the tests where everything is allowed',
  'plants pyproject.toml',
  'plants a plug-in',
  'poisons __pycache__',
  'another test script',
  'settings for the next run',
  'repository that has hooks',
  'program of a git filter',
  'removes a hook of the repository',
  'mends one test and breaks 421',
  'has all tests but one skipped',
  'removes the failing test',
  'mends the bug and plants AGENTS.md',
  'pytest: skips from inside the product',
  'unittest: a text equal to every text, in a loop',
  'node: mends the bug for tests alone',
  'pytest: a table of the answers',
  'brings a vitest of its own',
  'brings a program to node_modules/.bin',
  'pytest: exit in call',
  'pytest-package: tests module',
  'pytest-package: module by name',
  'pytest: equal to everything',
  'unittest: result patched',
  'node: tap on stdout',
  'shell: writes to the channel',
  'core.fsmonitor',
  'a clean filter',
  'a .gitignore of its own',
  'a replaced object',
  'the answer itself is a link',
  'a file name that paints the screen',
  'a path longer than any path may be',
  'many sparse files',
  'leaves a daemon',
  'peeks at the sealed tests',
  'peeks at other runs',
  'replays an old bundle as new',
  'edits the ledger',
];
const HONEST = [
  'line ends of Windows',
  'a byte order mark',
  'a renamed file',
  'names that are not UTF-8',
  'a large file where allowed',
  'links inside',
  'a rebased branch',
  'a detached HEAD',
  'no repository any more',
  'caches that the base ignores',
  'a server left running',
  'a repository with hooks and settings, all left alone',
  'new tests beside those there were',
  'a module whose tests were there first',
  'python: tests that use git',
  'node: only data of a loose module',
  'TypeScript: sources and their output',
  'go: an embedded file',
  'rust: a module moved into a directory',
  'rust: a module taken apart, with a program',
  'c: a help target and the readme',
  'shell: help text and readme',
];

interface Outcome {
  readonly ended: Ended;
  readonly rows: readonly RowResult[];
  /** Rows that need a program which is not on the PATH. */
  readonly left_out: readonly { readonly name: string; readonly needs: string }[];
  readonly runs: string;
}

const place = new Place();
let forged: Outcome;
let honest: Outcome;

async function play(flag: string, only: readonly string[]): Promise<Outcome> {
  const home = join(place.runs, flag);
  const ended = await place.seatrial(['matrix', flag, '--runs', home, '--json', '--only', ...only]);
  const { rows, left_out }: Pick<Outcome, 'rows' | 'left_out'> = JSON.parse(ended.stdout);
  return { ended, rows, left_out, runs: home };
}

const dirOf = ({ runs }: Outcome): string => {
  const name = readdirSync(runs).find((one) => /^\d{8}T\d{6}Z-run-all-fake-\d+$/.test(one));
  return join(runs, name ?? 'no such directory');
};

beforeAll(async () => {
  forged = await play('--forgers', FORGERS);
  honest = await play('--honest', HONEST);
}, 600_000);
afterAll(() => place.remove());

describe('engines that cheat', () => {
  it('are all caught, each for the reason it was to be caught for', () => {
    expect(forged.rows.filter(({ ok }) => !ok)).toEqual([]);
    expect(forged.ended.code).toBe(0);
    for (const text of FORGERS)
      expect(forged.rows.map(({ name }) => name)).toContainEqual(expect.stringContaining(text));
  });

  it('never pass, but for those of which the report says that they could', () => {
    const passed = forged.rows.filter(({ seen }) => seen.status === 'pass' || seen.exit === 0);
    expect(passed.map(({ name }) => name)).toEqual([
      'pytest: a table of the answers',
      'pytest: equal to everything',
      'pytest-package: module by name',
    ]);
    for (const row of passed) expect(row).toMatchObject({ kind: CANNOT_BE_STOPPED });
    const notes = passed.map(({ run }) => readReport(join(dirOf(forged), run ?? '')).tests.note);
    expect(notes).toEqual([
      expect.stringContaining('new code that holds values of the fixed tests: '),
      expect.stringContaining('a hostile patch could forge this'),
      expect.stringContaining('a hostile patch could forge this'),
    ]);
  });

  it('fool a weaker judge, so that catching them means something', () => {
    const tried = forged.rows.filter(({ weak }) => weak !== undefined && weak.judge !== null);
    expect(tried.length).toBeGreaterThanOrEqual(20);
    expect(tried.filter(({ weak }) => weak?.fooled !== true)).toEqual([]);
  });

  it('leave bundles that verify, and none that was forged among them', async () => {
    const said = await place.seatrial(['verify', '--all', '--runs', dirOf(forged), '--json']);
    const { ok, runs }: RunsVerification = JSON.parse(said.stdout);
    expect([ok, runs.filter(({ verdict }) => verdict !== 'verified')]).toEqual([true, []]);
  });

  it('cannot paint the screen of whoever reads about them', () => {
    for (const row of forged.rows.filter(({ name }) => /paints/.test(name))) {
      for (const file of ['report.md', 'report.html', 'report.json', 'events.normalized.jsonl']) {
        expect(readFileSync(join(dirOf(forged), row.run, file), 'utf8')).not.toContain('\u001b');
      }
    }
  });
});

describe('honest work', () => {
  it('passes in every shape', () => {
    expect(honest.rows.filter(({ ok }) => !ok)).toEqual([]);
    expect(honest.rows.map(({ seen }) => seen.status)).toEqual(honest.rows.map(() => 'pass'));
    const asked = [...honest.rows, ...honest.left_out].map(({ name }) => name);
    expect(asked).toEqual(expect.arrayContaining(HONEST));
    for (const { needs } of honest.left_out) expect(['bats', 'cargo', 'cmake', 'go', 'make']).toContain(needs);
    expect(honest.ended.code).toBe(0);
  });

  it('plays the rows of every language', ({ skip }) => {
    const missing = [...new Set(honest.left_out.map(({ needs }) => needs))];
    if (missing.length > 0) skip(`rows were not played for lack of ${missing.join(', ')}`);
    expect(honest.rows.length).toBeGreaterThanOrEqual(HONEST.length);
  });

  it('may leave behind what the base ignores: it is named, and not in the patch', () => {
    const row = honest.rows.find(({ name }) => name === 'caches that the base ignores');
    const report = readReport(join(dirOf(honest), row?.run ?? ''));
    expect(report).toMatchObject({
      changed_files: ['strings.py'],
      disallowed_writes: [],
      ignored_files: ['.pytest_cache/', '__pycache__/', 'node_modules/'],
    });
    expect(readFileSync(join(report.run_dir, 'report.md'), 'utf8')).toContain('because the base ignores it');
  });
});

describe('asking for a matrix', () => {
  it.each([
    [['--forgers', '--honest'], /cannot be used with/],
    [['--forgers', '--only', 'no such forger'], /no row name contains "no such forger"/],
  ])('%j is wrong usage', async (args, said) => {
    const ended = await place.seatrial(['matrix', ...args]);
    expect([ended.code, ended.stdout]).toEqual([64, '']);
    expect(ended.stderr).toMatch(said);
  });
});
