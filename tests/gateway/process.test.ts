import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { send } from '../../src/gateway/process/messages.ts';
import { type RunningGateway, startGateway } from '../../src/gateway/process/start.ts';
import {
  askPort,
  chatAnswer,
  KEY_CANARY,
  openProvider,
  planFor,
  type Provider,
  QUESTION,
  sendAnswer,
  THROW_AWAY,
} from '../../src/gateway/provider.fixture.ts';
import { serveSelfSigned } from '../support/self-signed.ts';
import type { GatewayPlan, GatewayReport } from '../../src/gateway/types.ts';
import { PROJECT } from '../support/seatrial.ts';

let dir: string;
let provider: Provider;
let reports: GatewayReport[];
let running: RunningGateway | null;

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'seatrial-gateway-'));
  provider = await openProvider((_request, response) => sendAnswer(response, chatAnswer('READY')));
  reports = [];
  running = null;
});
afterEach(async () => {
  await running?.close();
  provider.close();
  rmSync(dir, { recursive: true });
});

async function start(plan: GatewayPlan, tcp = true): Promise<RunningGateway> {
  const socketPath = join(dir, 'socket');
  running = await startGateway(plan, {
    socketPath,
    tcp,
    extraCaCerts: null,
    onReport: (report) => reports.push(report),
  });
  return running;
}

it('is reached over a port and a socket, and has told everything when it is closed', async () => {
  const gateway = await start(planFor(provider.baseUrl, { prices: { input_per_mtok: 1, output_per_mtok: 2 } }));
  expect((await askPort(gateway.port!, QUESTION)).body.toString()).toBe(chatAnswer('READY'));
  expect(await askSocket(join(dir, 'socket'))).toBe(200);
  await askPort(gateway.port!, { ...QUESTION, model: 'gpt-9' });
  expect(await gateway.close()).toEqual({
    requests: 2,
    refused: 1,
    input_tokens: 20,
    output_tokens: 10,
    cost_usd: (20 + 2 * 10) / 1_000_000,
  });
  expect(reports.map((report) => report.kind)).toEqual(['exchange', 'exchange', 'refused']);
  expect(await gateway.ended).toBe('it was closed');
});

it('has no port unless one was asked for', async () => {
  expect((await start(planFor(provider.baseUrl), false)).port).toBeNull();
});

it('asks the provider about the shape of its answers, with the nonce of the run', async () => {
  const gateway = await start(planFor(provider.baseUrl));
  expect(await gateway.probe('nonce-of-this-run')).toEqual({
    kind: 'content',
    http_status: 200,
    answered_by: null,
    detail: 'the answer has content',
  });
  expect(provider.received[0]!.body).toContain('nonce-of-this-run');
  expect(JSON.parse(provider.received[0]!.body)).toMatchObject({ model: 'scripted', max_tokens: 1024 });
});

it('says that it died, and answers nothing more in the provider’s name', async () => {
  const gateway = await start(planFor(null, { fault: { kind: 'hang', from: 0 } }));
  const probe = gateway.probe('nonce');
  process.kill(gateway.pid, 'SIGKILL');
  expect(await gateway.ended).toBe('it was killed by SIGKILL');
  expect(await probe).toEqual({
    kind: 'unreachable',
    http_status: null,
    answered_by: null,
    detail: 'it was killed by SIGKILL',
  });
  expect(await gateway.close()).toMatchObject({ requests: 0 });
  expect(await gateway.probe('again')).toMatchObject({ kind: 'unreachable' });
});

it('does not start on a socket that cannot be made, and says why without a word of the plan', async () => {
  const plan = planFor(provider.baseUrl);
  const options = { tcp: false, extraCaCerts: null, onReport: () => {} };
  await expect(startGateway(plan, { ...options, socketPath: join(dir, 'missing/socket') })).rejects.toThrow(
    /^the gateway did not start: listen E[A-Z]+: /,
  );
  await expect(startGateway(plan, { ...options, socketPath: join(dir, 'x'.repeat(100)) })).rejects.toThrow(
    /is too long; set TMPDIR to a shorter directory$/,
  );
});

it.each([
  [{ upstream: { baseUrl: 'not a url', key: KEY_CANARY } }, /^the model's base URL is not a URL/],
  [
    { upstream: { baseUrl: 'http://127.0.0.1:1', key: `${KEY_CANARY}\n` } },
    /^the model's key contains invalid characters/,
  ],
  [{ budgets: { max_cost_usd: 1 } }, /^max_cost_usd cannot be enforced without prices/],
  [{ budgets: { max_tokens: 0 } }, /^the budget max_tokens must be a number above 0/],
])('refuses a plan that cannot work: %j', async (changes, reason) => {
  const refusal = await start(planFor(provider.baseUrl, changes)).catch((error: Error) => error.message);
  expect(refusal).toMatch(reason);
  expect(refusal).not.toContain(KEY_CANARY);
});

it('ends at once when the harness is gone', async () => {
  const orphan = spawn(process.execPath, [join(PROJECT, 'dist/gateway.js')], {
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
  });
  const ended = new Promise((resolve) => orphan.on('exit', resolve));
  const channel = orphan.stdio[3] as Socket;
  const listen = { socketPath: join(dir, 'socket'), tcp: false };
  send(channel, { kind: 'open', plan: planFor(provider.baseUrl), listen });
  await new Promise((resolve) => channel.once('data', resolve));
  channel.destroy();
  expect(await ended).toBe(0);
});

it('is told endpoint and key in a way that nobody else can see', async () => {
  const gateway = await start(planFor(provider.baseUrl));
  const visible = ['cmdline', 'environ'].map((file) => readFileSync(`/proc/${gateway.pid}/${file}`, 'latin1')).join();
  expect(visible).toContain('dist/gateway.js');
  expect(visible).not.toContain(KEY_CANARY);
  expect(visible).not.toContain(provider.host);
  expect(visible).not.toContain('PATH=');
});

it('speaks TLS with those that it was told to trust, and with no others', async () => {
  const server = await serveSelfSigned(dir, (_request, response) => sendAnswer(response, chatAnswer('READY')));
  const plan = planFor(server.url);
  const options = { socketPath: join(dir, 'socket'), tcp: false, extraCaCerts: null, onReport: () => {} };
  const trusting = await startGateway(plan, { ...options, extraCaCerts: server.certificate });
  const trusted = await trusting.probe('nonce');
  await trusting.close();
  const wary = await startGateway(plan, options);
  const untrusted = await wary.probe('nonce');
  await wary.close();
  server.close();
  expect(trusted).toMatchObject({ kind: 'content' });
  expect(untrusted).toMatchObject({
    kind: 'unreachable',
    detail: expect.stringContaining('certificate is not trusted'),
  });
});

function askSocket(socketPath: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${THROW_AWAY}` };
    const call = request({ socketPath, path: '/v1/chat/completions', method: 'POST', headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode));
    });
    call.on('error', reject).end(JSON.stringify(QUESTION));
  });
}
