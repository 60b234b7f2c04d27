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

it('forwards any bytes unchanged, however they are chunked', async () => {
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
      const reported = open.exchanges.length;
      const answer = await open.ask(STREAMED);
      const all = Buffer.concat(sent);
      expect(answer.complete).toBe(true);
      expect(answer.body.equals(all)).toBe(true);
      const { body } = (await open.reported(reported + 1))[reported]!.exchange.response!;
      expect('text' in body ? Buffer.from(body.text) : Buffer.from(body.base64, 'base64')).toEqual(all);
    }),
    { numRuns: 60 },
  );
});

it('forwards each chunk before the next one arrives', async () => {
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
  // The provider continues only after the engine has received the first chunk.
  const answer = await open.ask(STREAMED, { onChunk: () => waiting[0]!() });
  expect(answer.body.toString()).toBe(delta('one') + delta('two') + END);
  const [reported] = await open.reported(1);
  expect(reported!.text).toBe('onetwo');
  expect(reported!.exchange).toMatchObject({ ended: 'complete', streamed: true, shape: 'content', usage: null });
});

it('aborts the answer when the provider aborts it', async () => {
  const upstream = await provider((_request, response) => {
    openStream(response).write(delta('half'), () => response.destroy());
  });
  const open = await gateway(planFor(upstream.baseUrl));
  const answer = await open.ask(STREAMED);
  expect(answer).toMatchObject({ status: 200, complete: false });
  expect(answer.body.toString()).toBe(delta('half'));
  const [reported] = await open.reported(1);
  expect(reported!.exchange).toMatchObject({ ended: 'cut', status: 200, detail: 'the provider broke off its answer' });
});

it('records a stream without an end mark as cut', async () => {
  const upstream = await provider((_request, response) => void openStream(response).end(delta('half')));
  const open = await gateway(planFor(upstream.baseUrl));
  await open.ask(STREAMED);
  expect((await open.reported(1))[0]!.exchange).toMatchObject({ ended: 'cut', shape: 'content' });
});

it('disconnects from the provider when the engine disconnects', async () => {
  const upstream = await provider((_request, response) => void openStream(response).write(delta('for ever')));
  const open = await gateway(planFor(upstream.baseUrl));
  const left = await open.ask(STREAMED, { onChunk: (_chunk, leave) => leave() });
  expect(left.complete).toBe(false);
  await until(() => upstream.sockets.size === 0);
  expect((await open.reported(1))[0]!.exchange).toMatchObject({ ended: 'client_left', status: 200 });
});

it('records an answer as complete when the engine disconnects after the end mark', async () => {
  const upstream = await provider((_request, response) => void openStream(response).write(delta('all') + END));
  const open = await gateway(planFor(upstream.baseUrl));
  await open.ask(STREAMED, { onChunk: (_chunk, leave) => leave() });
  expect((await open.reported(1))[0]!.exchange).toMatchObject({ ended: 'complete' });
});

it('pauses the provider while the engine does not read', async () => {
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
  // Sending stops once the socket buffers are full.
  let last = -1;
  await until(() => {
    const still = sent > 0 && sent === last;
    last = sent;
    return still;
  }, 500);
  expect(sent).toBeLessThan(parts);
  socket.resume();
  await new Promise((resolve) => socket.on('close', resolve));
  expect((await open.reported(1))[0]!.exchange.response!.body).toEqual({ text: 'x'.repeat(parts << 20) });
});

it('cuts an answer that exceeds the memory limit beside the others, records all that was sent, and goes on', async () => {
  const [part, parts] = [Buffer.alloc(1 << 16, 'x'), 60];
  let sending = true;
  const upstream = await provider((_request, response) => {
    if (!sending) return sendAnswer(response, chatAnswer('hi'));
    openStream(response);
    // These answers never end, so that their memory stays in use.
    let sent = 0;
    const more = (): void => {
      sent += 1;
      if (sent <= parts) response.write(part, more);
    };
    more();
  });
  const open = await gateway(planFor(upstream.baseUrl), 16 << 20);
  const controller = new AbortController();
  const asked = Array.from({ length: 5 }, () => open.ask(STREAMED, { signal: controller.signal }).catch(() => null));
  const cut = await Promise.race(asked);
  expect(cut).toMatchObject({ status: 200, complete: false });
  const [reported] = await open.reported(1);
  expect(reported!.exchange).toMatchObject({
    ended: 'cut',
    detail: 'the answers under way hold more than 16777216 bytes together',
  });
  const { body } = reported!.exchange.response!;
  expect('text' in body ? body.text.startsWith(cut!.body.toString()) : false).toBe(true);
  sending = false;
  controller.abort();
  await Promise.all(asked);
  await open.reported(5);
  expect((await open.ask(QUESTION)).status).toBe(200);
});

it('times out on a silent provider, before and during an answer', async () => {
  const upstream = await provider((_request, response, body) => {
    if (body.includes('begin')) openStream(response).write(delta('half'));
  });
  const open = await gateway(planFor(upstream.baseUrl, { requestTimeoutMs: 100 }));
  const nothing = await open.ask(QUESTION);
  expect(nothing.status).toBe(504);
  expect(JSON.parse(nothing.body.toString()).error.message).toBe('the provider was silent for 100 ms');
  const half = await open.ask({ ...STREAMED, user: 'begin' });
  expect(half.complete).toBe(false);
  const reported = await open.reported(2);
  expect(reported.map(({ exchange }) => [exchange.ended, exchange.status, exchange.answered_by])).toEqual([
    ['timeout', 504, 'gateway'],
    ['timeout', 200, 'upstream'],
  ]);
});

it('keeps a hundred concurrent conversations apart', async () => {
  const upstream = await provider((_request, response, body) => {
    const { seed: n } = JSON.parse(body) as { seed: number };
    // Later requests are answered first.
    setTimeout(() => sendAnswer(response, chatAnswer(`answer ${n}`)), 100 - n);
  });
  const open = await gateway(planFor(upstream.baseUrl));
  const asked = Array.from({ length: 100 }, (_, n) => n);
  const answers = await Promise.all(asked.map((n) => open.ask({ ...QUESTION, seed: n })));
  expect(answers.map(({ body }) => body.toString())).toEqual(asked.map((n) => chatAnswer(`answer ${n}`)));
  const reported = await open.reported(100);
  expect(new Set(reported.map(({ exchange }) => exchange.seq)).size).toBe(100);
  for (const { exchange, text } of reported) {
    const { seed: n } = JSON.parse('text' in exchange.request ? exchange.request.text : '') as { seed: number };
    expect(text).toBe(`answer ${n}`);
  }
});

it('reuses connections to the provider', async () => {
  const upstream = await provider((_request, response) => sendAnswer(response, chatAnswer('hi')));
  const open = await gateway(planFor(upstream.baseUrl));
  for (let n = 0; n < 5; n += 1) expect((await open.ask(QUESTION)).status).toBe(200);
  expect(upstream.sockets.size).toBe(1);
});

it('retries when a keep-alive connection turns out to be closed', async () => {
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

it("forwards a stream's head before its first event", async () => {
  let begin = (): void => {};
  const upstream = await provider((_request, response) => {
    openStream(response);
    begin = () => void response.end(END);
  });
  const open = await gateway(planFor(upstream.baseUrl));
  // The provider sends its first event only after the engine has received the head.
  const answer = await open.ask(STREAMED, { onHead: () => begin() });
  expect(answer.body.toString()).toBe(END);
});
