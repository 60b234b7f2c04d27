import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { wire as wires } from '../evidence/schema/exchange.ts';
import { gateway, KEY_CANARY, planFor, provider, sendAnswer } from './provider.fixture.ts';
import { startScriptedModel } from './scripted/server.ts';

type Answer = (response: ServerResponse) => void;
const error =
  (status: number): Answer =>
  (response) =>
    void response.writeHead(status).end('{"error":{"message":"no"}}');

it.each<[string, number | null, Answer]>([
  ['unauthorized', 401, error(401)],
  ['unauthorized', 403, error(403)],
  ['http_error', 500, error(500)],
  ['http_error', 404, error(404)],
  ['malformed', 200, (response) => sendAnswer(response, '<html>hello</html>')],
  ['empty', 200, (response) => sendAnswer(response, '{"choices":[]}')],
  ['cut', 200, (response) => void response.write('{"cho', () => response.destroy())],
  ['timeout', null, () => {}],
  ['unreachable', null, (response) => void response.destroy()],
  ['unreachable', null, (response) => void response.writeHead(302, { location: '/' }).end()],
  ['unreachable', null, (response) => void response.writeHead(200, { 'content-encoding': 'br' }).end()],
])('%s: %s', async (kind, status, answer) => {
  const upstream = await provider((_request, response) => answer(response));
  const open = await gateway(planFor(upstream.baseUrl, { requestTimeoutMs: 200 }));
  const result = await open.server.probe('nonce');
  expect(result).toMatchObject({ kind, http_status: status });
  expect(result.detail).not.toContain(upstream.host);
});

it('reports an unreachable provider without naming its address', async () => {
  const upstream = await provider(() => {});
  upstream.close();
  const open = await gateway(planFor(upstream.baseUrl));
  expect(await open.server.probe('nonce')).toEqual({
    kind: 'unreachable',
    http_status: null,
    answered_by: null,
    detail: 'the provider refused the connection',
  });
});

describe.each(wires.options.filter((wire) => wire !== 'gemini'))('on %s', (wire) => {
  it('allows enough tokens for a reasoning model to answer', async () => {
    const model = await startScriptedModel({ turns: [{ reasoning: 'hm', text: 'READY', content_from_tokens: 1024 }] });
    const open = await gateway(planFor(model.url, { wire }));
    expect(await open.server.probe('nonce-7')).toMatchObject({ kind: 'content', http_status: 200 });
    expect(JSON.stringify(model.requests[0]!.body)).toContain('nonce-7');
    expect(model.requests[0]!.body['stream']).toBeUndefined();
    expect(open.exchanges[0]!.exchange).toMatchObject({ seq: 0, purpose: 'probe' });
    await model.close();
  });

  it('reports a model that returns only reasoning', async () => {
    const model = await startScriptedModel({ turns: [{ reasoning: 'hm' }] });
    const open = await gateway(planFor(model.url, { wire }));
    expect(await open.server.probe('nonce')).toMatchObject({ kind: 'reasoning_only', http_status: 200 });
    await model.close();
  });
});

it('uses the real key', async () => {
  const upstream = await provider((_request, response) => sendAnswer(response, '{}'));
  await (await gateway(planFor(upstream.baseUrl))).server.probe('nonce');
  expect(upstream.received[0]!.headers.authorization).toBe(`Bearer ${KEY_CANARY}`);
});
