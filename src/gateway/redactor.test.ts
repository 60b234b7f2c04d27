import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Redactor } from './redactor.ts';
import { gateway, KEY_CANARY, planFor, provider, QUESTION, sendAnswer, chatAnswer } from './provider.fixture.ts';

const STARS = '*'.repeat(KEY_CANARY.length);

describe('a provider that echoes the key', () => {
  it('in its answer does not leak it to the engine, the report or the recording', async () => {
    const upstream = await provider((request, response) =>
      sendAnswer(response, chatAnswer(`you sent ${request.headers.authorization ?? ''}, or ${btoa(KEY_CANARY)}`)),
    );
    const open = await gateway(planFor(upstream.baseUrl));
    const answer = await open.ask(QUESTION);
    expect(answer.complete).toBe(true);
    expect(JSON.parse(answer.body.toString()).choices[0].message.content).toMatch(`you sent Bearer ${STARS}, or `);
    const seen = `${answer.body.toString()}${JSON.stringify(await open.reported(1))}`;
    expect(seen).not.toContain(KEY_CANARY);
    expect(seen).not.toContain(btoa(KEY_CANARY).slice(0, 20));
  });

  it('across chunks, in headers or in an error does not leak it', async () => {
    const upstream = await provider((_request, response) => {
      response.writeHead(429, {
        'x-request-id': KEY_CANARY,
        'retry-after': '1',
        'x-echo': KEY_CANARY,
        'set-cookie': 'a=b',
      });
      const [head, tail] = [KEY_CANARY.slice(0, 9), KEY_CANARY.slice(9)];
      response.write(`{"error":{"message":"${head}`, () => setImmediate(() => response.end(`${tail}"}}`)));
    });
    const open = await gateway(planFor(upstream.baseUrl));
    const answer = await open.ask(QUESTION);
    expect(answer.status).toBe(429);
    expect(answer.headers).toMatchObject({ 'x-request-id': STARS, 'retry-after': '1' });
    expect(Object.keys(answer.headers)).not.toEqual(expect.arrayContaining(['x-echo']));
    expect(answer.headers['set-cookie']).toBeUndefined();
    expect(answer.body.toString()).toBe(`{"error":{"message":"${STARS}"}}`);
    expect(JSON.stringify(await open.reported(1))).not.toContain(KEY_CANARY);
  });
});

it('redacts the endpoint in recordings but not in answers to the engine', async () => {
  const upstream = await provider((_request, response) =>
    sendAnswer(response, chatAnswer(`listening on ${upstream.baseUrl} (${upstream.host})`)),
  );
  const open = await gateway(planFor(upstream.baseUrl));
  const answer = await open.ask({ ...QUESTION, note: upstream.host });
  expect(answer.body.toString()).toContain(upstream.host);
  expect(JSON.stringify(await open.reported(1))).not.toContain(upstream.host);
  await open.ask({ ...QUESTION, model: `at ${upstream.host} with ${KEY_CANARY}` });
  expect(JSON.stringify(open.reports)).not.toContain(upstream.host);
  expect(JSON.stringify(open.reports)).not.toContain(KEY_CANARY);
});

it('does not redact keys that are ordinary words', () => {
  expect(new Redactor({ key: 'EMPTY' }).text('an EMPTY answer')).toBe('an EMPTY answer');
});

it('replaces each secret byte by one star, however the stream is chunked', () => {
  const redactor = new Redactor({ key: KEY_CANARY });
  const part = fc.oneof(fc.string(), fc.constant(KEY_CANARY), fc.constant(KEY_CANARY.slice(0, 7)));
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), fc.array(fc.nat(40), { maxLength: 12 }), (parts, cuts) => {
      const bytes = Buffer.from(parts.join(''));
      const stream = redactor.stream();
      const out: Buffer[] = [];
      let at = 0;
      for (const cut of cuts) {
        out.push(stream.push(bytes.subarray(at, at + cut)));
        at += cut;
      }
      out.push(stream.push(bytes.subarray(at)), stream.end());
      expect(Buffer.concat(out).toString()).toBe(bytes.toString().replaceAll(KEY_CANARY, STARS));
    }),
  );
});
