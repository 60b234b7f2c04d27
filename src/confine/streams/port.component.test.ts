import { chmodSync, mkdirSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { DEFAULT_LIMITS } from '../limits/limits.ts';
import { type ImageRoot, openConfinement } from '../open.ts';
import { makeSmallRoot } from '../small-root.fixture.ts';
import { carryRelay, portLost, withPort } from './port.ts';
import { removeScratch } from '../remove-scratch.ts';
import { makeScratch } from '../scratch.ts';

vi.setConfig({ testTimeout: 60_000 });

let scratch: string;
let server: Server;
beforeEach(async () => {
  scratch = makeScratch();
  const dir = join(scratch, 'port');
  mkdirSync(dir, { mode: 0o711 });
  mkdirSync(join(scratch, 'workspace'));
  server = createServer((socket) => socket.once('data', (asked) => socket.end(`heard ${asked.toString()}`)));
  await new Promise<void>((resolve) => server.listen(join(dir, 'socket'), resolve));
  chmodSync(join(dir, 'socket'), 0o666);
});
afterEach(async () => {
  server.close();
  await removeScratch(scratch);
});

async function start(script: string, image: ImageRoot | null = null) {
  const confinement = await openConfinement({ kind: 'bubblewrap', scratch, image });
  confinement.give(join(scratch, 'workspace'));
  const spec = {
    argv: ['/bin/sh', '-c', script],
    env: {},
    cwd: '/workspace',
    mounts: [{ source: join(scratch, 'workspace'), target: '/workspace', mode: 'rw' } as const],
    limits: DEFAULT_LIMITS,
    timeoutMs: 30_000,
  };
  const carried = image === null ? null : carryRelay('');
  return confinement.start(withPort(spec, { dir: join(scratch, 'port'), number: 4010 }, carried));
}

/** Without procps, which a small system may not have. */
const EACH_SOCAT = 'for p in /proc/[0-9]*; do [ "$(cat $p/comm 2>/dev/null)" = socat ] || continue;';

const ask = (what: string, to: string): string => `printf '${what}' | socat -t5 - ${to} 2>&1`;

it('the port is open when the command starts, and leads only to the socket', async () => {
  const command = await start(
    `${ask('one', 'TCP:127.0.0.1:4010')}; echo; ${ask('two', 'TCP:127.0.0.1:4010')}; echo
     ${ask('x', 'TCP:127.0.0.1:4011')}; ${ask('x', 'TCP:192.0.2.1:80')}; exit 5`,
  );
  const said = await text(command.stdout);
  expect(said.split('\n').slice(0, 2)).toEqual(['heard one', 'heard two']);
  expect(said).toContain('Connection refused');
  expect(said).toContain('Network is unreachable');
  expect(await command.ended).toMatchObject({ kind: 'exited', exitCode: 5 });
});

it('the port leads out of an image that has no relay of its own, and only the image is seen', async () => {
  const dir = join(scratch, 'root');
  makeSmallRoot(dir, ['sh', 'bash', 'cat', 'grep', 'sleep', 'ls']);
  const command = await start(
    `bash -c 'exec 9<>/dev/tcp/127.0.0.1/4010; printf one >&9; cat <&9'; echo; ls /usr/bin; echo "$PATH"; cat /etc/hosts`,
    { dir, path: '/opt/own:/usr/bin:/bin' },
  );
  const said = (await text(command.stdout)).split('\n');
  expect(said.slice(0, 7)).toEqual(['heard one', 'bash', 'cat', 'grep', 'ls', 'sh', 'sleep']);
  expect(said).toContain('/opt/own:/usr/bin:/bin');
  expect(said).toContain('127.0.0.1 localhost seatrial');
  expect(await command.ended).toMatchObject({ kind: 'exited', exitCode: 0 });
});

it('the port leaves the streams, descriptors and children of the command alone', async () => {
  const command = await start(
    `ls /proc/self/fd; ${EACH_SOCAT} grep PPid /proc/$(sed -n 's/^PPid:.//p' $p/status)/status; done; wait; cat`,
  );
  command.stdin.end('through\n');
  const said = await text(command.stdout);
  expect(said.split('\n')).toEqual(['0', '1', '2', '3', 'PPid:\t1', 'through', '']);
  expect(await text(command.stderr)).toBe('');
});

it('the loss of the port is reported when its relay is killed from inside', async () => {
  const command = await start(`${EACH_SOCAT} kill $(basename $p); done; sleep 600`);
  await portLost(command);
  command.kill();
  expect(await command.ended).toMatchObject({ kind: 'killed' });
});
