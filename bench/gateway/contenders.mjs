import { fork, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../ground.mjs';

const PEERS = join(ROOT, 'bench', 'peers');
const KEY = 'throw-away-key';
const ENV = { PATH: '/usr/bin:/bin', NODE_ENV: 'production' };

/**
 * Every way to one and the same scripted model, each a process of its own, and a process that asks. `ways` have `port` and
 * `headers`; `load` answers orders; `close` ends them all.
 */
export async function openContenders() {
  installPeers();
  const children = [];
  const folder = mkdtempSync(join(tmpdir(), 'seatrial-bench-'));
  const close = () => {
    for (const child of children) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  };
  // Not all of them end by themselves when this does.
  process.once('exit', close);
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));
  try {
    const upstream = await told(program('upstream'));
    const place = `http://127.0.0.1:${upstream.port}`;
    const bearer = { authorization: `Bearer ${KEY}` };
    const load = program('load');
    const ways = {
      direct: { port: upstream.port, headers: bearer },
      gateway: { port: await startGateway(`${place}/v1`), headers: bearer },
      proxy: { port: (await told(program('proxy', PEERS, place))).port, headers: bearer },
      portkey: {
        port: await startPortkey(),
        headers: { ...bearer, 'x-portkey-provider': 'openai', 'x-portkey-custom-host': `${place}/v1` },
      },
    };
    return { ways, load: (order) => told(load, order), close };
  } catch (error) {
    close();
    throw error;
  }

  function program(name, ...args) {
    const child = fork(join(ROOT, 'bench', 'gateway', 'programs', `${name}.mjs`), args, { env: ENV });
    children.push(child);
    return child;
  }

  /** As the harness starts it: told its plan over a pipe, and everything that it tells is read. */
  function startGateway(baseUrl) {
    const stdio = ['ignore', 'ignore', 'inherit', 'pipe'];
    const child = spawn(process.execPath, [join(ROOT, 'dist', 'gateway.js')], { env: {}, stdio });
    children.push(child);
    const channel = child.stdio[3];
    const plan = {
      admitted: { provider: 'bench', model: 'scripted' },
      runtimeModel: 'scripted',
      upstreamModel: 'scripted',
      wire: 'openai-chat',
      upstream: { baseUrl, key: 'a-real-key-0123456789' },
      key: KEY,
      budgets: {},
      prices: null,
      replay: null,
      fault: null,
      requestTimeoutMs: 60_000,
    };
    const listen = { socketPath: join(folder, 'socket'), tcp: true };
    channel.write(frame({ kind: 'open', plan, listen }));
    return new Promise((resolve, reject) => {
      channel.once('data', (bytes) => resolve(JSON.parse(bytes.toString('utf8', 12)).port));
      channel.on('data', () => {});
      child.once('exit', () => reject(new Error('the gateway did not start')));
    });
  }

  async function startPortkey() {
    const port = await freePort();
    const file = join(PEERS, 'node_modules', '@portkey-ai', 'gateway', 'build', 'start-server.js');
    const child = spawn(process.execPath, [file, `--port=${port}`, '--headless'], { env: ENV, stdio: 'ignore' });
    children.push(child);
    for (let tries = 0; ; tries += 1) {
      const answer = await fetch(`http://127.0.0.1:${port}/`).catch(() => null);
      if (answer !== null) return port;
      if (tries > 200 || child.exitCode !== null) throw new Error('@portkey-ai/gateway did not start');
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

function frame(message) {
  const json = Buffer.from(JSON.stringify(message));
  const head = Buffer.alloc(12);
  head.writeUInt32BE(json.length);
  return Buffer.concat([head, json]);
}

/** They are no part of Seatrial, so they are fetched only here, into a folder of their own. */
function installPeers() {
  if (existsSync(join(PEERS, 'node_modules'))) return;
  console.log('  installing what is compared with into bench/peers/node_modules, once');
  const options = ['--no-save', '--ignore-scripts', '--loglevel=error'];
  const { status } = spawnSync('npm', ['install', ...options], { cwd: PEERS, stdio: 'inherit' });
  if (status !== 0) throw new Error("'npm install' failed in bench/peers; the lines above say why");
}

/** The next thing that a child says, after it was told something if there is something to tell. */
function told(child, message) {
  return new Promise((resolve, reject) => {
    const gone = () => reject(new Error(`${child.spawnargs.at(-1)} ended`));
    child.once('exit', gone);
    child.once('message', (answer) => {
      child.removeListener('exit', gone);
      if (answer.fault === undefined) resolve(answer);
      else reject(new Error(answer.fault));
    });
    if (message !== undefined) child.send(message);
  });
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
