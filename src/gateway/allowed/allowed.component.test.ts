import { describe, expect, it } from 'vitest';
import type { Wire } from '../../evidence/schema/exchange.ts';
import { chatAnswer, gateway, planFor, provider, QUESTION, sendAnswer } from '../provider.fixture.ts';
import { AGENT_REQUESTS } from './agent-requests.fixture.ts';

const BASE: Readonly<Record<Wire, { readonly path: string; readonly body: object }>> = {
  'openai-chat': { path: '/v1/chat/completions', body: QUESTION },
  'openai-responses': { path: '/v1/responses', body: { model: 'scripted', input: 'hello' } },
  'anthropic-messages': { path: '/v1/messages', body: { ...QUESTION, max_tokens: 100 } },
  gemini: {
    path: '/v1beta/models/scripted:generateContent',
    body: { contents: [{ role: 'user', parts: [{ text: 'hello' }] }] },
  },
};

async function open(wire: Wire) {
  const upstream = await provider((_request, response) => sendAnswer(response, chatAnswer('hi')));
  return { upstream, asked: await gateway(planFor(upstream.baseUrl, { wire })) };
}

const said = (part: object) => ({ messages: [{ role: 'user', content: [part] }] });
const input = (...items: object[]) => ({ input: items });
const inputPart = (part: object) => input({ role: 'user', content: [part] });
const part = (given: object) => ({ contents: [{ role: 'user', parts: [given] }] });
const remote = 'https://example.com/a.png';

describe('refuses what reaches beyond the model', () => {
  it.each<[Wire, string, object]>([
    ['openai-chat', 'tool web_search', { tools: [{ type: 'web_search' }] }],
    ['openai-chat', 'tool mcp', { tools: [{ type: 'mcp', server_url: remote }] }],
    ['openai-chat', 'tool googleSearch', { tools: [{ googleSearch: {} }] }],
    ['openai-chat', 'tool a_tool_of_next_year', { tools: [{ type: 'a_tool_of_next_year' }] }],
    ['openai-chat', 'tool choice mcp', { tool_choice: { type: 'mcp', server_label: 'x' } }],
    ['openai-chat', 'models', { models: ['other'] }],
    ['openai-chat', 'Models', { Models: ['other'] }],
    ['openai-chat', 'provider', { provider: { order: ['other'] } }],
    ['openai-chat', 'plugins', { plugins: [{ id: 'web' }] }],
    ['openai-chat', 'extra_body', { extra_body: { models: ['other'] } }],
    ['openai-chat', 'web_search_options', { web_search_options: {} }],
    ['openai-chat', 'enable_search', { enable_search: true }],
    ['openai-chat', 'data_sources', { data_sources: [{ type: 'azure_search' }] }],
    [
      'openai-chat',
      'messages[].content[].image_url.url: an address, not inline data',
      said({ type: 'image_url', image_url: { url: remote } }),
    ],
    [
      'openai-chat',
      'messages[].content[].image_url.url: an address, not inline data',
      said({ type: 'image_url', image_url: { url: 'data:image/svg+xml;base64,PHN2Zz4=' } }),
    ],
    [
      'openai-chat',
      'messages[].content[].image_url.url: an address, not inline data',
      said({ type: 'image_url', image_url: { url: `data:image/png;base64,AAAA\n${remote}` } }),
    ],
    ['openai-chat', 'messages[].content[].file.file_id', said({ type: 'file', file: { file_id: 'file-1' } })],
    ['openai-chat', 'content audio_url', said({ type: 'audio_url', audio_url: { url: remote } })],
    ['openai-chat', 'messages[].audio', { messages: [{ role: 'assistant', audio: { id: 'audio_1' } }] }],
    [
      'openai-chat',
      'tools[].function.parameters: a reference out of the schema',
      { tools: [{ type: 'function', function: { name: 'x', parameters: { items: [{ $ref: remote }] } } }] },
    ],
    ['openai-responses', 'previous_response_id', { previous_response_id: 'resp_1' }],
    ['openai-responses', 'conversation', { conversation: 'conv_1' }],
    ['openai-responses', 'prompt', { prompt: { id: 'pmpt_1' } }],
    ['openai-responses', 'background', { background: true }],
    ['openai-responses', 'tool web_search_preview', { tools: [{ type: 'web_search_preview' }] }],
    ['openai-responses', 'tool file_search', { tools: [{ type: 'file_search', vector_store_ids: ['vs_1'] }] }],
    [
      'openai-responses',
      'tool code_interpreter',
      { tools: [{ type: 'code_interpreter', container: { type: 'auto' } }] },
    ],
    ['openai-responses', 'tool image_generation', { tools: [{ type: 'image_generation' }] }],
    ['openai-responses', 'tool mcp', { tools: [{ type: 'namespace', name: 'x', tools: [{ type: 'mcp' }] }] }],
    ['openai-responses', 'input item item_reference', input({ type: 'item_reference', id: 'msg_1' })],
    ['openai-responses', 'input item mcp_approval_response', input({ type: 'mcp_approval_response', approve: true })],
    [
      'openai-responses',
      'input[].content[].image_url: an address, not inline data',
      inputPart({ type: 'input_image', image_url: remote }),
    ],
    [
      'openai-responses',
      'annotation file_citation',
      input({
        role: 'assistant',
        content: [{ type: 'output_text', text: 'x', annotations: [{ type: 'file_citation' }] }],
      }),
    ],
    ['openai-responses', 'input[].content[].file_url', inputPart({ type: 'input_file', file_url: remote })],
    ['openai-responses', 'input[].content[].file_id', inputPart({ type: 'input_image', file_id: 'file-1' })],
    [
      'openai-responses',
      'input[].output[].file_id',
      input({ type: 'function_call_output', call_id: 'c', output: [{ type: 'input_file', file_id: 'file-1' }] }),
    ],
    ['anthropic-messages', 'mcp_servers', { mcp_servers: [{ type: 'url', url: remote }] }],
    ['anthropic-messages', 'container', { container: 'container_1' }],
    [
      'anthropic-messages',
      'tool web_search_20250305',
      { tools: [{ type: 'web_search_20250305', name: 'web_search' }] },
    ],
    ['anthropic-messages', 'tool web_fetch_20250910', { tools: [{ type: 'web_fetch_20250910', name: 'web_fetch' }] }],
    ['anthropic-messages', 'tool code_execution_20250825', { tools: [{ type: 'code_execution_20250825' }] }],
    ['anthropic-messages', 'source url', said({ type: 'image', source: { type: 'url', url: remote } })],
    ['anthropic-messages', 'source file', said({ type: 'document', source: { type: 'file', file_id: 'file_1' } })],
    [
      'anthropic-messages',
      'source url',
      said({
        type: 'tool_result',
        tool_use_id: 't',
        content: [{ type: 'image', source: { type: 'url', url: remote } }],
      }),
    ],
    ['anthropic-messages', 'content container_upload', said({ type: 'container_upload', file_id: 'file_1' })],
    ['anthropic-messages', 'content server_tool_use', said({ type: 'server_tool_use', name: 'web_search' })],
    [
      'anthropic-messages',
      'context edit compact_20260112',
      { context_management: { edits: [{ type: 'compact_20260112' }] } },
    ],
    ['gemini', 'cachedContent', { cachedContent: 'cachedContents/1' }],
    ['gemini', 'cachedContent', { cached_content: 'cachedContents/1' }],
    ['gemini', 'tool googleSearch', { tools: [{ googleSearch: {} }] }],
    ['gemini', 'tool googleSearch', { tools: [{ functionDeclarations: [], google_search: {} }] }],
    ['gemini', 'generationConfig, given twice', { generationConfig: {}, generation_config: { maxOutputTokens: 1e6 } }],
    ['gemini', 'tool urlContext', { tools: [{ urlContext: {} }] }],
    ['gemini', 'tool codeExecution', { tools: [{ codeExecution: {} }] }],
    ['gemini', 'tool fileSearch', { tools: [{ fileSearch: { fileSearchStoreNames: ['x'] } }] }],
    ['gemini', 'content fileData', part({ fileData: { fileUri: remote } })],
    ['gemini', 'content fileData', part({ file_data: { file_uri: remote } })],
    [
      'gemini',
      'contents[].parts[].inlineData.mimeType: text/html',
      part({ inlineData: { mimeType: 'text/html', data: '' } }),
    ],
  ])('%s: %s', async (wire, what, more) => {
    const { upstream, asked } = await open(wire);
    const answer = await asked.ask({ ...BASE[wire].body, ...more }, { path: BASE[wire].path });
    expect(asked.refusals).toEqual([`not allowed in a model request: ${what}`]);
    expect(answer.status).toBe(403);
    expect(answer.body.toString()).toContain(what);
    expect(upstream.received).toEqual([]);
  });
});

describe('drops what it does not know, and lists it', () => {
  it.each<[Wire, object, object, readonly string[]]>([
    ['openai-chat', { next_years_key: { deep: [remote] }, n: 50, __proto__: 1 }, {}, ['next_years_key', 'n']],
    ['openai-chat', { Tools: [{ type: 'mcp' }], models: null, plugins: [] }, {}, ['Tools', 'models', 'plugins']],
    [
      'openai-chat',
      { metadata: { tags: ['other'] }, prompt_cache_retention: '24h' },
      {},
      ['metadata', 'prompt_cache_retention'],
    ],
    ['openai-chat', { service_tier: 'priority', transforms: ['middle-out'] }, {}, ['service_tier', 'transforms']],
    ['openai-chat', { stream: 'true', max_tokens: '64000' }, {}, ['stream', 'max_tokens']],
    ['openai-chat', { max_tokens: -1, max_completion_tokens: 1.5 }, {}, ['max_tokens', 'max_completion_tokens']],
    [
      'openai-chat',
      { chat_template_kwargs: { enable_thinking: false, chat_template: '{{ x }}' } },
      { chat_template_kwargs: { enable_thinking: false } },
      ['chat_template_kwargs.chat_template'],
    ],
    [
      'openai-responses',
      { include: ['file_search_call.results', 'reasoning.encrypted_content'] },
      { include: ['reasoning.encrypted_content'], store: false },
      ['include[]'],
    ],
    [
      'anthropic-messages',
      { metadata: { user_id: 'u', workspace: 'w' }, speed: 'fast' },
      { metadata: { user_id: 'u' } },
      ['metadata.workspace', 'speed'],
    ],
    [
      'gemini',
      { model: 'models/other', generation_config: { candidate_count: 8, temperature: 1 } },
      { generationConfig: { temperature: 1 } },
      ['model', 'generationConfig.candidateCount'],
    ],
  ])('%s: %j', async (wire, more, sent, dropped) => {
    const { upstream, asked } = await open(wire);
    await asked.ask({ ...BASE[wire].body, ...more }, { path: BASE[wire].path });
    expect(upstream.received.map(({ body }) => JSON.parse(body))).toEqual([{ ...BASE[wire].body, ...sent }]);
    expect((await asked.reported(1))[0]!.exchange).toMatchObject({ dropped });
  });

  it('in a bounded list', async () => {
    const { asked } = await open('openai-chat');
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`${'x'.repeat(1000)}${n}`, n]));
    await asked.ask({ ...QUESTION, ...many });
    const { dropped = [] } = (await asked.reported(1))[0]!.exchange;
    expect(dropped).toHaveLength(101);
    expect(dropped.at(-1)).toBe('and 900 more');
    expect(dropped.join('').length).toBeLessThan(12_000);
  });

  it('in headers and query', async () => {
    const { upstream, asked } = await open('anthropic-messages');
    const headers = {
      'anthropic-beta': 'effort-2025-11-24, mcp-client-2025-04-04,files-api-2025-04-14',
      'anthropic-version': '2023-06-01\t',
      'content-type': 'application/json; charset=utf-16',
      'openai-organization': 'org',
      accept: 'text/html',
    };
    await asked.ask(BASE['anthropic-messages'].body, { path: '/v1/messages?beta=true&beta=x&model=other', headers });
    const [{ url, headers: sent }] = upstream.received as [(typeof upstream.received)[0]];
    expect(url).toBe('/v1/messages?beta=true');
    expect(sent).toMatchObject({ 'anthropic-beta': 'effort-2025-11-24', 'content-type': 'application/json' });
    expect(Object.keys(sent)).not.toEqual(expect.arrayContaining(['openai-organization']));
    expect(sent.accept).toBeUndefined();
    expect((await asked.reported(1))[0]!.exchange.dropped).toEqual([
      'anthropic-beta: mcp-client-2025-04-04',
      'anthropic-beta: files-api-2025-04-14',
      '?beta',
      '?model',
    ]);
  });
});

it.each<[Wire, object, object, readonly string[] | undefined]>([
  ['openai-responses', {}, { store: false }, ['store: false']],
  ['openai-responses', { store: true }, { store: false }, ['store: false']],
  ['openai-responses', { store: false }, { store: false }, undefined],
  ['openai-chat', { store: true }, { store: false }, ['store: false']],
  ['openai-chat', {}, {}, undefined],
])('%s with %j stores nothing at the provider', async (wire, more, sent, changed) => {
  const { upstream, asked } = await open(wire);
  await asked.ask({ ...BASE[wire].body, ...more }, { path: BASE[wire].path });
  expect(JSON.parse(upstream.received[0]!.body)).toEqual({ ...BASE[wire].body, ...sent });
  expect((await asked.reported(1))[0]!.exchange.changed).toEqual(changed);
});

it.each([
  ['a duplicate key', '{"model":"scripted","tools":[{"type":"mcp"}],"messages":[],"tools":[]}'],
  ['an escaped key', '{"model":"scripted","to\\u006fls":[{"type":"mcp"}],"messages":[],"tools":[]}'],
  ['white space', ' {"model" : "scripted",\n"messages":[],\t"tools":[]} '],
])('sends its own serialization: %s', async (_how, body) => {
  const { upstream, asked } = await open('openai-chat');
  await asked.ask(body);
  const [{ body: sent }] = upstream.received as [(typeof upstream.received)[0]];
  expect(JSON.parse(sent)).toEqual({ model: 'scripted', messages: [], tools: [] });
  expect(sent).toBe(JSON.stringify(JSON.parse(sent)));
});

it.each([
  ['data after the body', '{"model":"scripted","messages":[]}{"models":["other"]}'],
  ['UTF-16', Buffer.from(JSON.stringify(QUESTION), 'utf16le')],
  ['a byte order mark', `\uFEFF${JSON.stringify(QUESTION)}`],
])('refuses %s', async (_what, body) => {
  const { upstream, asked } = await open('openai-chat');
  expect((await asked.ask(body)).status).toBe(400);
  expect(upstream.received).toEqual([]);
});

it.each(AGENT_REQUESTS.map((request) => [request.agent, request] as const))(
  'forwards the requests of %s as they are',
  async (_agent, { wire, path, headers, body, dropped }) => {
    const { upstream, asked } = await open(wire);
    const answer = await asked.ask(body, { path, headers });
    expect(asked.refusals).toEqual([]);
    expect(answer.status).toBe(200);
    const expected = Object.fromEntries(Object.entries(body).filter(([key]) => !dropped.includes(key)));
    expect(upstream.received[0]!.body).toBe(JSON.stringify(expected));
    for (const name of ['accept', 'anthropic-beta', 'anthropic-version'])
      expect(upstream.received[0]!.headers[name]).toBe(headers[name]);
    expect((await asked.reported(1))[0]!.exchange.dropped ?? []).toEqual(dropped);
  },
);
