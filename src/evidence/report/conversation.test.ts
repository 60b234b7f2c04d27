import { expect, test } from 'vitest';
import type { EventData, EventType, RunEvent } from '../schema/events.ts';
import { sampleEvent } from './render/sample-report.fixture.ts';
import { conversationIn } from './conversation.ts';

let at = 0;
const said = <T extends EventType>(type: T, data: EventData<T>): RunEvent => ({
  ...sampleEvent((at += 10), type, data),
  source: type.startsWith('engine.') ? 'engine' : 'harness',
});
const kinds = (events: readonly RunEvent[]) =>
  conversationIn(events).map((turn) => turn.said.map((one) => (one.kind === 'tool' ? one.name : one.kind)));

const call = (name: string, id: string) => said('engine.tool', { name, detail: '{}', id });
const result = (id: string) => said('engine.tool_result', { id, ok: true, detail: `of ${id}` });
const message = (text: string) => said('engine.message', { text });

test('a turn ends when the engine speaks again after its tools', () => {
  const events = [message('a'), message('b'), call('x', '1'), call('y', '2'), result('2'), result('1'), call('z', '3')];
  expect(kinds([...events, result('3'), message('c')])).toEqual([['message', 'message', 'x', 'y'], ['z'], ['message']]);
});

test('results find their call in any order; one without a call is shown too', () => {
  const [turn] = conversationIn([call('x', '1'), call('y', '2'), result('2'), result('9')]);
  expect(turn?.said).toMatchObject([
    { name: 'x', result: null },
    { name: 'y', result: { ok: true, detail: 'of 2', tookMs: 10 } },
    { kind: 'stray result', detail: 'of 9' },
  ]);
});

test('a request is counted for the turn that it led to, whenever it was recorded', () => {
  const started = said('backend.started', { argv: [] });
  const first = message('a');
  const tool = call('x', '1');
  const done = result('1');
  const second = message('b');
  const request = (before: RunEvent, tokens: number): RunEvent =>
    said('model.request', {
      provider: 'p',
      model: 'm',
      http_status: 200,
      started_at: new Date(Date.parse(before.time) - 1).toISOString(),
      input_tokens: tokens,
      output_tokens: 1,
      cost_usd: 0.5,
    });
  const turns = conversationIn([started, first, request(first, 7), tool, done, second, request(second, 9)]);
  expect(turns.map(({ cost }) => cost)).toEqual([
    { requests: 1, inputTokens: 7, outputTokens: 1, costUsd: 0.5 },
    { requests: 1, inputTokens: 9, outputTokens: 1, costUsd: 0.5 },
  ]);
});

test('what the harness asks before the engine starts belongs to no turn', () => {
  const asked = said('model.request', { provider: 'p', model: 'm', http_status: 200, input_tokens: 5 });
  const turns = conversationIn([asked, said('backend.started', { argv: [] }), message('a')]);
  expect(turns.map(({ cost }) => cost.requests)).toEqual([0]);
});
