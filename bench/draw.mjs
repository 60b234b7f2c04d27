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
  --accept exit_code
                    take the command's exit code for its result: it reports no tests
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
    ...(options.accept === undefined ? {} : { accept: options.accept }),
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
  const tests = changedPaths(git, commit).filter(isTestPath);
  const trees = [
    { what: 'tests do not pass before it', tree: () => parent },
    { what: 'tests do not pass after it', tree: () => commit },
    { what: 'tests from before fail with it', tree: () => withTestsOf(parent, commit, tests) },
  ];
  for (const { what, tree } of tests.length === 0 ? trees.slice(0, 2) : trees) {
    const fault = faultOf(tree());
    if (fault !== null) return `${what} (${fault})`;
  }
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

/** Null: its tests pass. Only a judgement with a base sets anything up; here the base is the commit itself. */
function faultOf(commit) {
  const { repo, test, setup, accept, seatrial } = options;
  const accepted = accept === undefined ? [] : ['--accept', accept];
  const base = setup === '' ? [] : ['--base', commit, '--setup', setup, ...accepted];
  const args = ['judge', '--repo', repo, '--commit', commit, '--test', test, ...base, '--json'];
  const { stdout, stderr } = spawnSync(process.execPath, [seatrial, ...args], { encoding: 'utf8', maxBuffer: 1 << 28 });
  if (stdout.trim() === '') return stderr.trim().split('\n', 1)[0];
  const judged = JSON.parse(stdout);
  const last = setup === '' ? judged : (judged.base ?? judged);
  return last.verdict === 'pass' ? null : last.faults[0];
}

function readOptions() {
  try {
    const text = { type: 'string' };
    const { values } = parseArgs({
      options: {
        repo: text,
        test: text,
        setup: text,
        accept: text,
        out: text,
        count: text,
        lines: text,
        among: text,
        seed: text,
        seatrial: text,
      },
    });
    const { repo, test, out, accept, setup = '', count = '5', lines = '80', among = '300', seed = '1' } = values;
    if (repo === undefined || test === undefined || out === undefined)
      throw new Error('--repo, --test and --out are required');
    if (accept !== undefined && accept !== 'exit_code') throw new Error('--accept must be exit_code');
    for (const [name, value] of Object.entries({ count, lines, among }))
      if (!/^[1-9]\d*$/.test(value)) throw new Error(`--${name} must be a whole number above 0`);
    return {
      repo: resolve(repo),
      test,
      setup,
      accept,
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
