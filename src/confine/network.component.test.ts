import { mkdtempSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from './limits/limits.ts';
import { openConfinement } from './open.ts';
import { removeScratch } from './remove-scratch.ts';
import { makeScratch } from './scratch.ts';
import type { Confinement, Sandboxed, SandboxSpec } from './types.ts';

let scratch: string;
let outside: string;
let confinement: Confinement;
let server: Server;
beforeAll(async () => {
  scratch = makeScratch();
  outside = mkdtempSync(join(tmpdir(), 'seatrial-network-'));
  writeFileSync(join(outside, 'secret'), 'secret');
  confinement = await openConfinement({ kind: 'bubblewrap', scratch });
  server = createServer((_request, response) => response.end('reached'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  server.close();
  rmSync(outside, { recursive: true, force: true });
  await removeScratch(scratch);
});

async function reaches(script: string): Promise<boolean | undefined> {
  const sandboxed = start(script, { watchNetwork: true });
  sandboxed.stdin.end();
  await Promise.all([text(sandboxed.stdout), text(sandboxed.stderr), sandboxed.ended]);
  return sandboxed.reachedOut?.();
}

async function said(script: string, network?: 'host'): Promise<string> {
  const sandboxed = start(script, network === undefined ? {} : { network });
  sandboxed.stdin.end();
  const [stdout] = await Promise.all([text(sandboxed.stdout), text(sandboxed.stderr), sandboxed.ended]);
  return stdout;
}

function start(script: string, watched: Pick<SandboxSpec, 'network' | 'watchNetwork'>): Sandboxed {
  return confinement.start({
    argv: ['/bin/sh', '-c', script],
    env: {},
    cwd: '/',
    mounts: [],
    limits: DEFAULT_LIMITS,
    timeoutMs: 30_000,
    ...watched,
  });
}

/** Speaks HTTP by what every system has: perl. */
const get = (): string => {
  const { port } = server.address() as AddressInfo;
  return `perl -MIO::Socket::INET -e '$s = IO::Socket::INET->new("127.0.0.1:${port}") or exit; print $s "GET / HTTP/1.0\\r\\n\\r\\n"; print <$s>'`;
};

it('the network is available only to a command that requests it', async () => {
  expect(await said(get(), 'host')).toContain('reached');
  expect(await said(get())).toBe('');
  expect(await said('readlink /proc/self/ns/net', 'host')).toBe(`${readlinkSync('/proc/self/ns/net')}\n`);
});

it('a command that reaches for an address or a name beyond its sandbox is found out', async () => {
  const connect = (address: string): string =>
    `perl -MIO::Socket::INET -e 'IO::Socket::INET->new(PeerAddr => "${address}", Timeout => 2)'`;
  expect(await reaches(connect('192.0.2.1:80'))).toBe(true);
  expect(await reaches("perl -e 'gethostbyname(q(example.org))'")).toBe(true);
  expect(await reaches(connect('127.0.0.1:9'))).toBe(false);
});

it('the network includes host name resolution', async () => {
  expect(await said('test -r /etc/resolv.conf && echo readable', 'host')).toBe('readable\n');
  expect(await said('test -e /etc/resolv.conf && echo there; grep -c . /etc/hosts')).toBe('2\n');
});

it('network access weakens no other isolation', async () => {
  const script = [
    `cat ${outside}/secret; ls /root; ls /home; env | grep -v -E '^(PATH|HOME|TMPDIR|LANG|TZ|PWD|USER|LOGNAME|SHELL|GIT_CONFIG_SYSTEM)='`,
    'touch /etc/x /usr/x 2>/dev/null && echo wrote',
    'grep CapEff /proc/self/status; ls /proc | grep -c "^[0-9]" | sed "s/^[0-9]$/few/"',
    'unshare --user true 2>/dev/null && echo nested',
  ].join('; ');
  expect(await said(script, 'host')).toBe('agent\nCapEff:\t0000000000000000\nfew\n');
  for (const name of ['user', 'pid', 'ipc', 'uts', 'mnt']) {
    expect(await said(`readlink /proc/self/ns/${name}`, 'host')).not.toBe(`${readlinkSync(`/proc/self/ns/${name}`)}\n`);
  }
});
