import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { chatAnswer, gateway, planFor, provider, QUESTION, sendAnswer, THROW_AWAY, until } from './provider.fixture.ts';

const STREAMED = { ...QUESTION, stream: true };
const event = (json: unknown): string => `data: ${JSON.stringify(json)}\n\n`;
const delta = (content: string): string => event({ choices: [{ index: 0, delta: { content }, finish_reason: null }] });
const END = `${event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}data: [DONE]\n\n`;

function openStream(response: ServerResponse): ServerResponse {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.flushHeaders();
  return response;
}

it('passes any bytes on as they are, however they are cut', async () => {
  let parts: readonly Uint8Array[] = [];
  const upstream = await provider((_request, response) => {
    openStream(response);
    for (const part of parts) response.write(part);
    response.end();
  });
  const open = await gateway(planFor(upstream.baseUrl));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.uint8Array({ minLength: 1, maxLength: 400 }), { maxLength: 12 }), async (sent) => {
      parts = sent;
      const told = open.exchanges.length;
      const answer = await open.ask(STREAMED);
      const all = Buffer.concat(sent);
      expect(answer.complete).toBe(true);
      expect(answer.body.equals(all)).toBe(true);
      const { body } = (await open.told(told + 1))[told]!.exchange.response!;
      expect('text' in body ? Buffer.from(body.text) : Buffer.from(body.base64, 'base64')).toEqual(all);
    }),
    { numRuns: 60 },
  );
});

it('passes each part on before the next one is there', async () => {
  const events = [delta('one'), delta('two'), END];
  const waiting: (() => void)[] = [];
  const upstream = await provider((_request, response) => {
    openStream(response);
    const next = (): void => {
      const [text] = events.splice(0, 1);
      if (text === undefined) response.end();
      else response.write(text);
    };
    waiting.push(next);
    next();
  });
  const open = await gateway(planFor(upstream.baseUrl));
  // The provider goes on only when the engine has seen what it said.
  const answer = await open.ask(STREAMED, { onChunk: () => waiting[0]!() });
  expect(answer.body.toString()).toBe(delta('one') + delta('two') + END);
  const [told] = await open.told(1);
  expect(told!.text).toBe('onetwo');
  expect(told!.exchange).toMatchObject({ ended: 'complete', streamed: true, shape: 'content', usage: null });
});

it('shows a provider that breaks off as broken off', async () => {
  const upstream = await provider((_request, response) => {
    openStream(response).write(delta('half'), () => response.destroy());
  });
  const open = await gateway(planFor(upstream.baseUrl));
  const answer = await open.ask(STREAMED);
  expect(answer).toMatchObject({ status: 200, complete: false });
  expect(answer.body.toString()).toBe(delta('half'));
  const [told] = await open.told(1);
  expect(told!.exchange).toMatchObject({ ended: 'cut', status: 200, detail: 'the provider broke off its answer' });
});

it('tells a stream that ends too early from one that is over', async () => {
  const upstream = await provider((_request, response) => void openStream(response).end(delta('half')));
  const open = await gateway(planFor(upstream.baseUrl));
  await open.ask(STREAMED);
  expect((await open.told(1))[0]!.exchange).toMatchObject({ ended: 'cut', shape: 'content' });
});

it('leaves the provider when the engine leaves', async () => {
  const upstream = await provider((_request, response) => void openStream(response).write(delta('for ever')));
  const open = await gateway(planFor(upstream.baseUrl));
  const left = await open.ask(STREAMED, { onChunk: (_chunk, leave) => leave() });
  expect(left.complete).toBe(false);
  await until(() => upstream.sockets.size === 0);
  expect((await open.told(1))[0]!.exchange).toMatchObject({ ended: 'client_left', status: 200 });
});

it('calls an answer complete when the engine hangs up after its end mark', async () => {
  const upstream = await provider((_request, response) => void openStream(response).write(delta('all') + END));
  const open = await gateway(planFor(upstream.baseUrl));
  await open.ask(STREAMED, { onChunk: (_chunk, leave) => leave() });
  expect((await open.told(1))[0]!.exchange).toMatchObject({ ended: 'complete' });
});

it('holds the provider back while the engine does not read', async () => {
  const [part, parts] = [Buffer.alloc(1 << 20, 'x'), 48];
  let sent = 0;
  const upstream = await provider((_request, response) => {
    openStream(response);
    const more = (): void => {
      sent += 1;
      if (sent > parts) response.end();
      else response.write(part, more);
    };
    more();
  });
  const open = await gateway(planFor(upstream.baseUrl));
  const body = JSON.stringify(STREAMED);
  const socket = connect(open.port, '127.0.0.1').pause();
  socket.write(
    `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: Bearer ${THROW_AWAY}\r\n` +
      `content-length: ${body.length}\r\n\r\n${body}`,
  );
  // What the sockets' buffers take is sent, and then nothing more.
  let last = -1;
  await until(() => {
    const still = sent > 0 && sent === last;
    last = sent;
    return still;
  }, 500);
  expect(sent).toBeLessThan(parts);
  socket.resume();
  await new Promise((resolve) => socket.on('close', resolve));
  expect((await open.told(1))[0]!.exchange.response!.body).toEqual({ text: 'x'.repeat(parts << 20) });
});

it('ends with a silent provider, before and within an answer', async () => {
  const upstream = await provider((_request, response, body) => {
    if (body.includes('begin')) openStream(response).write(delta('half'));
  });
  const open = await gateway(planFor(upstream.baseUrl, { requestTimeoutMs: 100 }));
  const nothing = await open.ask(QUESTION);
  expect(nothing.status).toBe(504);
  expect(JSON.parse(nothing.body.toString()).error.message).toBe('the provider was silent for 100 ms');
  const half = await open.ask({ ...STREAMED, metadata: 'begin' });
  expect(half.complete).toBe(false);
  const told = await open.told(2);
  expect(told.map(({ exchange }) => [exchange.ended, exchange.status, exchange.answered_by])).toEqual([
    ['timeout', 504, 'gateway'],
    ['timeout', 200, 'upstream'],
  ]);
});

it('keeps a hundred conversations at once apart', async () => {
  const upstream = await provider((_request, response, body) => {
    const { n } = JSON.parse(body) as { n: number };
    // The later ones are answered first.
    setTimeout(() => sendAnswer(response, chatAnswer(`answer ${n}`)), 100 - n);
  });
  const open = await gateway(planFor(upstream.baseUrl));
  const asked = Array.from({ length: 100 }, (_, n) => n);
  const answers = await Promise.all(asked.map((n) => open.ask({ ...QUESTION, n })));
  expect(answers.map(({ body }) => body.toString())).toEqual(asked.map((n) => chatAnswer(`answer ${n}`)));
  const told = await open.told(100);
  expect(new Set(told.map(({ exchange }) => exchange.seq)).size).toBe(100);
  for (const { exchange, text } of told) {
    const { n } = JSON.parse('text' in exchange.request ? exchange.request.text : '') as { n: number };
    expect(text).toBe(`answer ${n}`);
  }
});

it('uses connections to the provider again', async () => {
  const upstream = await provider((_request, response) => sendAnswer(response, chatAnswer('hi')));
  const open = await gateway(planFor(upstream.baseUrl));
  for (let n = 0; n < 5; n += 1) expect((await open.ask(QUESTION)).status).toBe(200);
  expect(upstream.sockets.size).toBe(1);
});

it('asks again when a kept connection turns out to be closed', async () => {
  const upstream = await provider((request, response) => {
    const first = !used.has(request.socket);
    used.add(request.socket);
    if (first) sendAnswer(response, chatAnswer('hi'));
    else request.socket.resetAndDestroy();
  });
  const used = new Set<unknown>();
  const open = await gateway(planFor(upstream.baseUrl));
  for (let n = 0; n < 2; n += 1) expect((await open.ask(QUESTION)).status).toBe(200);
  expect(used.size).toBe(2);
});

it('shows that a stream begins before its first event', async () => {
  let begin = (): void => {};
  const upstream = await provider((_request, response) => {
    openStream(response);
    begin = () => void response.end(END);
  });
  const open = await gateway(planFor(upstream.baseUrl));
  // The provider says something only when the engine has seen the head.
  const answer = await open.ask(STREAMED, { onHead: () => begin() });
  expect(answer.body.toString()).toBe(END);
});
