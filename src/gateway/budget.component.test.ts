import { afterEach, describe, expect, it } from 'vitest';
import type { Wire } from '../evidence/schema/exchange.ts';
import { planFault } from './plan-fault.ts';
import {
  type AskOptions,
  chatAnswer,
  gateway,
  planFor,
  provider,
  QUESTION,
  sendAnswer,
  type TestGateway,
} from './provider.fixture.ts';
import type { Turn } from './scripted/schema.ts';
import { type ScriptedModel, startScriptedModel } from './scripted/server.ts';
import type { Budgets, Prices } from './types.ts';

const PRICES: Prices = { input_per_mtok: 1_000_000, output_per_mtok: 1_000_000 };
const SILENT_ON_USAGE = JSON.stringify({ choices: [{ message: { content: 'x'.repeat(300) } }] });

/** The request is estimated at 23 tokens. Every answer reports a usage of 15. */
async function askedTwentyTimes(budgets: Budgets, prices: Prices | null = null, answer = chatAnswer('hi')) {
  const upstream = await provider((_request, response) => sendAnswer(response, answer));
  const open = await gateway(planFor(upstream.baseUrl, { budgets, prices }));
  const statuses: (number | null)[] = [];
  for (let asked = 0; asked < 20; asked += 1) {
    statuses.push((await open.ask(QUESTION)).status);
    if (statuses.at(-1) === 200) await open.reported(statuses.length);
  }
  const answered = statuses.filter((status) => status === 200).length;
  expect(statuses).toEqual(statuses.map((_, index) => (index < answered ? 200 : 429)));
  const limits = upstream.received.map(({ body }) => JSON.parse(body).max_completion_tokens);
  expect(limits).toHaveLength(answered);
  return { answered, limits, refusals: [...new Set(open.refusals)] };
}

it.each([
  [{ max_requests: 3 }, 3, 'max_requests'],
  [{ max_tokens: 100 }, 5, 'max_tokens'],
  [{ max_tokens: 1000, max_requests: 2 }, 2, 'max_requests'],
  [{ max_cost_usd: 100 }, 5, 'max_cost_usd'],
  [{ max_tokens: 30 }, 0, 'max_tokens'],
])('%j lets %i requests through', async (budgets, answered, name) => {
  expect(await askedTwentyTimes(budgets, PRICES)).toMatchObject({ answered, refusals: [`over budget: ${name}`] });
});

it('limits each answer to what is left', async () => {
  const { limits } = await askedTwentyTimes({ max_tokens: 100 });
  expect(limits).toEqual([77, 62, 47, 32, 17]);
});

it('adds no limit while plenty is left, because it could exceed what the model can do', async () => {
  const { limits } = await askedTwentyTimes({ max_tokens: 9000, max_requests: 1 });
  expect(limits).toEqual([undefined]);
});

it.each([
  [9000, 4000],
  [3000, 'below the limit'],
  [500, undefined],
])('with %i tokens left, the budget for thinking becomes %s', async (max_tokens, expected) => {
  const upstream = await provider((_request, response) => sendAnswer(response, '{}'));
  const open = await gateway(planFor(upstream.baseUrl, { wire: 'anthropic-messages', budgets: { max_tokens } }));
  const thinking = { type: 'enabled', budget_tokens: 4000 };
  await open.ask({ ...QUESTION, max_tokens: 5000, thinking }, { path: '/v1/messages' });
  const [sent] = upstream.received.map(({ body }) => JSON.parse(body));
  expect(sent.max_tokens).toBeLessThanOrEqual(max_tokens);
  expect(sent.thinking?.budget_tokens).toBe(expected === 'below the limit' ? sent.max_tokens - 1 : expected);
});

it('allows any number of requests without a budget', async () => {
  expect(await askedTwentyTimes({})).toMatchObject({ answered: 20, refusals: [] });
});

it('enforces budgets when answers report no usage', async () => {
  const { answered, refusals } = await askedTwentyTimes({ max_tokens: 600 }, null, SILENT_ON_USAGE);
  expect(answered).toBeGreaterThan(0);
  expect(answered).toBeLessThan(6);
  expect(refusals).toEqual(['over budget: max_tokens']);
  const cost = await askedTwentyTimes({ max_cost_usd: 600 }, PRICES, SILENT_ON_USAGE);
  expect(cost).toMatchObject({ answered, refusals: ['over budget: max_cost_usd'] });
});

it('counts requests in flight', async () => {
  const upstream = await provider((_request, response) => {
    if (upstream.received.length === 2) setImmediate(() => sendAnswer(response, chatAnswer('hi')));
    else sendAnswer(response, chatAnswer('hi'));
  });
  const open = await gateway(planFor(upstream.baseUrl, { budgets: { max_requests: 2 } }));
  const answers = await Promise.all([1, 2, 3, 4].map(() => open.ask(QUESTION)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
});

let model: ScriptedModel | null = null;
afterEach(() => model?.close());

const WIRE_REQUESTS: Readonly<Record<Wire, (limit: number) => [object, string]>> = {
  'openai-chat': (limit) => [{ ...QUESTION, stream: true, max_tokens: limit }, '/v1/chat/completions'],
  'openai-responses': (limit) => [
    { model: 'scripted', input: 'hello', stream: true, max_output_tokens: limit },
    '/v1/responses',
  ],
  'anthropic-messages': (limit) => [{ ...QUESTION, stream: true, max_tokens: limit }, '/v1/messages'],
  gemini: (limit) => [
    { contents: [{ role: 'user', parts: [{ text: 'hello' }] }], generationConfig: { maxOutputTokens: limit } },
    '/v1beta/models/scripted:streamGenerateContent?alt=sse',
  ],
};

type Json = ReturnType<typeof JSON.parse>;

interface Storm {
  readonly wire: Wire;
  readonly budgets: Budgets;
  readonly turn: Turn;
  readonly limit: number;
  readonly options?: AskOptions;
}

/** Twenty requests at once, against the scripted model. */
async function storm({ wire, budgets, turn, limit, options = {} }: Storm) {
  const scripted = await startScriptedModel({ turns: [turn] });
  model = scripted;
  const open: TestGateway = await gateway(planFor(scripted.url, { wire, budgets, prices: PRICES }));
  const [body, path] = WIRE_REQUESTS[wire](limit);
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => open.ask(body, { path, ...options }).catch(() => null)),
  );
  return { open, sent: scripted.requests.length, bodies: scripted.requests.map((request) => request.body), answers };
}

const WIRES: readonly Wire[] = ['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini'];

describe.each(WIRES)('twenty requests at once over %s', (wire) => {
  const turn: Turn = { text: 'hello', usage: { input_tokens: 30, output_tokens: 50 } };

  it.each<[Budgets]>([[{ max_tokens: 1000 }], [{ max_cost_usd: 1000 }]])('stay within %j', async (budgets) => {
    const { open, sent, answers } = await storm({ wire, budgets, turn, limit: 50 });
    // The next one is estimated at over 20 tokens, and 40 are left.
    expect(sent).toBe(12);
    expect(answers.filter((answer) => answer?.status === 200)).toHaveLength(12);
    expect(answers.filter((answer) => answer?.status === 429)).toHaveLength(8);
    expect(new Set(open.refusals)).toEqual(new Set([`over budget: ${Object.keys(budgets)[0]}`]));
  });

  it('are all answered if the budget suffices, even where it would not for all worst cases together', async () => {
    const { sent, answers } = await storm({ wire, budgets: { max_tokens: 2000 }, turn, limit: 100 });
    expect(sent).toBe(20);
    expect(answers.map((answer) => answer?.status)).toEqual(Array.from({ length: 20 }, () => 200));
  });

  it('cannot spend more by hanging up before the usage arrives', async () => {
    const { open, sent, bodies } = await storm({
      wire,
      budgets: { max_tokens: 1000 },
      turn: { text: 'x'.repeat(2000), pause_ms: 5, usage: { input_tokens: 20, output_tokens: 200 } },
      limit: 200,
      options: { onChunk: (_chunk, leave) => leave() },
    });
    const allowed = bodies.reduce((sum, { max_tokens, max_output_tokens, generationConfig }: Json) => {
      return sum + (max_tokens ?? max_output_tokens ?? generationConfig.maxOutputTokens);
    }, 0);
    expect(sent).toBeGreaterThan(0);
    expect(allowed + sent * 20).toBeLessThanOrEqual(1000);
    expect(open.refusals).toContain('over budget: max_tokens');
  });
});

it('forgets a request that left while it waited', async () => {
  const scripted = await startScriptedModel({ turns: [{ fault: 'hang', times: 1 }, { text: 'hi' }] });
  model = scripted;
  const open = await gateway(planFor(scripted.url, { budgets: { max_tokens: 100_000 } }));
  const first = new AbortController();
  const hanging = open.ask(QUESTION, { signal: first.signal }).catch(() => 'left');
  await expect.poll(() => scripted.requests.length).toBe(1);
  // An abort that comes before the gateway has read the request leaves no trace, so it is tried again.
  await expect
    .poll(async () => {
      await open.ask(QUESTION, { signal: AbortSignal.timeout(50) }).catch(() => {});
      return open.refusals[0];
    })
    .toBe('the engine disconnected while its request waited for a budget');
  const waiting = open.ask(QUESTION);
  first.abort();
  expect(await hanging).toBe('left');
  expect((await waiting).status).toBe(200);
  expect(scripted.requests).toHaveLength(2);
});

it('rejects a cost budget without prices', () => {
  expect(planFault(planFor(null, { budgets: { max_cost_usd: 1 } }))).toMatch(/without prices/);
  expect(planFault(planFor(null, { budgets: { max_cost_usd: 1 }, prices: PRICES }))).toBeNull();
});
