/**
 * Replays commits of a local clone as patches to their parents and tabulates the verdicts: how many honest changes are stopped, and why.
 * Commits are drawn by a seed, so a table can be made again.
 */
import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { changedPaths, drawCommits, gitIn, isTestPath } from './commits.mjs';
import { ROOT } from './ground.mjs';

const USAGE = `usage: node bench/replay.mjs --repo <clone> --test <command> [options]
  --draw all|with-tests|tests-first
                           commits that change product files, or product and test files together; tests-first: the latter, with
                           the tests of the commit in the base already, so that its fixes are tried (default: all)
  --count <n>              commits to replay (default: 20)
  --skip <n>               leave out the first n of those drawn (default: 0)
  --among <n>              draw from the newest n commits (default: 300)
  --seed <text>            draws the commits (default: 1)
  --through judge|run      run also installs dependencies that the commit changes (default: judge)
  --setup <command>        setup command (default: by lockfile)
  --timeout <seconds>      time limit of the tests (default: 300)
  --limit <seconds>        time limit of a whole commit (default: 1800)
  --out <file>             append one JSON line per commit
  --seatrial <file>        program to use (default: dist/seatrial.js)`;

/** Refused in every patch, so counted apart: CI, and files that coding agents read. */
const APART =
  /^(?:\.github\/|\.gitlab|\.travis|\.circleci\/|appveyor|\.pre-commit|\.devcontainer\/|AGENTS|CLAUDE|\.claude\/|\.cursor)/i;

const options = readOptions();
const git = gitIn(options.repo);

const counts = new Map();
for (const commit of drawCommits(options).slice(options.skip, options.skip + options.count)) {
  const base = options.draw === 'tests-first' ? testsFirst(commit) : `${commit}^`;
  const replayed = options.through === 'judge' ? judge(commit, base) : run(commit, base);
  const line = {
    repo: options.repo.split('/').pop(),
    draw: options.draw,
    commit,
    subject: git('log', '-1', '--format=%s', commit).trim(),
    ...replayed,
  };
  const group = groupOf(line);
  counts.set(group, (counts.get(group) ?? 0) + 1);
  if (options.out !== undefined) appendFileSync(options.out, `${JSON.stringify({ ...line, group })}\n`);
  console.log(
    [
      line.repo,
      commit.slice(0, 10),
      group.padEnd(8),
      `${line.seconds}s`,
      line.reasons.join('; ') || line.proof,
      line.subject,
    ].join('  '),
  );
}
for (const [group, count] of counts) console.log(`${group}: ${count}`);

/**
 * `base`: the tests did not run before the change, so nothing was judged. `setup`: neither was it where its dependencies could not be had,
 * or time ran out. `apart`: stopped only for CI or files of agents.
 */
function groupOf({ verdict, reasons, refused, heard }) {
  if (verdict === 'pass') return heard > 0 ? 'passed' : 'base';
  const says = (pattern) => reasons.some((reason) => pattern.test(reason));
  if (
    says(/\bsetup\b|^(?:seatrial: )?registry |lockfile is out of date|no ensurepip|needs .* not installed|^out of time/)
  )
    return 'setup';
  if (
    says(
      /on the base|not installed: \S+$|too old|no failing test was fixed|missing test command|only an exit code|not stable/,
    )
  )
    return 'base';
  return refused.length > 0 && refused.every((path) => APART.test(path)) ? 'apart' : 'stopped';
}

/** The commit before, with the tests of the commit itself. */
function testsFirst(commit) {
  const index = mkdtempSync(join(tmpdir(), 'replay-'));
  try {
    const staged = gitIn(options.repo, { GIT_INDEX_FILE: join(index, 'index') });
    const identity = ['-c', 'user.name=replay', '-c', 'user.email=replay@example.org'];
    staged('read-tree', `${commit}^`);
    for (const path of changedPaths(git, commit).filter(isTestPath)) {
      const [mode, , object] = git('ls-tree', commit, '--', path).split(/\s/);
      if (object) staged('update-index', '--add', '--cacheinfo', `${mode},${object},${path}`);
      else staged('update-index', '--force-remove', '--', path);
    }
    const tree = staged('write-tree').trim();
    return git(...identity, 'commit-tree', '-p', `${commit}^`, '-m', 'tests first', tree).trim();
  } finally {
    rmSync(index, { recursive: true, force: true });
  }
}

function judge(commit, before) {
  const result = seatrial([
    'judge',
    '--repo',
    options.repo,
    '--commit',
    commit,
    '--base',
    before,
    '--timeout',
    options.timeout,
  ]);
  const { base } = result;
  const of = (kind) => (base?.decisions ?? []).filter((one) => one.kind === kind).map(({ path }) => path);
  return {
    verdict: result.verdict ?? 'error',
    reasons: result.faults ?? [result.error],
    proof: base?.proof ?? null,
    isolation: result.isolation ?? null,
    tests: base?.seen.length ?? 0,
    fixed: base?.tests.fixed?.length ?? 0,
    heard: heardIn(base?.tests),
    refused: of('refused'),
    no_vote: [...of('no_vote'), ...of('added_test')],
    both: of('both'),
    broken: [...(base?.tests.newly_failing ?? []), ...(base?.tests.no_longer_reported ?? [])].slice(0, 20),
    seconds: result.seconds,
  };
}

/** Tests that passed before the change, or do since: without any, nothing was judged. */
function heardIn(tests = {}) {
  const lists = [tests.still_passing, tests.fixed, tests.newly_failing, tests.no_longer_reported];
  return lists.reduce((sum, list) => sum + (list?.length ?? 0), 0);
}

function run(commit, before) {
  const runs = mkdtempSync(join(tmpdir(), 'replay-'));
  try {
    const patch = git('diff', '--binary', '--no-renames', before, commit);
    const report = seatrial(
      [
        'run',
        '--repo',
        options.repo,
        '--commit',
        before,
        '--ask-file',
        '-',
        '--engine',
        'command',
        '--command',
        'git apply --binary --whitespace=nowarn -',
        '--runs',
        runs,
      ],
      patch,
    );
    const { deciding, tests } = report;
    const compared = report.baseline?.comparison?.tests ?? {};
    return {
      verdict: report.status ?? 'error',
      reasons: report.blockers?.map((one) => one.reason ?? one) ?? [report.error],
      proof: report.proof ?? null,
      isolation: tests?.isolation ?? null,
      tests: report.baseline?.comparison?.tests?.before?.length ?? tests?.seen?.length ?? 0,
      heard: heardIn(compared),
      refused: deciding?.refused ?? [],
      no_vote: deciding?.no_vote ?? [],
      broken: [...(compared.newly_failing ?? []), ...(compared.no_longer_reported ?? [])].slice(0, 20),
      seconds: report.seconds,
    };
  } finally {
    rmSync(runs, { recursive: true, force: true });
  }
}

function seatrial(args, input = '') {
  const setup = options.setup === undefined ? [] : ['--setup', options.setup];
  const started = performance.now();
  const { stdout, stderr, signal } = spawnSync(
    process.execPath,
    [options.seatrial, ...args, '--test', options.test, ...setup, '--json'],
    { encoding: 'utf8', input, maxBuffer: 1 << 28, timeout: options.limit * 1000 },
  );
  const seconds = Math.round((performance.now() - started) / 100) / 10;
  try {
    return { ...JSON.parse(stdout), seconds };
  } catch {
    return { error: signal === null ? stderr.trim().split('\n').slice(0, 3).join(' ') : 'out of time', seconds };
  }
}

function readOptions() {
  try {
    const text = { type: 'string' };
    const { values } = parseArgs({
      options: {
        repo: text,
        test: text,
        draw: text,
        count: text,
        skip: text,
        among: text,
        seed: text,
        through: text,
        setup: text,
        timeout: text,
        limit: text,
        out: text,
        seatrial: text,
      },
    });
    const {
      repo,
      test,
      draw = 'all',
      through = 'judge',
      count = '20',
      skip = '0',
      among = '300',
      limit = '1800',
    } = values;
    if (repo === undefined || test === undefined) throw new Error('--repo and --test are required');
    if (!['all', 'with-tests', 'tests-first'].includes(draw))
      throw new Error('--draw must be all, with-tests or tests-first');
    if (!/^\d+$/.test(skip)) throw new Error('--skip must be a whole number');
    if (!['judge', 'run'].includes(through)) throw new Error('--through must be judge or run');
    for (const [name, value] of Object.entries({ count, among, limit }))
      if (!/^[1-9]\d*$/.test(value)) throw new Error(`--${name} must be a whole number above 0`);
    return {
      seed: '1',
      timeout: '300',
      seatrial: join(ROOT, 'dist', 'seatrial.js'),
      ...values,
      repo: resolve(repo),
      test,
      draw,
      through,
      count: Number(count),
      skip: Number(skip),
      among: Number(among),
      limit: Number(limit),
    };
  } catch (error) {
    console.error(`${error.message}\n${USAGE}`);
    return process.exit(64);
  }
}
