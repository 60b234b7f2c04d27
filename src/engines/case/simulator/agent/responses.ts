import { type JsonObject, objectIn, objectsIn, parseJson, textIn } from '../../../../gateway/exchange/json.ts';
import { eventData } from '../../../../gateway/exchange/sse.ts';
import type { Model } from './models.ts';
import type { ReceivedStream, Reply, ToolInvocation } from './reply.ts';

/** A conversation as pi sends it to a provider whose API is `openai-responses`. */
export function responsesBody(
  { id, maxTokens }: Model,
  messages: readonly JsonObject[],
  tools: readonly JsonObject[],
): JsonObject {
  return {
    model: id,
    input: messages.flatMap(itemsOf),
    stream: true,
    store: false,
    max_output_tokens: maxTokens,
    tools: tools.map((tool) => ({ type: 'function', ...objectIn(tool['function']) })),
  };
}

function itemsOf({ role, content, tool_calls: calls, tool_call_id: id }: JsonObject): JsonObject[] {
  switch (role) {
    case 'tool':
      return [{ type: 'function_call_output', call_id: id, output: content }];
    case 'assistant':
      return [
        ...(typeof content === 'string'
          ? [{ type: 'message', role, content: [{ type: 'output_text', text: content }] }]
          : []),
        ...objectsIn(calls).map((call) => {
          const { name, arguments: given } = objectIn(call['function']);
          return { type: 'function_call', call_id: call['id'], name, arguments: given };
        }),
      ];
    case 'user':
      return [{ role, content: objectsIn(content).map(({ text }) => ({ type: 'input_text', text })) }];
    default:
      return [{ role, content }];
  }
}

export function readResponses({ text: stream, whole }: ReceivedStream): Reply {
  let text = '';
  const calls: ToolInvocation[] = [];
  for (const data of eventData(stream)) {
    const event = objectIn(parseJson(data));
    if (event['type'] !== 'response.output_item.done') continue;
    const item = objectIn(event['item']);
    if (item['type'] === 'message')
      text += objectsIn(item['content']).reduce((all, part) => all + textIn(part['text']), '');
    if (item['type'] === 'function_call')
      calls.push({ id: textIn(item['call_id']), name: textIn(item['name']), arguments: textIn(item['arguments']) });
  }
  return { text, calls, broken: !whole };
}
