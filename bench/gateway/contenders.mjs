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
 * Starts every route to the same scripted model, each in its own process, and a load generator. `ways` have `port` and
 * `headers`; `load` runs a batch of requests; `close` kills all processes.
 */
export async function openContenders() {
  installPeers();
  const children = [];
  const dir = mkdtempSync(join(tmpdir(), 'seatrial-bench-'));
  const close = () => {
    for (const child of children) child.kill('SIGKILL');
    rmSync(dir, { recursive: true, force: true });
  };
  // Not all children exit by themselves when this process does.
  process.once('exit', close);
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));
  try {
    const upstream = await exchangeMessage(program('upstream'));
    const origin = `http://127.0.0.1:${upstream.port}`;
    const bearer = { authorization: `Bearer ${KEY}` };
    const load = program('load');
    const ways = {
      direct: { port: upstream.port, headers: bearer },
      gateway: { port: await startGateway(`${origin}/v1`), headers: bearer },
      proxy: { port: (await exchangeMessage(program('proxy', PEERS, origin))).port, headers: bearer },
      portkey: {
        port: await startPortkey(),
        headers: { ...bearer, 'x-portkey-provider': 'openai', 'x-portkey-custom-host': `${origin}/v1` },
      },
    };
    return { ways, load: (order) => exchangeMessage(load, order), close };
  } catch (error) {
    close();
    throw error;
  }

  function program(name, ...args) {
    const child = fork(join(ROOT, 'bench', 'gateway', 'programs', `${name}.mjs`), args, { env: ENV });
    children.push(child);
    return child;
  }

  /** Like the harness, sends the plan over a pipe and reads all reports. */
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
    const listen = { socketPath: join(dir, 'socket'), tcp: true };
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

/** The peers are not dependencies of Seatrial, so they are installed on first use, into their own directory. */
function installPeers() {
  if (existsSync(join(PEERS, 'node_modules'))) return;
  console.log('  installing the peers into bench/peers/node_modules (first use only)');
  const options = ['--no-save', '--ignore-scripts', '--loglevel=error'];
  const { status } = spawnSync('npm', ['install', ...options], { cwd: PEERS, stdio: 'inherit' });
  if (status !== 0) throw new Error("'npm install' failed in bench/peers; see its output above");
}

/** Sends a message, if there is one, and resolves to the child's next message. */
function exchangeMessage(child, message) {
  return new Promise((resolve, reject) => {
    const gone = () => reject(new Error(`${child.spawnargs.at(-1)} exited`));
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
