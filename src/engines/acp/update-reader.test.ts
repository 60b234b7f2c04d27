import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readAgentLog, UpdateReader } from './update-reader.ts';

const chunk = (text: string, more = {}) => ({
  sessionUpdate: 'agent_message_chunk',
  content: { type: 'text', text },
  ...more,
});

it('a message ends where something else begins', () => {
  const reader = new UpdateReader();
  const call = { toolCallId: '1', name: 'bash', status: 'pending', rawInput: {} };
  const events = [
    chunk('I will '),
    chunk('test.'),
    { sessionUpdate: 'tool_call', ...call },
    { sessionUpdate: 'tool_call_update', toolCallId: '1', status: 'in_progress', rawInput: { command: 'ls' } },
    {
      sessionUpdate: 'tool_call_update',
      toolCallId: '1',
      status: 'completed',
      content: [{ content: { text: 'a.py' } }],
    },
    chunk('Done.', { messageId: 'a' }),
    chunk('Really.', { messageId: 'b', _meta: { usage: { inputTokens: 7, outputTokens: 2 } } }),
    { sessionUpdate: 'plan', entries: [{ content: 'fix it', status: 'pending' }] },
  ].flatMap((update) => reader.read(update));
  expect(events).toEqual([
    { type: 'engine.message', data: { text: 'I will test.' } },
    { type: 'engine.tool', data: { name: 'bash', detail: '{"command":"ls"}', id: '1' } },
    { type: 'engine.tool_result', data: { id: '1', ok: true, detail: 'a.py' } },
    { type: 'engine.message', data: { text: 'Done.' } },
    { type: 'engine.usage', data: { input_tokens: 7, output_tokens: 2 } },
    { type: 'engine.message', data: { text: 'Really.' } },
    { type: 'plan.updated', data: { steps: ['fix it'] } },
  ]);
  expect(reader.readEnd({ stopReason: 'end_turn', usage: { inputTokens: 7, outputTokens: 2 } })).toEqual([]);
});

it('a completed edit names the files of its diff', () => {
  const update = {
    sessionUpdate: 'tool_call_update',
    toolCallId: '1',
    kind: 'edit',
    status: 'completed',
    content: [{ type: 'diff', path: '/workspace/a.py', oldText: 'x', newText: 'y' }],
  };
  expect(new UpdateReader().read(update)).toContainEqual({ type: 'engine.edit', data: { path: '/workspace/a.py' } });
});

it('usage is read from the end of the turn where no message told it', () => {
  const quota = { token_count: { input_tokens: 20, output_tokens: 10 } };
  expect(new UpdateReader().readEnd({ _meta: { quota } })).toEqual([
    { type: 'engine.usage', data: { input_tokens: 20, output_tokens: 10 } },
  ]);
});

it('no output makes it throw, and a message without end stays bounded', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.json())), fc.jsonValue(), (lines, params) => {
      const said = JSON.stringify({ method: 'session/update', params: { update: params } });
      expect(Array.isArray(readAgentLog([...lines, said].join('\n')))).toBe(true);
    }),
  );
  const reader = new UpdateReader();
  for (let n = 0; n < 300; n += 1) reader.read(chunk('x'.repeat(1000)));
  expect(JSON.stringify(reader.flush()).length).toBeLessThan(110_000);
});
