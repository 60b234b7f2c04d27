import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Report } from '../src/evidence/schema/report.ts';
import { CANARIES, canariesIn, leaksBelow, REVEAL, revealOne, watchProcesses } from './support/canaries.ts';
import { type Ended, Place, PROJECT, readReport, writeBelow } from './support/seatrial.ts';

let place: Place;
beforeEach(() => {
  place = new Place();
});
afterEach(() => place.remove());

interface Searched extends Ended {
  readonly report: Report;
}

/** Runs with the canaries in the caller's environment, and searches everything that there is afterwards. */
async function search(task: string, args: readonly string[] = []): Promise<Searched> {
  const running = place.start(['run', task, ...args], { env: CANARIES });
  const watched = watchProcesses(running.child.pid ?? 0);
  const ended = await running.ended;
  watched.stop();
  const report = readReport(join(place.runs, place.runDirs().at(-1) ?? ''));
  expect([...watched.leaks]).toEqual([]);
  expect([...watched.lines].join('\n')).toContain('bwrap');
  expect(canariesIn(Buffer.from(ended.stdout + ended.stderr))).toEqual([]);
  expect(leaksBelow(place.root)).toEqual([]);
  return { ...ended, report };
}

const inRun = (report: Report, name: string): string => readFileSync(join(report.run_dir, name), 'utf8');
/** It stays for a moment, so that who looks on sees it. */
const engine = (line: string): string[] => ['--engine', 'command', '--command', `${line}\nsleep 1`];

describe('what programs print', () => {
  it('is masked in the logs of an engine, however it is cut or encoded, and counted', async () => {
    const line = [
      'echo yes > answer.txt; sleep 1',
      REVEAL,
      `${REVEAL} >&2`,
      `${REVEAL} | dd bs=3 status=none`,
      `${REVEAL} | base64`,
      `${REVEAL} | base64 -w 0`,
      `${REVEAL} | od -An -v -tx1`,
      `${REVEAL} | tr '\\n' '\\0'; head -c 2000 /dev/urandom; ${REVEAL}; head -c 2000 /dev/urandom`,
      `${REVEAL} | sed 's/^/{"text":"/;s/$/"}/'`,
    ].join('; ');
    const { report } = await search(place.task('answer'), engine(line));
    expect([report.status, report.blockers]).toEqual(['pass', []]);
    const stdout = inRun(report, 'backend/stdout.log');
    for (const name of ['OPENAI_API_KEY', 'SSH_PRIVATE', 'LOGIN_SESSION', 'DATABASE_URL'])
      expect(stdout).toContain(`[masked: ${name}]`);
    expect(stdout).not.toContain('[masked: SHORT_KEY]');
    expect(report.markers).toEqual(['backend/secrets-masked.txt']);
    expect(inRun(report, 'backend/secrets-masked.txt')).toMatch(/^GITHUB_TOKEN: \d+$/m);
    expect(inRun(report, 'report.md')).toMatch(/What was masked\n\n[^]*`OPENAI_API_KEY`, \d+ times/);
    expect(inRun(report, 'report.html')).toContain('GITHUB_TOKEN');
    expect((await place.seatrial(['verify', '--all'])).code).toBe(0);
  });

  it('is masked in the setup, the tests, their names, the code under test and the review', async () => {
    const toml = `[seatrial]\ntest_command = "sh test.sh"\nsetup_command = """${REVEAL}; ${REVEAL} >&2; touch made"""\nreview = """${REVEAL}"""\n`;
    const task = place.task('answer', {
      toml,
      tests: {
        'test.sh':
          'sh ./answer.txt; [ "$(sh ./answer.txt | wc -l)" -gt 5 ] && ok "said $(sh ./answer.txt | head -1)"\n',
      },
      solve: `cat > answer.txt <<'END'\n${REVEAL}\nEND\n`,
    });
    const { report } = await search(task);
    expect([report.status, report.blockers]).toEqual(['pass', []]);
    expect(report.tests.seen).toEqual([{ id: 'said [masked: OPENAI_API_KEY]', outcome: 'passed' }]);
    expect(report.review?.comment).toContain('[masked: CLIENT_SECRET]');
    expect(inRun(report, 'test.log')).toContain('[masked: VAULT_TOKEN]');
    expect(inRun(report, 'backend/setup.stdout.log')).toContain('[masked: VAULT_TOKEN]');
    expect(inRun(report, 'backend/setup.stderr.log')).toContain('[masked: VAULT_TOKEN]');
    const again = await place.seatrial(['verify', report.run_id, '--rerun'], { env: CANARIES });
    expect([again.code, canariesIn(Buffer.from(again.stdout))]).toEqual([0, []]);
  });

  it('is masked in what seatrial judge shows', async () => {
    writeBelow(join(place.cwd, 'repo'), { 'tests/test.sh': `${REVEAL}; not_ok "$(${REVEAL} | head -1)"\n` });
    const git = (...args: string[]): unknown =>
      spawnSync('git', ['-C', join(place.cwd, 'repo'), '-c', 'user.name=x', '-c', 'user.email=x@localhost', ...args]);
    git('init', '-q');
    git('add', '.');
    git('commit', '-qm', 'all');
    for (const json of [[], ['--json']]) {
      const judged = await place.seatrial(['judge', '--repo', 'repo', '--test', 'sh tests/test.sh', ...json], {
        env: CANARIES,
      });
      expect([judged.code, canariesIn(Buffer.from(judged.stdout + judged.stderr))]).toEqual([1, []]);
      expect(judged.stdout).toContain('[masked: OPENAI_API_KEY]');
    }
  });

  it('is masked in a sentence about what is wrong', async () => {
    const wrong = await place.seatrial(['run', `no-such-${CANARIES['OPENAI_API_KEY']}`], { env: CANARIES });
    expect([wrong.code, canariesIn(Buffer.from(wrong.stderr))]).toEqual([64, []]);
  });

  it(
    'is masked in the command line that is recorded, and not cut in half where a log is cut',
    { tags: ['long'] },
    async () => {
      const token = CANARIES['GITHUB_TOKEN'] ?? '';
      const limit = 16 * 1024 * 1024;
      const line = `echo yes > answer.txt; : ${revealOne(token)}; head -c ${limit - 12} /dev/zero | tr '\\0' x; ${revealOne(token)}; echo more`;
      const { report } = await search(place.task('answer'), engine(line));
      const log = inRun(report, 'backend/stdout.log');
      expect(log.slice(-60)).toMatch(/x\n\[cut: \d+ more bytes were not kept\]\n$/);
      expect(report.status).toBe('pass');
    },
  );
});

describe('a secret in a patch', () => {
  const token = CANARIES['CLIENT_SECRET'] ?? '';
  it.each([
    ['in a file', `${revealOne(token)} > answer.txt`, 'answer.txt'],
    ['in base64', `${revealOne(token)} | base64 > answer.txt`, 'answer.txt'],
    [
      'in a binary file',
      `{ head -c 5000 /dev/urandom; ${revealOne(token)}; head -c 5000 /dev/urandom; } > data.bin`,
      'data.bin',
    ],
    ['in a file too large for the patch', `{ head -c 5000000 /dev/zero; ${revealOne(token)}; } > data.bin`, 'data.bin'],
    ['in a file name', `touch "a-$(${revealOne(token)})-b"`, 'a-[masked: CLIENT_SECRET]-b'],
    [
      'in the name of a directory',
      `mkdir "$(${revealOne(token)})"; touch "$(${revealOne(token)})/x"`,
      '[masked: CLIENT_SECRET]/x',
    ],
    ['in a link', `ln -s "$(${revealOne(token)})" link`, 'link'],
  ])('%s blocks the run, and the patch is not kept', async (_where, line, path) => {
    const { report, code } = await search(place.task('answer'), engine(line));
    expect([code, report.status, report.failure_reason]).toEqual([2, 'blocked', `secret in patch: ${path}`]);
    expect(report.markers).toContain('backend/secret-in-patch.txt');
    expect(inRun(report, 'backend/secret-in-patch.txt')).toContain(`${path}: CLIENT_SECRET`);
    expect(inRun(report, 'patch.diff')).toBe('');
    expect(readdirSync(report.run_dir)).not.toContain('blobs');
    expect((await place.seatrial(['verify', report.run_id])).code).toBe(0);
  });

  it('is a credential of well-known shape too, unless the base has it already', async () => {
    const [fake, other] = ['ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8', 'ghp_Z9y8X7w6V5u4T3s2R1q0P9o8N7m6L5k4J3i2'];
    const task = place.task('answer', { files: { 'answer.txt': 'no\n', 'fixture.txt': `token = ${fake}\n` } });
    const moved = await search(task, engine('echo yes > answer.txt; mv fixture.txt moved.txt; echo more >> moved.txt'));
    expect([moved.report.status, moved.report.blockers]).toEqual(['pass', []]);
    const added = await search(task, engine(`echo yes > answer.txt; echo ${other} >> fixture.txt`));
    expect(added.report.failure_reason).toBe('secret in patch: fixture.txt');
    expect(inRun(added.report, 'backend/secret-in-patch.txt')).toContain('fixture.txt: GitHub token');
  });
});

it('a secret in a commit that leaves no trace in the tree goes nowhere', async () => {
  const line = `echo yes > answer.txt; ${REVEAL} > secret; git add -A; git commit -qm "$(${REVEAL})"; git rm -q secret; git branch "x-$(${revealOne('canary_github_0b9d6e2f17')})"; git commit -qm done`;
  const { report } = await search(place.task('answer'), engine(line));
  expect([report.status, report.blockers]).toEqual(['pass', []]);
});

it('names that cannot be are refused without saying what they hold', async () => {
  const { report } = await search(place.task('answer'), engine(`mkfifo "$(${revealOne('canary_github_0b9d6e2f17')})"`));
  expect([report.status, report.failure_reason]).toEqual(['blocked', 'pipe: [masked: GITHUB_TOKEN]']);
});

describe('programs that the harness starts outside', () => {
  const strace = spawnSync('strace', ['--version']).error === undefined;

  it.skipIf(!strace)('get nothing of the caller’s environment (needs strace)', async () => {
    const log = join(place.root, 'strace');
    mkdirSync(log);
    const task = place.task('answer', {
      toml: '[seatrial]\ntest_command = "sh test.sh"\nsetup_command = "touch made"\nreview = "true"\n',
    });
    const traced = spawnSync(
      'strace',
      [
        '-ff',
        '-v',
        '-s',
        '100000',
        '-e',
        'trace=execve',
        '-o',
        join(log, 'p'),
        process.execPath,
        join(PROJECT, 'dist/seatrial.js'),
        'run',
        task,
        ...engine('echo yes > answer.txt'),
      ],
      {
        cwd: place.cwd,
        env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: place.home, ...CANARIES },
        encoding: 'utf8',
      },
    );
    expect(traced.stdout).toContain('PASS');
    const calls = readdirSync(log).flatMap(
      (name) => readFileSync(join(log, name), 'utf8').match(/^execve\(.*$/gm) ?? [],
    );
    const started = calls.filter((call) => !call.includes('dist/seatrial.js'));
    expect(
      started.filter(
        (call) => /canary/i.test(call) || Object.keys(CANARIES).some((name) => call.includes(`"${name}=`)),
      ),
    ).toEqual([]);
    for (const program of ['flock', 'git', 'mkfifo', 'bwrap', 'prlimit'])
      expect(started.join('\n')).toMatch(new RegExp(`execve\\("[^"]*/${program}"`));
  });

  it('are started with an environment that is written down', () => {
    const spawners = readdirSync(join(PROJECT, 'src'), { recursive: true, encoding: 'utf8' }).filter((name) => {
      const isSource = name.endsWith('.ts') && !/\.(test|fixture)\.ts$|drivers\//.test(name);
      return (
        isSource && /import \{[^}]*\} from 'node:child_process'/.test(readFileSync(join(PROJECT, 'src', name), 'utf8'))
      );
    });
    const silent = spawners.filter((name) => {
      const calls = readFileSync(join(PROJECT, 'src', name), 'utf8')
        .split(/\b(?:spawn|spawnSync|execFile|execFileSync|fork)\(/)
        .slice(1);
      return calls.some((call) => !/\benv\b/.test(call.slice(0, 300)));
    });
    // The person's own viewer, in the person's own session.
    expect(silent).toEqual(['cli/commands/runs.ts']);
  });
});
