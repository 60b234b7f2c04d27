import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { refOf } from '../../../confine/processes/process-life.ts';
import { hostConformance } from '../conformance.fixture.ts';
import { ControlTransport } from './control.ts';
import { TmuxHost } from './tmux-host.ts';
import { serverEnvironment } from './socket.ts';
import { forkTransport } from './transport.ts';

function place(answerWithinMs?: number): { readonly dir: string; readonly socket: string; readonly host: TmuxHost } {
  const dir = mkdtempSync(join(tmpdir(), 'seatrial-tmux-'));
  const socket = join(dir, 'tmux.sock');
  const transport = forkTransport({
    socket,
    env: serverEnvironment(process.env),
    ...(answerWithinMs === undefined ? {} : { answerWithinMs }),
  });
  onTestFinished(() => {
    spawnSync('tmux', ['-S', socket, 'kill-server']);
    rmSync(dir, { recursive: true, force: true });
  });
  return { dir, socket, host: new TmuxHost({ socket, transport, forked: transport }) };
}

const SCRIPTS = {
  say: 'printf "%s\\n" "$1"; exec sleep 600',
  exit: 'exit "$1"',
  echo: 'while read -r line; do printf "got %s\\n" "$line"; done',
  wait: 'exec sleep 600',
};

const program = (what: keyof typeof SCRIPTS, argument?: string) => [
  '/bin/sh',
  '-c',
  SCRIPTS[what],
  'sh',
  ...(argument === undefined ? [] : [argument]),
];

/** The same with one connection for all questions, attached to a session beside those of the test. */
function connectedPlace(answerWithinMs?: number) {
  const { dir, socket } = place();
  const env = serverEnvironment(process.env);
  const forked = forkTransport({ socket, env });
  const transport = new ControlTransport({
    socket,
    env,
    session: 'anchor',
    fallback: forked,
    ...(answerWithinMs === undefined ? {} : { answerWithinMs }),
  });
  const host = new TmuxHost({ socket, transport, forked });
  onTestFinished(() => host.close());
  return {
    dir,
    socket,
    host,
    transport,
    tmux: (...args: readonly string[]) => spawnSync('tmux', ['-S', socket, ...args]),
  };
}

/** Until the test continues it or ends. */
function stopServer(socket: string): number {
  const pid = Number(spawnSync('tmux', ['-S', socket, 'display-message', '-p', '#{pid}'], { encoding: 'utf8' }).stdout);
  expect(pid).toBeGreaterThan(1);
  process.kill(pid, 'SIGSTOP');
  onTestFinished(() => void process.kill(pid, 'SIGCONT'));
  return pid;
}

describe('with a client for each call', () => {
  hostConformance(() => ({ host: place().host, program }));

  test('a server that gives no answer is unknown, although it holds the output of the client', async () => {
    const { host, socket } = place(500);
    await host.create(request(['/bin/sh', '-c', SCRIPTS.wait]));
    stopServer(socket);
    expect(await host.list()).toMatchObject({ kind: 'unknown' });
  });
});

describe('over a connection', () => {
  hostConformance(() => {
    const { host, tmux } = connectedPlace();
    // Once the server runs; before that the fallback answers.
    const create: typeof host.create = async (asked) => {
      const result = await TmuxHost.prototype.create.call(host, asked);
      tmux('new-session', '-d', '-s', 'anchor', 'exec sleep 600');
      return result;
    };
    host.create = create;
    return { host, program };
  });

  test('is really used, and closed with the host', async () => {
    const { host, transport, tmux } = connectedPlace();
    tmux('new-session', '-d', '-s', 'anchor', 'exec sleep 600');
    expect((await host.list()).kind).toBe('present');
    expect(transport.connected).toBe(true);
    expect(String(tmux('list-clients', '-F', '#{client_control_mode}').stdout)).toBe('1\n');
    await host.close();
    await expect.poll(() => String(tmux('list-clients').stdout), { timeout: 20_000 }).toBe('');
  });

  test('tells a server that is gone from a session that is', async () => {
    const { host, transport, tmux } = connectedPlace();
    tmux('new-session', '-d', '-s', 'anchor', 'exec sleep 600');
    await host.create(request(['/bin/sh', '-c', SCRIPTS.wait]));
    expect((await host.list()).kind).toBe('present');
    tmux('kill-session', '-t', '=anchor');
    const view = await host.list();
    expect(view.kind === 'present' && [...view.sessions.keys()]).toEqual(['box']);
    expect(await host.end('other', guard)).toEqual({ kind: 'gone' });
    tmux('kill-server');
    expect(await host.list()).toEqual({ kind: 'absent' });
    expect(transport.connected).toBe(false);
  });

  test('a server that gives no answer is unknown, and a change is not made twice', async () => {
    const { host, transport, socket, tmux } = connectedPlace(500);
    tmux('new-session', '-d', '-s', 'anchor', 'exec sleep 600');
    expect((await host.list()).kind).toBe('present');
    const pid = stopServer(socket);
    const changed = await transport.run([['set-option', '-s', '@x', '1']]);
    expect(changed).toMatchObject({ kind: 'unknown' });
    process.kill(pid, 'SIGCONT');
    expect((await host.list()).kind).toBe('present');
    expect(existsSync(socket)).toBe(true);
  });

  test('text that looks like its protocol is shown as it is', async () => {
    const { host, tmux } = connectedPlace();
    tmux('new-session', '-d', '-s', 'anchor', 'exec sleep 600');
    await host.create(request(['/bin/sh', '-c', SCRIPTS.say, 'sh', '%end 1 2 3']));
    await expect.poll(async () => (await host.screen('box'))?.lines, { timeout: 20_000 }).toContain('%end 1 2 3');
  });
});

const request = (argv: readonly string[], name = 'box') => ({
  name,
  project: 'me',
  spawn: 's1',
  cwd: '/',
  argv,
  fence: null,
});
const guard = { project: 'me', spawn: 's1', fence: null };

test('asking starts no server and creates no file, without a socket and with a stale one', async () => {
  const { host, socket } = place();
  expect(await host.list()).toEqual({ kind: 'absent' });
  expect(existsSync(socket)).toBe(false);
  const stale = createServer().listen(socket);
  await new Promise((resolve) => stale.once('listening', resolve));
  // As after a kill: the file stays, and nothing listens.
  spawnSync('cp', ['-a', socket, `${socket}.kept`]);
  await new Promise((resolve) => stale.close(resolve));
  spawnSync('mv', [`${socket}.kept`, socket]);
  expect(existsSync(socket)).toBe(true);
  expect(await host.list()).toEqual({ kind: 'absent' });
});

test('a socket that does not speak tmux is unknown', async () => {
  const { host, socket } = place();
  writeFileSync(socket, '');
  const view = await host.list();
  expect(view.kind).not.toBe('present');
});

test('the end of a session ends processes that ignore a hangup, and those that are stopped', async () => {
  const { host } = place();
  await host.create(request(['/bin/sh', '-c', "trap '' HUP; sleep 601 & echo pid $!; wait"]));
  await expect.poll(async () => (await host.screen('box'))?.lines.join(' '), { timeout: 20_000 }).toMatch(/pid \d+/);
  const pid = Number(/pid (\d+)/.exec((await host.screen('box'))?.lines.join(' ') ?? '')?.[1]);
  process.kill(pid, 'SIGSTOP');
  await host.end('box', guard);
  expect(refOf(pid)).toBeNull();
});

test("what is typed goes to the agent's pane, though a person has split the window", async () => {
  const { host, socket } = place();
  await host.create(request(['/bin/sh', '-c', SCRIPTS.echo]));
  spawnSync('tmux', ['-S', socket, 'split-window', '-t', '=box:', 'exec sleep 600']);
  await host.paste('box', 'hello', guard);
  await host.press('box', 'Enter', guard);
  await expect.poll(async () => (await host.screen('box'))?.lines, { timeout: 20_000 }).toContain('got hello');
});

test('a server that we start knows none of our secrets', async () => {
  process.env['SECRET_TOKEN_OF_TEST'] = 'hunter2';
  onTestFinished(() => {
    delete process.env['SECRET_TOKEN_OF_TEST'];
  });
  const { host, socket } = place();
  await host.create(request(['/bin/sh', '-c', SCRIPTS.wait]));
  const shown = spawnSync('tmux', ['-S', socket, 'show-environment', '-g'], { encoding: 'utf8' });
  expect(shown.stdout).toContain('PATH=');
  expect(shown.stdout).not.toContain('hunter2');
});

test('an argument that ends in a semicolon reaches the program as it is', async () => {
  const { host } = place();
  await host.create(request(['/bin/sh', '-c', SCRIPTS.say, 'sh', 'a;']));
  await expect.poll(async () => (await host.screen('box'))?.lines, { timeout: 20_000 }).toContain('a;');
});
