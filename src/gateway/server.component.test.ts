import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { chatAnswer, gateway, KEY_CANARY, planFor, provider, QUESTION, sendAnswer, until } from './provider.fixture.ts';

const answering = (text: string) => provider((_request, response) => sendAnswer(response, chatAnswer(text)));

describe('the request to the provider', () => {
  it('has the same body, the real key and no information about the caller', async () => {
    const upstream = await answering('hi');
    const open = await gateway(planFor(upstream.baseUrl));
    const headers = { cookie: 'a=b', 'x-forwarded-for': '10.0.0.1', 'user-agent': 'an-engine', 'x-api-key': 'other' };
    const answer = await open.ask(QUESTION, { headers });
    expect(answer.status).toBe(200);
    expect(answer.body.toString()).toBe(chatAnswer('hi'));
    const [asked] = upstream.received;
    expect(asked!.url).toBe('/v1/chat/completions');
    expect(asked!.body).toBe(JSON.stringify(QUESTION));
    expect(asked!.headers).toMatchObject({
      authorization: `Bearer ${KEY_CANARY}`,
      host: upstream.host,
      'accept-encoding': 'identity',
      'user-agent': 'seatrial',
    });
    expect(Object.keys(asked!.headers)).not.toEqual(expect.arrayContaining(['cookie']));
    expect(JSON.stringify(asked!.headers)).not.toMatch(/10\.0\.0\.1|an-engine|other|throw-away/);
  });

  it("uses the provider's name for the model", async () => {
    const upstream = await answering('hi');
    const open = await gateway(planFor(upstream.baseUrl, { upstreamModel: 'qwen3.6-35b-a3b' }));
    await open.ask(QUESTION);
    expect(JSON.parse(upstream.received[0]!.body)).toEqual({ ...QUESTION, model: 'qwen3.6-35b-a3b' });
  });

  it.each([
    ['as two keys', '{"model":"gpt-9","messages":[],"model":"scripted"}'],
    ['as two keys, one with an escape', '{"mod\\u0065l":"gpt-9","messages":[],"model":"scripted"}'],
  ])('names only the admitted model if the engine names two, %s', async (_how, body) => {
    const upstream = await answering('hi');
    const open = await gateway(planFor(upstream.baseUrl));
    await open.ask(body);
    expect(upstream.received.map((asked) => asked.body)).toEqual(['{"model":"scripted","messages":[]}']);
  });

  it.each([
    ['openai-chat', '/v1/chat/completions', '', '/v1/chat/completions'],
    ['openai-chat', '/chat/completions', '/api/v4/', '/api/v4/chat/completions'],
    ['openai-responses', '/v1/responses', '/v1', '/v1/responses'],
    ['anthropic-messages', '/v1/messages?beta=true', '', '/v1/messages?beta=true'],
    ['anthropic-messages', '/v1/messages', '/v1', '/v1/messages'],
    ['gemini', '/v1beta/models/scripted:generateContent', '', '/v1beta/models/scripted:generateContent'],
    [
      'gemini',
      '/v1beta/models/scripted:streamGenerateContent?alt=sse&key=throw-away-key',
      '',
      '/v1beta/models/scripted:streamGenerateContent?alt=sse',
    ],
  ] as const)('%s at %s below "%s" leads to %s', async (wire, path, base, expected) => {
    const upstream = await answering('hi');
    const open = await gateway(planFor(`http://${upstream.host}${base}`, { wire }));
    await open.ask(QUESTION, { path });
    expect(upstream.received[0]!.url).toBe(expected);
    const header = { 'anthropic-messages': 'x-api-key', gemini: 'x-goog-api-key' }[wire as string] ?? 'authorization';
    expect(upstream.received[0]!.headers[header]).toContain(KEY_CANARY);
  });
});

it('a helper model is asked under its own name', async () => {
  const upstream = await answering('hi');
  const open = await gateway(planFor(upstream.baseUrl, { helperModels: ['small'], upstreamModel: 'big' }));
  for (const model of ['scripted', 'small']) expect((await open.ask({ ...QUESTION, model })).status).toBe(200);
  expect(upstream.received.map(({ body }) => JSON.parse(body).model)).toEqual(['big', 'small']);
});

it('another model is refused each time, and ends the run when it is asked for once more than tolerated', async () => {
  const upstream = await answering('hi');
  const open = await gateway(planFor(upstream.baseUrl, { toleratedOtherModels: 2 }));
  for (const _ of [1, 2, 3]) expect((await open.ask({ ...QUESTION, model: 'gpt-9' })).status).toBe(403);
  expect(open.fatal).toEqual([null, null, 'other_model_requested']);
  expect(upstream.received).toEqual([]);
});

describe('refuses', () => {
  it.each([
    ['another model', { ...QUESTION, model: 'gpt-9' }, {}, 403, 'model not admitted: gpt-9'],
    ['no model', { messages: [] }, {}, 403, 'model not admitted: none named'],
    ['a second model', { ...QUESTION, Model: 'gpt-9' }, {}, 403, 'model not admitted: named twice, also as Model'],
    [
      'a bottomless body',
      `{"model":"scripted","tools":[{"type":"function","function":{"parameters":${'['.repeat(1e5)}${']'.repeat(1e5)}}}]}`,
      {},
      403,
      'tools[].function.parameters: nested too deeply',
    ],
    ['another path', QUESTION, { path: '/v1/embeddings' }, 404, 'unknown path: POST /v1/embeddings'],
    [
      'another wire',
      QUESTION,
      { path: '/v1/messages' },
      404,
      'wire not admitted: anthropic-messages, only openai-chat',
    ],
    ['another host', QUESTION, { path: 'http://example.com/v1' }, 403, 'another host asked for: example.com'],
    ['another key', QUESTION, { headers: { authorization: 'Bearer guess' } }, 401, 'wrong key'],
    ['no JSON', '{"model":', {}, 400, 'the body is not a JSON object'],
  ])('%s', async (_what, body, options, status, reason) => {
    const upstream = await answering('hi');
    const open = await gateway(planFor(upstream.baseUrl));
    const answer = await open.ask(body, options);
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body.toString()).error.message).toContain(reason);
    expect(open.refusals).toEqual([expect.stringContaining(reason)]);
    expect(upstream.received).toEqual([]);
  });

  it('an endless body', async () => {
    const upstream = await answering('hi');
    const open = await gateway(planFor(upstream.baseUrl));
    const socket = connect(open.port, '127.0.0.1').on('error', () => {});
    socket.write(
      'POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer throw-away-key\r\ntransfer-encoding: chunked\r\n\r\n',
    );
    const mebibyte = Buffer.alloc(1 << 20, 'x');
    const more = (): void => {
      if (open.refusals.length > 0) return void socket.destroy();
      socket.write('100000\r\n');
      socket.write(mebibyte);
      socket.write('\r\n', () => more());
    };
    more();
    await until(() => open.refusals.length > 0);
    expect(open.refusals).toEqual(['the body is longer than 67108864 bytes']);
    expect(upstream.received).toEqual([]);
  });

  it('bodies that exceed the memory limit, until one is finished', async () => {
    const upstream = await answering('hi');
    const open = await gateway(planFor(upstream.baseUrl));
    const head =
      'POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer throw-away-key\r\ncontent-length: 67000000\r\n\r\n';
    const sockets = Array.from({ length: 5 }, () => connect(open.port, '127.0.0.1').on('error', () => {}));
    for (const socket of sockets) socket.write(Buffer.concat([Buffer.from(head), Buffer.alloc(60 << 20, ' ')]));
    await until(() => open.refusals.length > 0);
    expect(new Set(open.refusals)).toEqual(new Set(['the body does not fit beside the others that are under way']));
    for (const socket of sockets) socket.destroy();
    const large = { ...QUESTION, messages: [{ role: 'user', content: 'x'.repeat(40 << 20) }] };
    await expect.poll(async () => (await open.ask(large)).status, { timeout: 20_000 }).toBe(200);
  });

  it('a CONNECT tunnel', async () => {
    const open = await gateway(planFor(null));
    const socket = connect(open.port, '127.0.0.1').setEncoding('utf8');
    let said = '';
    socket.on('data', (text: string) => (said += text)).write('CONNECT example.com:443 HTTP/1.1\r\nhost: x\r\n\r\n');
    await new Promise((resolve) => socket.on('close', resolve));
    expect(said).toMatch(/^HTTP\/1\.1 403 /);
    expect(open.refusals).toEqual(['another host asked for: example.com:443']);
  });
});

it('serves a request that offers an upgrade, with function tools, as plain HTTP', async () => {
  const upstream = await answering('hi');
  const open = await gateway(planFor(upstream.baseUrl));
  const tools = [{ type: 'function', function: { name: 'web_search', parameters: {} } }];
  const headers = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c' };
  expect((await open.ask({ ...QUESTION, tools }, { headers })).status).toBe(200);
  expect(open.refusals).toEqual([]);
});

it('says that it is there, without a key and without a record', async () => {
  const open = await gateway(planFor(null));
  const answer = await open.ask('', { method: 'HEAD', path: '/', headers: { authorization: '' } });
  expect([answer.status, answer.body.length]).toEqual([200, 0]);
  expect(open.reports).toEqual([]);
});

it('lists only the admitted model', async () => {
  const open = await gateway(planFor(null));
  const answer = await open.ask('', { method: 'GET', path: '/v1/models' });
  expect(JSON.parse(answer.body.toString()).data.map(({ id }: { id: string }) => id)).toEqual(['scripted']);
});

it('reports an exchange with its bodies', async () => {
  const upstream = await answering('hi');
  const open = await gateway(planFor(upstream.baseUrl));
  await open.ask(QUESTION);
  const [reported] = await open.reported(1);
  expect(reported!.text).toBe('hi');
  expect(reported!.exchange).toMatchObject({
    seq: 1,
    purpose: 'engine',
    answered_by: 'upstream',
    wire: 'openai-chat',
    path: '/v1/chat/completions',
    model: 'scripted',
    streamed: false,
    status: 200,
    ended: 'complete',
    shape: 'content',
    usage: { input_tokens: 10, output_tokens: 5 },
    request: { text: JSON.stringify(QUESTION) },
    response: { headers: { 'content-type': 'application/json' }, body: { text: chatAnswer('hi') } },
  });
});
