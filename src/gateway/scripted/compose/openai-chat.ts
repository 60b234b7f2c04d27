import type { JsonObject } from '../../exchange/json.ts';
import type { SampleAnswer } from '../../wires/rules.ts';
import { chunksOf, type ScriptedTurn } from '../said.ts';

export function composeChat({ model, id, reasoning, text, toolCalls, usage: used }: ScriptedTurn): SampleAnswer {
  const frame = { id: `chatcmpl-${id}`, created: 0, model };
  const calls = toolCalls.map((call, index) => ({
    index,
    id: `call_${id}_${index}`,
    type: 'function',
    function: { name: call.name, arguments: JSON.stringify(call.arguments) },
  }));
  const finish_reason = calls.length === 0 ? 'stop' : 'tool_calls';
  const usage = {
    prompt_tokens: used.input_tokens,
    completion_tokens: used.output_tokens,
    total_tokens: used.input_tokens + used.output_tokens,
  };
  const message = {
    role: 'assistant',
    content: text === '' ? null : text,
    ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
  const chunk = (choices: readonly JsonObject[], rest: JsonObject = {}): JsonObject => ({
    ...frame,
    object: 'chat.completion.chunk',
    choices,
    ...rest,
  });
  const delta = (fields: JsonObject): JsonObject => chunk([{ index: 0, delta: fields, finish_reason: null }]);
  return {
    whole: { ...frame, object: 'chat.completion', choices: [{ index: 0, message, finish_reason }], usage },
    events: [
      delta({ role: 'assistant', content: '' }),
      ...chunksOf(reasoning).map((chunkText) => delta({ reasoning_content: chunkText })),
      ...chunksOf(text).map((chunkText) => delta({ content: chunkText })),
      ...calls.map((call) => delta({ tool_calls: [call] })),
      chunk([{ index: 0, delta: {}, finish_reason }]),
      chunk([], { usage }),
    ],
  };
}
