import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wire as wires, type Wire } from '../../evidence/schema/exchange.ts';
import { readAnswer } from './answer.ts';
import { speaker, streamFrames } from '../scripted/wires.ts';
import { eventData } from './sse.ts';
import { WIRES } from '../wires/list.ts';

const ALL = wires.options;
const SAID = {
  model: 'm',
  id: '1',
  text: '',
  reasoning: '',
  toolCalls: [] as { name: string; arguments: Record<string, unknown> }[],
  usage: { input_tokens: 7, output_tokens: 3 },
};
const CALL = { name: 'bash', arguments: { command: 'ls' } };

function read(wire: Wire, streamed: boolean, said: Partial<typeof SAID>) {
  const answer = speaker(wire).compose({ ...SAID, ...said });
  return readAnswer(
    WIRES[wire],
    streamed,
    streamed ? streamFrames(wire, answer).join('') : JSON.stringify(answer.whole),
  );
}

describe.each(ALL.flatMap((wire) => [false, true].map((streamed) => ({ wire, streamed }))))(
  'on $wire, streamed: $streamed',
  ({ wire, streamed }) => {
    it.each([
      ['content', { text: 'an answer that is long enough to come in pieces', reasoning: 'hm' }],
      ['tool_calls', { toolCalls: [CALL, CALL] }],
      ['tool_calls', { text: 'I will look', toolCalls: [CALL] }],
      ['reasoning_only', { reasoning: '<<<AGENT_RESULT {} AGENT_RESULT>>>' }],
      ['reasoning_only', { text: '<think>hm</think>\n', reasoning: '' }],
      ['reasoning_only', { text: '<think>and on and on' }],
      ['empty', {}],
      ['empty', { text: ' \n' }],
    ] as const)('%s: %j', (shape, said) => {
      const answer = read(wire, streamed, said as Partial<typeof SAID>);
      expect(answer).toMatchObject({ shape, usage: SAID.usage, finished: true, failed: false });
    });

    it('joins the text and drops the reasoning', () => {
      const text = 'Done.\n<<<AGENT_RESULT\n{"status":"completed"}\nAGENT_RESULT>>>';
      expect(read(wire, streamed, { text, reasoning: 'secretly' }).text).toBe(text);
      expect(read(wire, streamed, { text: `<think>a</think>${text}` }).text).toBe(text);
    });

    it('never throws on arbitrary input', () => {
      fc.assert(
        fc.property(fc.json(), fc.string(), (json, text) => {
          const bodies = [text, streamed ? `data: ${json}\n\ndata: ${text}\n\n` : json];
          for (const body of bodies) expect(() => readAnswer(WIRES[wire], streamed, body)).not.toThrow();
        }),
      );
    });
  },
);

it.each([
  ['no JSON', false, '{"choices":[{'],
  ['no object', false, '[]'],
  ['no events', true, '<html>not a stream</html>'],
  ['events without JSON', true, 'data: {"choices":[{\n\ndata: [DONE]\n\n'],
])('malformed: %s', (_what, streamed, body) => {
  expect(readAnswer(WIRES['openai-chat'], streamed, body).shape).toBe('malformed');
});

it.each([
  ['openai-chat', { error: { message: 'overloaded' } }],
  ['openai-responses', { type: 'response.failed', response: { status: 'failed', error: { code: 'x' } } }],
  ['anthropic-messages', { type: 'error', error: { type: 'overloaded_error' } }],
  ['gemini', { error: { code: 503 } }],
] as const)('a stream that fails in the middle is reported as failed: %s', (wire, failure) => {
  expect(readAnswer(WIRES[wire], true, `data: ${JSON.stringify(failure)}\n\n`).failed).toBe(true);
});

it("counts Anthropic's cached input as input tokens", () => {
  const usage = { input_tokens: 1, cache_creation_input_tokens: 20, cache_read_input_tokens: 300, output_tokens: 4 };
  const body = JSON.stringify({ content: [{ type: 'text', text: 'hi' }], usage });
  expect(readAnswer(WIRES['anthropic-messages'], false, body).usage).toEqual({ input_tokens: 321, output_tokens: 4 });
});

describe('server-sent events', () => {
  const line = fc.stringMatching(/^[^\r\n]*$/);

  it('are parsed with any line ending and with comments between them', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(line, { minLength: 1, maxLength: 3 })),
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.constantFrom('', ': a comment', 'event: message', 'id: 7', 'retry: 10'),
        (events, end, other) => {
          const lines = events.flatMap((data) => [other, ...data.map((text) => `data: ${text}`), '']);
          const kept = lines.filter((text, index) => text !== '' || index > 0);
          const stream = kept.map((text) => `${text}${end}`).join('');
          expect(eventData(stream)).toEqual(events.map((data) => data.join('\n')));
        },
      ),
    );
  });

  it('are dropped when incomplete', () => {
    const stream = 'data: one\n\ndata: two\n\n';
    for (let cut = 0; cut < stream.length; cut += 1)
      expect(eventData(stream.slice(0, cut))).toEqual(cut < 11 ? [] : ['one']);
  });
});

it.each([
  ['openai-chat', false, JSON.stringify({ model: 'qwen-b', choices: [] })],
  ['openai-chat', true, 'data: {"choices":[]}\n\ndata: {"model":"qwen-b","choices":[]}\n\ndata: [DONE]\n\n'],
  ['openai-responses', true, 'data: {"type":"response.created","response":{"model":"qwen-b"}}\n\n'],
  ['anthropic-messages', true, 'data: {"type":"message_start","message":{"model":"qwen-b"}}\n\n'],
  ['gemini', false, JSON.stringify({ modelVersion: 'qwen-b' })],
] as const)('the name that an answer gives itself is read (%s, streamed: %s)', (wire, streamed, body) => {
  expect(readAnswer(WIRES[wire], streamed, body).model).toBe('qwen-b');
});

it('reads no model from an answer that names none', () => {
  expect(readAnswer(WIRES['openai-chat'], false, '{"model":7,"choices":[]}').model).toBeNull();
});
