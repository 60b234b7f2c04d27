import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Report } from '../../src/evidence/schema/report.ts';
import { Place } from '../support/seatrial.ts';

const place = new Place();
afterAll(() => place.remove());
place.task('answer');

/** Lets a shell line be the engine of a task whose answer is `yes` in answer.txt. */
async function engine(line: string): Promise<{ code: number | null; report: Report }> {
  const { code, report, stderr } = await place.run('answer', ['--engine', 'command', '--command', line]);
  expect(stderr).toBe('');
  return { code, report };
}

const ANSWER = 'echo yes > answer.txt';

describe('an engine that leaves what cannot be kept is blocked, each thing named', () => {
  it.each([
    [
      'pipes and sockets',
      'mkfifo p; python3 -c "import socket; socket.socket(socket.AF_UNIX).bind(\'s\')"',
      ['pipe: p', 'socket: s'],
    ],
    [
      'nested repositories',
      'git init -q a; mkdir b; echo "gitdir: /x" > b/.git',
      ['nested repository: a/.git', 'nested repository: b/.git'],
    ],
    [
      'links out of the workspace',
      'ln -s /etc/passwd x; ln -s ../.. y; ln -s /workspace/answer.txt fine; mkdir d; ln -s ../.. d/z',
      [
        'link out of the tree: d/z -> ../..',
        'link out of the tree: x -> /etc/passwd',
        'link out of the tree: y -> ../..',
      ],
    ],
  ])('%s', async (_what, line, reasons) => {
    const { code, report } = await engine(`${ANSWER}; ${line}`);
    expect([code, report.status, report.blockers.toSorted()]).toEqual([2, 'blocked', reasons]);
  });
});

describe('an engine that ends badly fails', () => {
  it.each([
    ['exits non-zero after the right answer', `${ANSWER}; exit 3`, 'command engine failed with exit code 3'],
    ['is killed', 'kill -9 $$', 'command engine failed with exit code 137'],
    ['is not there', 'no-such-program', 'command engine failed with exit code 127'],
    ['does nothing', 'true', 'no diff produced'],
    ['makes only an empty directory', 'mkdir empty', 'no diff produced'],
    ['removes everything', 'rm -rf ./* ./.git', 'tests failed'],
    [
      'changes the tests',
      `${ANSWER}; mkdir tests; echo "ok answer" > tests/test.sh`,
      'disallowed file changed: tests/test.sh',
    ],
  ])('%s', async (_what, line, reason) => {
    const { code, report } = await engine(line);
    expect([code, report.status, report.failure_reason]).toEqual([1, 'fail', reason]);
  });
});

describe('an engine that is only careless passes if its answer is right', () => {
  it.each([
    ['removes .git', 'rm -rf .git'],
    ['puts something else in its place', 'rm -rf .git; ln -s /etc .git'],
    ['spoils the repository', 'echo rubbish > .git/config; rm .git/HEAD'],
    ['leaves a process behind', 'setsid sleep 600 > /dev/null 2>&1 &'],
  ])('%s', async (_what, line) => {
    const { code, report } = await engine(`${ANSWER}; ${line}`);
    expect([code, report.blockers]).toEqual([0, []]);
  });

  it('prints 50 MB: what is kept is bounded and says what was cut', async () => {
    const { code, report } = await engine(`yes | head -c 25000000; head -c 25000000 /dev/zero; ${ANSWER}`);
    expect([code, report.blockers]).toEqual([0, []]);
    const log = join(report.run_dir, 'backend/stdout.log');
    expect(statSync(log).size).toBeLessThan(17 * (1 << 20));
    expect(readFileSync(log).subarray(-80).toString('utf8')).toMatch(/cut: \d+ more bytes were not kept/);
  });
});

it('every one of these runs left a bundle that verifies', async () => {
  const { code, stdout } = await place.seatrial(['verify', '--all']);
  expect(code, stdout).toBe(0);
  expect(stdout).toContain(`${place.runDirs().length} runs verified`);
});
