import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Place, PROJECT, readReport, writeBelow } from '../support/seatrial.ts';
import { decidedBy } from '../support/decided-by.ts';

const place = new Place();
afterAll(() => place.remove());

/** What is wrong with an output: how a shell says it, for the command in `"$@"`. */
const BROKEN = {
  'a reader of standard output that is gone': '"$@" 2>err | true; exit "${PIPESTATUS[0]}"',
  'a reader that goes after the first line': '"$@" 2>err | head -1 >out; exit "${PIPESTATUS[0]}"',
  'a reader of both outputs that is gone': '"$@" 2>&1 | true; exit "${PIPESTATUS[0]}"',
  'a reader of standard error that is gone': '"$@" 2>&1 >out | true; exit "${PIPESTATUS[0]}"',
  'standard output closed from the start': '"$@" >&- 2>err',
  'standard error closed from the start': '"$@" >out 2>&-',
  'everything closed from the start': '"$@" <&- >&- 2>&-',
  'a full disk under standard output': '"$@" >/dev/full 2>err',
  'a full disk under standard error': '"$@" >out 2>/dev/full',
  'a full disk under both': '"$@" >/dev/full 2>&1',
  'an output that cannot be written to': '"$@" 1</dev/null 2>err',
} as const;

/** Exit code of a command whose output goes where the shell line sends it. */
function codeWith(line: string, args: readonly string[]): Promise<number | null> {
  const command = [process.execPath, join(PROJECT, 'dist/seatrial.js'), ...args];
  const child = spawn('bash', ['-c', line, 'bash', ...command], {
    cwd: place.cwd,
    env: { HOME: place.home, PATH: '/usr/bin:/bin' },
    stdio: ['ignore', 'ignore', 'ignore'],
  });
  return new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
}

const errors = (): string => readFileSync(join(place.cwd, 'err'), 'utf8');
const newRun = (before: readonly string[]): string => {
  const [run = '', ...others] = place.runDirs().filter((name) => !before.includes(name));
  expect(others).toEqual([]);
  return run;
};

const FAILING = ['run', 'answer', '--misbehave', 'no diff'];
let bad: string;

beforeAll(async () => {
  place.task('answer');
  const { report } = await place.run('answer');
  bad = report.run_id;
  writeFileSync(join(report.run_dir, 'test.log'), 'changed\n');
  const repo = join(place.cwd, 'repo');
  writeBelow(repo, { 'test.sh': 'not_ok "no"\n' });
  const git = (...args: string[]): unknown =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: repo });
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'all');
});

describe.each(Object.entries(BROKEN))('with %s', (_what, line) => {
  it('a run goes on to its sealed end and exits with its verdict', async () => {
    const before = place.runDirs();
    expect(await codeWith(line, FAILING)).toBe(1);
    const run = newRun(before);
    expect(readReport(join(place.runs, run))).toMatchObject({ status: 'fail', blocker_codes: decidedBy('no_diff') });
    expect(existsSync(join(place.runs, run, 'attestation.json'))).toBe(true);
    expect((await place.seatrial(['verify', run])).code).toBe(0);
  });

  it.each([
    ['verify', ['verify', '{bad}'], 1],
    ['verify --json', ['verify', '{bad}', '--json'], 1],
    ['judge', ['judge', '--repo', 'repo', '--test', 'sh test.sh'], 1],
    ['apply', ['apply', '{bad}'], 2],
    ['a mistake', ['verify', 'no-such-run'], 64],
  ] as const)('%s exits with its own code', async (_name, args, code) => {
    expect(
      await codeWith(
        line,
        args.map((arg) => arg.replace('{bad}', bad)),
      ),
    ).toBe(code);
  });
});

describe('a result that could not be printed', () => {
  const FULL = '"$@" >/dev/full 2>err';

  it.each([
    [['run', 'answer', '--json']],
    [['runs']],
    [['runs', 'list', '--json']],
    [['key', 'show']],
    [['task', 'list']],
    [['engines', '--json']],
    [['run', '--help']],
    [['--version']],
  ])('%j: exit 74 and one sentence', async (args) => {
    expect(await codeWith(FULL, args)).toBe(74);
    expect(errors().trim().split('\n').at(-1)).toBe(
      'seatrial: standard output could not be written: ENOSPC: no space left on device, write',
    );
  });

  it('is no reason to take back the verdict of a run that was to be told in words', async () => {
    expect(await codeWith(FULL, ['run', 'answer'])).toBe(0);
    expect(errors()).toContain('standard output could not be written');
  });

  it('counts when only a part of it fits on the disk', async () => {
    expect(await codeWith('ulimit -f 1; "$@" >short 2>err', ['engines', '--json'])).toBe(74);
    expect(statSync(join(place.cwd, 'short')).size).toBe(1024);
  });

  it('is not lost when its reader has seen enough', async () => {
    expect(await codeWith('"$@" 2>err | true; exit "${PIPESTATUS[0]}"', ['run', 'answer', '--json'])).toBe(0);
    expect(errors()).toBe('');
  });
});

it('a bug is no verdict: exit 2 and a request to report it', async () => {
  const env = { NODE_OPTIONS: '--import=data:text/javascript,setTimeout(()=>{throw(Error(4711))},300)' };
  const waiting = ['run', 'answer', '--engine', 'command', '--command', 'sleep 600'];
  const { code, stderr } = await place.seatrial(waiting, { env });
  expect(code).toBe(2);
  expect(stderr).toContain('seatrial: internal error, please report it: Error: 4711');
});

it('matrix, check and health do not call themselves well when they were stopped', async () => {
  for (const args of [['matrix'], ['health', '--jobs', '1'], ['check', 'case-provider-adapter', '--jobs', '1']]) {
    const running = place.start(args);
    await running.shows('ok  ');
    running.child.kill('SIGINT');
    const { code, stdout } = await running.ended;
    expect(code, stdout).toBe(1);
  }
});
