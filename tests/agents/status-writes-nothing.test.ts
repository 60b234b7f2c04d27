import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { AgentsPlace } from '../support/agents-place.ts';

const place = new AgentsPlace(`session_prefix = "s-"
[agents.one]
kind = "service"
command = "sleep 600"
`);
afterAll(() => place.remove());

/** System calls of the command and its children that create or change something. */
async function changesOf(...args: readonly string[]): Promise<string[]> {
  const trace = join(place.place.root, 'trace');
  const calls =
    'trace=open,openat,creat,mkdir,mkdirat,rename,renameat,renameat2,unlink,unlinkat,link,linkat,symlink,symlinkat,bind,truncate,ftruncate,utimensat,chmod,fchmodat,mknod,mknodat';
  const ended = await place.start(args, ['strace', '-f', '-qq', '-o', trace, '-e', calls]).ended;
  expect(ended.code, ended.stderr).toBe(0);
  return readFileSync(trace, 'utf8')
    .split('\n')
    .filter((line) => !/^\d+ +open(at)?\(/.test(line) || /O_WRONLY|O_RDWR|O_CREAT/.test(line))
    .filter((line) => line !== '' && !/"\/dev\/(null|tty|pts\/\d+)"/.test(line) && !/ (---|\+\+\+) /.test(line))
    .filter((line) => !line.includes('"/proc/self/'));
}

const filesBelow = (dir: string): string[] => readdirSync(dir, { recursive: true, encoding: 'utf8' }).sort();

describe('status and why write nothing', () => {
  test('without a tmux server', async () => {
    const before = filesBelow(place.place.root);
    expect(await changesOf('status')).toEqual([]);
    expect(await changesOf('why', 'one')).toEqual([]);
    expect(filesBelow(place.place.root).filter((name) => name !== 'trace')).toEqual(before);
  });

  test('with a server that runs the agents', async () => {
    expect((await place.call('up')).code).toBe(0);
    const sessions = place.tmux('list-sessions', '-F', '#{session_name}');
    expect(await changesOf('status')).toEqual([]);
    expect(place.tmux('list-sessions', '-F', '#{session_name}')).toBe(sessions);
    await place.call('down');
  });

  test('with a socket that is left from a server that was killed', async () => {
    expect((await place.call('up')).code).toBe(0);
    const pid = Number(place.tmux('display-message', '-p', '#{pid}'));
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => spawnSync('kill', ['-0', String(pid)]).status, { timeout: 20_000 }).not.toBe(0);
    const before = filesBelow(place.project);
    expect(await changesOf('status')).toEqual([]);
    expect(filesBelow(place.project)).toEqual(before);
    expect((await place.call('status')).stdout).toMatch(/^one .* stopped$/m);
  });
});
