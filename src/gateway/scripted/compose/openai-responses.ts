import type { JsonObject } from '../../exchange/json.ts';
import type { SampleAnswer } from '../../wires/rules.ts';
import { chunksOf, type ScriptedTurn } from '../said.ts';

/** An item of the answer: complete, as it starts in a stream, and the events that fill it. */
interface Item {
  readonly whole: JsonObject;
  readonly empty: JsonObject;
  readonly events: (place: JsonObject) => readonly JsonObject[];
}

export function composeResponses(turn: ScriptedTurn): SampleAnswer {
  const items = itemsOf(turn);
  const frame = { id: `resp_${turn.id}`, object: 'response', created_at: 0, model: turn.model };
  const usage = { ...turn.usage, total_tokens: turn.usage.input_tokens + turn.usage.output_tokens };
  const completed = { ...frame, status: 'completed', output: items.map(({ whole }) => whole), usage };
  const events: JsonObject[] = [
    { type: 'response.created', response: { ...frame, status: 'in_progress', output: [] } },
    ...items.flatMap(({ whole, empty, events: filling }, output_index) => [
      { type: 'response.output_item.added', output_index, item: empty },
      ...filling({ output_index, item_id: whole['id'] }),
      { type: 'response.output_item.done', output_index, item: whole },
    ]),
    { type: 'response.completed', response: completed },
  ];
  return { whole: completed, events: events.map((event, index) => ({ ...event, sequence_number: index })) };
}

function itemsOf({ id, reasoning, text, toolCalls }: ScriptedTurn): Item[] {
  return [
    ...(reasoning === '' ? [] : [thought(`rs_${id}`, reasoning)]),
    ...(text === '' ? [] : [message(`msg_${id}`, text)]),
    ...toolCalls.map((call, index) => functionCall(`${id}_${index}`, call.name, JSON.stringify(call.arguments))),
  ];
}

function thought(id: string, text: string): Item {
  const item = { id, type: 'reasoning' };
  return {
    whole: { ...item, summary: [{ type: 'summary_text', text }] },
    empty: { ...item, summary: [] },
    events: (place) => {
      const at = { ...place, summary_index: 0 };
      return [
        { type: 'response.reasoning_summary_part.added', ...at, part: { type: 'summary_text', text: '' } },
        ...chunksOf(text).map((delta) => ({ type: 'response.reasoning_summary_text.delta', ...at, delta })),
        { type: 'response.reasoning_summary_text.done', ...at, text },
        { type: 'response.reasoning_summary_part.done', ...at, part: { type: 'summary_text', text } },
      ];
    },
  };
}

function message(id: string, text: string): Item {
  const item = { id, type: 'message', role: 'assistant' };
  const part = { type: 'output_text', text, annotations: [] };
  return {
    whole: { ...item, status: 'completed', content: [part] },
    empty: { ...item, status: 'in_progress', content: [] },
    events: (place) => {
      const at = { ...place, content_index: 0 };
      return [
        { type: 'response.content_part.added', ...at, part: { ...part, text: '' } },
        ...chunksOf(text).map((delta) => ({ type: 'response.output_text.delta', ...at, delta })),
        { type: 'response.output_text.done', ...at, text },
        { type: 'response.content_part.done', ...at, part },
      ];
    },
  };
}

function functionCall(id: string, name: string, text: string): Item {
  const item = { id: `fc_${id}`, type: 'function_call', call_id: `call_${id}`, name };
  return {
    whole: { ...item, status: 'completed', arguments: text },
    empty: { ...item, status: 'in_progress', arguments: '' },
    events: (place) => [
      { type: 'response.function_call_arguments.delta', ...place, delta: text },
      { type: 'response.function_call_arguments.done', ...place, arguments: text },
    ],
  };
}
