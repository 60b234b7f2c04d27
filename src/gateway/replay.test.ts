import { expect, it } from 'vitest';
import { exchange as exchangeSchema, type Exchange } from '../evidence/schema/exchange.ts';
import { startScriptedModel } from './scripted/server.ts';
import type { ModelScript } from './scripted/schema.ts';
import { type Answered, gateway, planFor, QUESTION } from './provider.fixture.ts';

const STREAMED = { ...QUESTION, stream: true };

async function recorded(script: ModelScript, questions: readonly object[]) {
  const model = await startScriptedModel(script);
  const open = await gateway(planFor(model.url));
  await open.server.probe('nonce');
  const answers: Answered[] = [];
  for (const question of questions) answers.push(await open.ask(question));
  const reported = await open.reported(questions.length + 1);
  await model.close();
  // Round trip through JSON, as a recording on disk.
  const replay = reported.map(({ exchange }) => exchangeSchema.parse(JSON.parse(JSON.stringify(exchange))));
  return { answers, replay };
}

const SCRIPT: ModelScript = {
  turns: [{ text: 'one', times: 2 }, { text: 'two', fault: 'cut_stream', times: 1 }, { text: 'three' }],
};

it('repeats the recorded answers without a provider or a key', async () => {
  const first = await recorded(SCRIPT, [QUESTION, STREAMED, STREAMED]);
  const again = await gateway(planFor(null, { replay: first.replay }));
  expect(await again.server.probe('another nonce')).toMatchObject({ kind: 'content' });
  for (const [index, { status, body, complete }] of first.answers.entries()) {
    const question = { ...(index === 0 ? QUESTION : STREAMED), messages: [{ role: 'user', content: `at ${index}` }] };
    const answer = await again.ask(question);
    expect(answer).toMatchObject({ status, complete });
    expect(answer.body.toString()).toBe(body.toString());
  }
  expect(again.exchanges.map(({ exchange }) => exchange.answered_by)).toEqual(['replay', 'replay', 'replay', 'replay']);
  const what = ({ shape, ended, usage }: Exchange) => ({ shape, ended, usage });
  expect(again.exchanges.map(({ exchange }) => what(exchange))).toEqual(first.replay.map(what));
});

it('refuses requests after the last recorded answer', async () => {
  const { replay } = await recorded(SCRIPT, [QUESTION]);
  const again = await gateway(planFor(null, { replay }));
  expect((await again.ask(QUESTION)).status).toBe(200);
  expect((await again.ask(QUESTION)).status).toBe(409);
  expect(again.refusals).toEqual(['replay exhausted: there were 1 requests']);
});

it.each([
  ['another kind of answer', STREAMED, {}],
  ['another path', QUESTION, { path: '/chat/completions' }],
])('refuses a request that differs from the recorded one: %s', async (_what, question, options) => {
  const { replay } = await recorded(SCRIPT, [QUESTION]);
  const again = await gateway(planFor(null, { replay }));
  expect((await again.ask(question, options)).status).toBe(409);
  expect(again.refusals).toEqual(['replay does not fit: request 1 asked for scripted at /v1/chat/completions']);
});

it('gives each prompt its own answer, in whatever order they come', async () => {
  const asking = (content: string) => ({ ...QUESTION, messages: [{ role: 'user', content }] });
  const script: ModelScript = {
    turns: [{ when: 'title', text: 'A title' }, { when: 'fix', text: 'Fixed' }, { text: 'other' }],
  };
  const { replay } = await recorded(script, [asking('a title at 10:15'), asking('fix it 1'), asking('fix it 2')]);
  const again = await gateway(planFor(null, { replay }));
  const answer = async (content: string) => (await again.ask(asking(content))).body.toString();
  expect(await answer('fix it 7')).toContain('Fixed');
  expect(await answer('a title at 22:40')).toContain('A title');
  expect(await answer('something new')).toContain('Fixed');
  expect((await again.ask(asking('one more'))).status).toBe(409);
});

it('still refuses another model', async () => {
  const { replay } = await recorded(SCRIPT, [QUESTION]);
  const again = await gateway(planFor(null, { replay }));
  expect((await again.ask({ ...QUESTION, model: 'gpt-9' })).status).toBe(403);
});
