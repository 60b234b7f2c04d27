import { describe, expect, it } from 'vitest';
import { wire as wires } from '../evidence/schema/exchange.ts';
import { chatAnswer, gateway, planFor, provider, QUESTION, sendAnswer } from './provider.fixture.ts';
import { FAULTS } from './types.ts';

const PATHS = {
  'openai-chat': '/v1/chat/completions',
  'openai-responses': '/v1/responses',
  'anthropic-messages': '/v1/messages',
  gemini: '/v1beta/models/scripted:generateContent',
} as const;
const SEEN = {
  hang: { status: 504, ended: 'timeout', shape: null },
  slow: { status: 200, ended: 'complete', shape: 'content' },
  http_500: { status: 500, ended: 'upstream_error', shape: null },
  invalid_json: { status: 200, ended: 'malformed', shape: 'malformed' },
  invalid_sse: { status: 200, ended: 'malformed', shape: 'malformed' },
  reasoning_only: { status: 200, ended: 'complete', shape: 'reasoning_only' },
  no_content: { status: 200, ended: 'complete', shape: 'empty' },
  cut_stream: { status: 200, ended: 'cut' },
} as const satisfies Record<(typeof FAULTS)[number], object>;

describe.each(wires.options)('on %s', (wire) => {
  it.each(FAULTS)('%s is recorded with the matching end and shape', async (kind) => {
    const open = await gateway(planFor(null, { wire, fault: { kind, from: 1 }, requestTimeoutMs: 50 }));
    const streamed = PATHS[wire].replace('generateContent', 'streamGenerateContent');
    const answers = await Promise.all([
      open.ask(QUESTION, { path: PATHS[wire] }),
      open.ask({ ...QUESTION, stream: true }, { path: streamed }),
    ]);
    for (const answer of answers) expect(answer.complete).toBe(kind !== 'cut_stream');
    const reported = await open.reported(2);
    for (const { exchange } of reported) expect(exchange).toMatchObject(SEEN[kind]);
  });
});

it('injects faults from the given request on', async () => {
  const upstream = await provider((_request, response) => sendAnswer(response, chatAnswer('hi')));
  const open = await gateway(planFor(upstream.baseUrl, { fault: { kind: 'http_500', from: 3 } }));
  expect((await open.server.probe('nonce')).kind).toBe('content');
  const statuses: (number | null)[] = [];
  for (let asked = 0; asked < 4; asked += 1) statuses.push((await open.ask(QUESTION)).status);
  expect(statuses).toEqual([200, 200, 500, 500]);
  expect(upstream.received).toHaveLength(3);
});
