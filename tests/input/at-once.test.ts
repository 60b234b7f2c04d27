import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, expect, it, vi } from 'vitest';
import { Place, PROJECT, readReport } from '../support/seatrial.ts';
import { join } from 'node:path';
import { decidedBy } from '../support/decided-by.ts';

const place = new Place();
afterAll(() => place.remove());
place.task('answer');

/** Says when it is at work, then stays until it is ended. */
const WAITING = ['run', 'answer', '--engine', 'command', '--command', 'echo yes > answer.txt; sleep 600'];

/** An engine of a run that was not there before has been started. */
function isAtWork(before: readonly string[]): boolean {
  const [run] = place.runDirs().filter((name) => !before.includes(name));
  const events = run === undefined ? '' : readFileSync(join(place.runs, run, 'events.normalized.jsonl'), 'utf8');
  return events.includes('"backend.started"');
}

it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  '%s in the middle of the engine: exit 2, interrupted, sealed',
  async (signal) => {
    const before = place.runDirs();
    const running = place.start(WAITING);
    await running.shows(' workspace\n'); // A step is shown once it has ended: the engine comes next.
    await vi.waitUntil(() => isAtWork(before), { timeout: 60_000, interval: 20 });
    running.child.kill(signal);
    const { code, stdout, stderr } = await running.ended;
    expect(stderr).not.toMatch(/internal error|\n {4}at /);
    expect([code, stdout.split('\n')[1]?.trim()]).toEqual([2, 'interrupted']);
    const [run = ''] = place.runDirs().filter((name) => !before.includes(name));
    const report = readReport(join(place.runs, run));
    expect(report).toMatchObject({
      status: 'blocked',
      blocker_codes: decidedBy('interrupted'),
      backend_process_started: true,
    });
    const verified = await place.seatrial(['verify', run]);
    expect(verified.code, verified.stdout).toBe(0);
  },
);

it('an interrupted --repeat starts no more runs and reports those it began', async () => {
  const before = place.runDirs().length;
  const running = place.start([...WAITING, '--repeat', '50', '--jobs', '2', '--json']);
  while (place.runDirs().length < before + 2) await new Promise((resolve) => setImmediate(resolve));
  running.child.kill('SIGINT');
  const { code, stdout, stderr } = await running.ended;
  expect([code, stderr]).toEqual([2, '']);
  const reports: { failure_reason: string }[] = JSON.parse(stdout);
  expect(reports.map((report) => report.failure_reason)).toEqual(['interrupted', 'interrupted']);
  expect(place.runDirs().length).toBe(before + 2);
});

it('two commands and --repeat share a runs directory: every run has its own bundle and its line in the ledger', async () => {
  const before = place.runDirs().length;
  const [one, two, five] = await Promise.all([
    place.run('answer'),
    place.run('answer'),
    place.seatrial(['run', 'answer', '--repeat', '5', '--jobs', '2']),
  ]);
  expect([one.code, two.code, five.code]).toEqual([0, 0, 0]);
  expect(five.stdout).toContain('5 runs: 5 pass, 0 fail, 0 blocked');
  expect(place.runDirs().length).toBe(before + 7);
  const { code, stdout } = await place.seatrial(['verify', '--all']);
  expect(code, stdout).toBe(0);
  expect(stdout).toContain(`${before + 7} runs verified`);
});

it('--json prints the report alone, also when the run does not pass', async () => {
  for (const [args, status] of [
    [[], 'pass'],
    [['--misbehave', 'no diff'], 'fail'],
    [['--misbehave', 'missing test command'], 'blocked'],
  ] as const) {
    const { stdout, stderr, report } = await place.run('answer', args);
    expect([report.status, stderr]).toEqual([status, '']);
    expect(stdout).toBe(`${JSON.stringify(report, null, 2)}\n`);
  }
});

it('a reader that has seen enough is no error, and the run is kept', async () => {
  const head = (args: string): Promise<{ code: number | null; text: string }> => {
    const line = `"$0" "$1" ${args} | head -1; echo "\${PIPESTATUS[0]}"`;
    const child = spawn('bash', ['-c', line, process.execPath, join(PROJECT, 'dist/seatrial.js')], {
      cwd: place.cwd,
      env: { HOME: place.home, PATH: '/usr/bin:/bin' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (data: string) => (text += data));
    child.stderr.setEncoding('utf8').on('data', (data: string) => (text += data));
    return new Promise((resolve) => child.on('close', (code) => resolve({ code, text })));
  };
  for (const args of ['runs', 'runs list --json', 'verify --all', 'task list', '--help']) {
    const { text } = await head(args);
    expect(text, args).not.toMatch(/EPIPE|internal error|\n {4}at /);
    expect(text.trim().split('\n').at(-1), args).toBe('0');
  }
  const { text } = await head('run answer --misbehave "no diff" 2>/dev/null');
  expect(text).toMatch(/^FAIL /);
  expect(text.trim().split('\n').at(-1)).toBe('1');
  const all = await place.seatrial(['verify', '--all']);
  expect(all.code, all.stdout).toBe(0);
});
