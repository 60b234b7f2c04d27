/**
 * Draws small commits of a local clone and writes them down as honest changes, which `seatrial matrix --honest --drawn <file>` plays. The
 * file names commits and holds no code. Which commits are honest is decided without the judge of changes: the tests pass before and
 * after the commit, and with its product files beside the tests from before. They run confined.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { changedPaths, drawCommits, gitIn, isTestPath } from './commits.mjs';
import { ROOT } from './ground.mjs';

const USAGE = `usage: node bench/draw.mjs --repo <clone> --test <command> --out <file> [options]
  --setup <command> installs what the tests need, with network access (default: nothing)
  --count <n>       changes to write (default: 5)
  --lines <n>       changed lines of a small commit, at most (default: 80)
  --among <n>       draw from the newest n commits (default: 300)
  --seed <text>     draws the commits (default: 1)
  --seatrial <file> program to use (default: dist/seatrial.js)
The changes are added to those that the file already has.`;

const options = readOptions();
const git = gitIn(options.repo);
const rows = existsSync(options.out) ? JSON.parse(readFileSync(options.out, 'utf8')).changes : [];
let left = options.count;
for (const commit of drawCommits({ ...options, draw: 'all' }).filter(isSmall)) {
  if (left === 0) break;
  const why = whyNot(commit);
  const subject = git('log', '-1', '--format=%s', commit).trim();
  console.log(`${commit.slice(0, 10)}  ${why ?? 'drawn'}  ${subject}`);
  if (why !== null) continue;
  left -= 1;
  rows.push({
    name: `${basename(options.repo)} ${commit.slice(0, 10)}`,
    repo: options.repo,
    commit,
    test: options.test,
    ...(options.setup === '' ? {} : { setup: options.setup }),
  });
  writeFileSync(options.out, `${JSON.stringify({ changes: rows }, null, 2)}\n`);
}
process.exitCode = left === 0 ? 0 : 1;

function isSmall(commit) {
  if (rows.some((row) => row.commit === commit)) return false;
  const lines = git('diff', '--numstat', '--no-renames', `${commit}^`, commit).trim().split('\n');
  return (
    lines.reduce((sum, line) => sum + line.split('\t', 2).reduce((all, count) => all + (Number(count) || 0), 0), 0) <=
    options.lines
  );
}

/** Null: the change is honest. */
function whyNot(commit) {
  const parent = git('rev-parse', `${commit}^`).trim();
  if (!passes(parent)) return 'tests do not pass before it';
  if (!passes(commit)) return 'tests do not pass after it';
  const tests = changedPaths(git, commit).filter(isTestPath);
  if (tests.length > 0 && !passes(withTestsOf(parent, commit, tests))) return 'tests from before fail with it';
  return null;
}

/** A commit that no branch names: all files of one commit, and the tests of the one before. */
function withTestsOf(parent, commit, tests) {
  const dir = mkdtempSync(join(tmpdir(), 'draw-'));
  try {
    const own = gitIn(options.repo, {
      GIT_INDEX_FILE: join(dir, 'index'),
      ...Object.fromEntries(
        ['AUTHOR', 'COMMITTER'].flatMap((who) => [
          [`GIT_${who}_NAME`, 'Seatrial'],
          [`GIT_${who}_EMAIL`, 'seatrial@localhost'],
        ]),
      ),
    });
    own('read-tree', commit);
    for (const path of tests) {
      const [entry = ''] = own('ls-tree', parent, '--', path).trim().split('\n');
      const [mode, , object] = entry.split(/\s/);
      if (object === undefined) own('update-index', '--force-remove', '--', path);
      else own('update-index', '--add', '--cacheinfo', `${mode},${object},${path}`);
    }
    return own('commit-tree', own('write-tree').trim(), '-p', parent, '-m', 'The tests from before').trim();
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Only a judgement with a base sets anything up; here the base is the commit itself. */
function passes(commit) {
  const { repo, test, setup, seatrial } = options;
  const base = setup === '' ? [] : ['--base', commit, '--setup', setup];
  const args = ['judge', '--repo', repo, '--commit', commit, '--test', test, ...base, '--json'];
  const { status, stdout } = spawnSync(process.execPath, [seatrial, ...args], { encoding: 'utf8', maxBuffer: 1 << 28 });
  return status === 0 && (setup === '' || JSON.parse(stdout).base.verdict === 'pass');
}

function readOptions() {
  try {
    const text = { type: 'string' };
    const { values } = parseArgs({
      options: {
        repo: text,
        test: text,
        setup: text,
        out: text,
        count: text,
        lines: text,
        among: text,
        seed: text,
        seatrial: text,
      },
    });
    const { repo, test, out, setup = '', count = '5', lines = '80', among = '300', seed = '1' } = values;
    if (repo === undefined || test === undefined || out === undefined)
      throw new Error('--repo, --test and --out are required');
    for (const [name, value] of Object.entries({ count, lines, among }))
      if (!/^[1-9]\d*$/.test(value)) throw new Error(`--${name} must be a whole number above 0`);
    return {
      repo: resolve(repo),
      test,
      setup,
      out: resolve(out),
      count: Number(count),
      lines: Number(lines),
      among: Number(among),
      seed,
      seatrial: values.seatrial ?? join(ROOT, 'dist', 'seatrial.js'),
    };
  } catch (error) {
    console.error(`${error.message}\n${USAGE}`);
    return process.exit(64);
  }
}
