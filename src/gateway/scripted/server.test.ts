import { afterEach, describe, expect, it } from 'vitest';
import { readAnswer } from '../exchange/answer.ts';
import { WIRES } from '../wires/list.ts';
import { modelScript, type Turn } from './schema.ts';
import { type ScriptedModel, startScriptedModel } from './server.ts';

let model: ScriptedModel;
afterEach(() => model.close());

async function play(turns: Turn[]): Promise<void> {
  model = await startScriptedModel(modelScript.parse({ turns }));
}

const post = (path: string, body: object): Promise<Response> =>
  fetch(`${model.url}${path}`, { method: 'POST', body: JSON.stringify({ model: 'scripted', ...body }) });

const chat = (messages: object[], rest: object = {}): Promise<Response> =>
  post('/chat/completions', { messages, ...rest });

async function words(answer: Promise<Response>): Promise<string> {
  return readAnswer(WIRES['openai-chat'], false, await (await answer).text()).text;
}

const user = (content: string): object => ({ role: 'user', content });
const answered = { role: 'assistant', content: 'before' };

describe.each([
  ['openai-chat', '/chat/completions', { messages: [user('hello')] }],
  ['openai-responses', '/responses', { input: 'hello' }],
  ['anthropic-messages', '/messages', { messages: [user('hello')], max_tokens: 1000 }],
  ['gemini', '/models/scripted', { contents: [{ role: 'user', parts: [{ text: 'hello' }] }] }],
] as const)('over %s', (wire, where, question) => {
  const pathOf = (stream: boolean): string =>
    wire === 'gemini' ? `${where}:${stream ? 'streamGenerateContent' : 'generateContent'}` : where;
  const usage = { input_tokens: 70, output_tokens: 7 };
  const long = 'an answer that is longer than one piece of a stream';

  it.each([true, false])('returns text with usage (streamed: %s)', async (stream) => {
    await play([{ reasoning: 'thinking', text: long, usage }]);
    const path = pathOf(stream);
    const response = await post(path, { ...question, stream });
    const answer = readAnswer(WIRES[wire], stream, await response.text());
    expect(answer).toEqual({
      shape: 'content',
      text: long,
      usage,
      finished: true,
      failed: false,
      error: {},
      refused: false,
      model: 'scripted',
    });
    expect(model.requests).toMatchObject([{ wire, path: `/v1${path}`, body: question }]);
  });

  it.each([true, false])('calls tools (streamed: %s)', async (stream) => {
    await play([{ tool_calls: [{ name: 'bash', arguments: { command: 'ls "a b"' } }] }]);
    const body = await (await post(pathOf(stream), { ...question, stream })).text();
    expect(readAnswer(WIRES[wire], stream, body).shape).toBe('tool_calls');
    expect(body).toContain('"bash"');
    expect(body.replaceAll('\\', '')).toContain('ls "a b"');
  });

  it.each([true, false])('returns only reasoning, or nothing (streamed: %s)', async (stream) => {
    await play([{ reasoning: 'hm', times: 1 }, {}]);
    const read = async () =>
      readAnswer(WIRES[wire], stream, await (await post(pathOf(stream), { ...question, stream })).text());
    expect((await read()).shape).toBe('reasoning_only');
    expect((await read()).shape).toBe('empty');
  });
});

describe('the chosen turn', () => {
  it('is the next one of the conversation, and the last one repeats', async () => {
    await play([{ text: 'one' }, { text: 'two' }]);
    expect(await words(chat([user('hi')]))).toBe('one');
    expect(await words(chat([user('hi')]))).toBe('one');
    expect(await words(chat([user('hi'), answered, user('and?')]))).toBe('two');
    expect(await words(chat([user('hi'), answered, user('and?'), answered, user('and?')]))).toBe('two');
  });

  it('is the one whose `when` text occurs anywhere in the conversation', async () => {
    await play([{ text: 'anyone' }, { when: '# Verifier', text: 'verified' }]);
    expect(await words(chat([{ role: 'system', content: '# Verifier of things' }, user('hi')]))).toBe('verified');
    expect(await words(chat([user('hi')]))).toBe('anyone');
  });

  it('changes after `times` uses', async () => {
    await play([{ fault: { http_status: 503 }, times: 2 }, { text: 'fine' }]);
    expect((await chat([user('hi')])).status).toBe(503);
    expect((await chat([user('hi')])).status).toBe(503);
    expect(await words(chat([user('hi')]))).toBe('fine');
  });

  it('must exist in the script', async () => {
    await play([{ when: 'never user', text: 'x' }]);
    const response = await chat([user('hi')]);
    expect([response.status, await response.text()]).toEqual([500, expect.stringContaining('the script has no turn')]);
  });
});

it('repeats the commit id from a tool result', async () => {
  await play([{ text: 'done: {{commit}}' }]);
  const [older, newer] = ['a'.repeat(40), 'b'.repeat(40)];
  const messages = [user(`base ${older}`), answered, { role: 'tool', tool_call_id: '1', content: `${newer}\n` }];
  expect(await words(chat(messages))).toBe(`done: ${newer}`);
});

it('answers only if the request allows enough tokens', async () => {
  await play([{ reasoning: 'let me think', text: 'ready', content_from_tokens: 256 }]);
  expect(await words(chat([user('hi')], { max_tokens: 32 }))).toBe('');
  expect(await words(chat([user('hi')], { max_completion_tokens: 1024 }))).toBe('ready');
});

describe('faults', () => {
  it('break the connection in the middle of an answer', async () => {
    await play([{ text: 'a long answer that will not arrive', fault: 'cut_stream' }]);
    const response = await chat([user('hi')], { stream: true });
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow('terminated');
  });

  it.each([
    ['invalid_json', false],
    ['invalid_sse', true],
  ] as const)('send what cannot be read: %s', async (fault, stream) => {
    await play([{ fault }]);
    const body = await (await chat([user('hi')], { stream })).text();
    expect(readAnswer(WIRES['openai-chat'], stream, body).shape).toBe('malformed');
  });

  it('hang until the model is closed', async () => {
    await play([{ fault: 'hang' }]);
    const pending = chat([user('hi')]).catch((error: unknown) => error);
    await expect.poll(() => model.requests.length).toBe(1);
    await model.close();
    expect(await pending).toBeInstanceOf(Error);
  });
});

it('returns errors for unknown paths', async () => {
  await play([{ text: 'x' }]);
  expect((await post('/embeddings', {})).status).toBe(404);
  expect((await fetch(`${model.url}/chat/completions`, { method: 'POST', body: 'no' })).status).toBe(400);
});
