import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { AgentsPlace } from '../support/agents-place.ts';
import { changesOf as tracedChanges } from '../support/traced-writes.ts';

const place = new AgentsPlace(`session_prefix = "s-"
[agents.one]
kind = "service"
command = "sleep 600"
`);
afterAll(() => place.remove());

const changesOf = (...args: readonly string[]): Promise<string[]> =>
  tracedChanges(join(place.place.root, 'trace'), (through) => place.start(args, through).ended);

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
    // The same from the checkpoint of the watchdog, and beside one that is damaged.
    const checkpoint = join(place.project, '.ao-state/checkpoint/status');
    await expect.poll(() => existsSync(checkpoint), { timeout: 60_000 }).toBe(true);
    expect(await changesOf('status')).toEqual([]);
    const { stdout } = await place.call('status');
    expect(stdout).toMatch(/^one .* RUNNING$/m);
    writeFileSync(checkpoint, 'x'.repeat(100));
    expect((await place.call('status')).stdout).toBe(stdout);
    await place.call('down');
  });

  test('with a socket that is left from a server that was killed', async () => {
    expect((await place.call('up')).code).toBe(0);
    const pid = Number(place.tmux('display-message', '-p', '#{pid}'));
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => spawnSync('kill', ['-0', String(pid)]).status, { timeout: 20_000 }).not.toBe(0);
    // The watchdog, which ends with the server, may still write its checkpoint.
    const files = (): string[] => filesBelow(place.project).filter((name) => !name.includes('/checkpoint'));
    const before = files();
    expect(await changesOf('status')).toEqual([]);
    expect(files()).toEqual(before);
    expect((await place.call('status')).stdout).toMatch(/^one .* stopped$/m);
  });
});
