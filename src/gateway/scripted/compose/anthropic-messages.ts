import type { JsonObject } from '../../exchange/json.ts';
import type { SampleAnswer } from '../../wires/rules.ts';
import { chunksOf, type ScriptedTurn } from '../said.ts';

/** A block of the answer: complete, as it starts in a stream, and the deltas that fill it. */
interface Block {
  readonly whole: JsonObject;
  readonly empty: JsonObject;
  readonly deltas: readonly JsonObject[];
}

export function composeMessages(turn: ScriptedTurn): SampleAnswer {
  const blocks = blocksOf(turn);
  const frame = { id: `msg_${turn.id}`, type: 'message', role: 'assistant', model: turn.model };
  const ending = { stop_reason: turn.toolCalls.length === 0 ? 'end_turn' : 'tool_use', stop_sequence: null };
  const usage = { input_tokens: turn.usage.input_tokens, output_tokens: 0 };
  const started = { ...frame, content: [], stop_reason: null, stop_sequence: null, usage };
  return {
    whole: { ...frame, content: blocks.map(({ whole }) => whole), ...ending, usage: turn.usage },
    events: [
      { type: 'message_start', message: started },
      ...blocks.flatMap(({ empty, deltas }, index) => [
        { type: 'content_block_start', index, content_block: empty },
        ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
        { type: 'content_block_stop', index },
      ]),
      { type: 'message_delta', delta: ending, usage: { output_tokens: turn.usage.output_tokens } },
      { type: 'message_stop' },
    ],
  };
}

function blocksOf({ id, reasoning, text, toolCalls }: ScriptedTurn): Block[] {
  const thinking: Block = {
    whole: { type: 'thinking', thinking: reasoning, signature: 'scripted' },
    empty: { type: 'thinking', thinking: '', signature: '' },
    deltas: [
      ...chunksOf(reasoning).map((chunk) => ({ type: 'thinking_delta', thinking: chunk })),
      { type: 'signature_delta', signature: 'scripted' },
    ],
  };
  const words: Block = {
    whole: { type: 'text', text },
    empty: { type: 'text', text: '' },
    deltas: chunksOf(text).map((chunk) => ({ type: 'text_delta', text: chunk })),
  };
  const calls = toolCalls.map((call, index): Block => {
    const use = { type: 'tool_use', id: `toolu_${id}_${index}`, name: call.name };
    return {
      whole: { ...use, input: call.arguments },
      empty: { ...use, input: {} },
      deltas: [{ type: 'input_json_delta', partial_json: JSON.stringify(call.arguments) }],
    };
  });
  return [...(reasoning === '' ? [] : [thinking]), ...(text === '' ? [] : [words]), ...calls];
}
