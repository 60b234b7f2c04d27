import { expect, it } from 'vitest';
import { planFault } from './plan-fault.ts';
import { chatAnswer, gateway, planFor, provider, QUESTION, sendAnswer } from './provider.fixture.ts';
import type { Budgets, Prices } from './types.ts';

const PRICES: Prices = { input_per_mtok: 1_000_000, output_per_mtok: 1_000_000 };
const SILENT_ON_USAGE = JSON.stringify({ choices: [{ message: { content: 'x'.repeat(300) } }] });

/** Every answer reports a usage of 15 tokens. */
async function askedTwentyTimes(budgets: Budgets, prices: Prices | null = null, answer = chatAnswer('hi')) {
  const upstream = await provider((_request, response) => sendAnswer(response, answer));
  const open = await gateway(planFor(upstream.baseUrl, { budgets, prices }));
  const statuses: (number | null)[] = [];
  for (let asked = 0; asked < 20; asked += 1) statuses.push((await open.ask(QUESTION)).status);
  const answered = statuses.filter((status) => status === 200).length;
  expect(statuses).toEqual(statuses.map((_, index) => (index < answered ? 200 : 429)));
  expect(upstream.received).toHaveLength(answered);
  return { answered, refusals: [...new Set(open.refusals)] };
}

it.each([
  [{ max_requests: 3 }, 3, 'max_requests'],
  [{ max_tokens: 45 }, 3, 'max_tokens'],
  [{ max_tokens: 46 }, 4, 'max_tokens'],
  [{ max_tokens: 1000, max_requests: 2 }, 2, 'max_requests'],
  [{ max_cost_usd: 30 }, 2, 'max_cost_usd'],
])('%j lets %i requests through', async (budgets, answered, name) => {
  expect(await askedTwentyTimes(budgets, PRICES)).toEqual({ answered, refusals: [`over budget: ${name}`] });
});

it('allows any number of requests without a budget', async () => {
  expect(await askedTwentyTimes({})).toEqual({ answered: 20, refusals: [] });
});

it('enforces budgets when answers report no usage', async () => {
  const { answered, refusals } = await askedTwentyTimes({ max_tokens: 300 }, null, SILENT_ON_USAGE);
  expect(answered).toBeGreaterThan(0);
  expect(answered).toBeLessThan(5);
  expect(refusals).toEqual(['over budget: max_tokens']);
  const cost = await askedTwentyTimes({ max_cost_usd: 300 }, PRICES, SILENT_ON_USAGE);
  expect(cost).toEqual({ answered, refusals: ['over budget: max_cost_usd'] });
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

it('rejects a cost budget without prices', () => {
  expect(planFault(planFor(null, { budgets: { max_cost_usd: 1 } }))).toMatch(/without prices/);
  expect(planFault(planFor(null, { budgets: { max_cost_usd: 1 }, prices: PRICES }))).toBeNull();
});
