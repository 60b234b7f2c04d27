import { countIn, isObject, type JsonObject, objectIn, objectsIn, textIn } from '../json.ts';
import { bearer, openAiBase, openAiError, openAiModels } from './openai.ts';
import { addUsage, type AnswerDraft, onePath, type WireRules } from './rules.ts';

const PATH = '/responses';

export const openaiResponses: WireRules = {
  route: onePath('openai-responses', PATH),
  basePath: openAiBase,
  credentials: bearer,
  error: openAiError,

  readWhole(answer, draft) {
    for (const item of objectsIn(answer['output'])) readItem(item, draft);
    readEnd(answer, draft);
  },

  readEvent(event, draft) {
    switch (event['type']) {
      case 'response.output_item.done':
        readItem(objectIn(event['item']), draft);
        break;
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
        draft.finished = true;
        readEnd(objectIn(event['response']), draft);
        break;
      case 'error':
        draft.failed = true;
        break;
    }
  },

  question: (model, text, maxTokens) => ({ path: PATH, body: { model, max_output_tokens: maxTokens, input: text } }),
  modelList: openAiModels,

  sample(model, text, reasoning) {
    const items = itemsOf(text, reasoning);
    const response = { id: 'resp_seatrial', object: 'response', created_at: 0, model, output: items };
    return {
      whole: { ...response, status: 'completed' },
      events: [
        { type: 'response.created', response: { ...response, output: [], status: 'in_progress' } },
        ...items.flatMap((item, index) => eventsOf(item, index, text)),
        { type: 'response.completed', response: { ...response, status: 'completed' } },
      ],
    };
  },
};

/** Items come whole once they are done; what leads up to them repeats it in pieces. */
function readItem(item: JsonObject, draft: AnswerDraft): void {
  const type = textIn(item['type']);
  if (type === 'reasoning') draft.reasoning = true;
  else if (type === 'message') {
    for (const part of objectsIn(item['content'])) draft.text += textIn(part['text']) + textIn(part['refusal']);
  } else if (type.endsWith('_call')) draft.toolCalls += 1;
}

function readEnd(response: JsonObject, draft: AnswerDraft): void {
  const used = objectIn(response['usage']);
  addUsage(draft, { input_tokens: countIn(used['input_tokens']), output_tokens: countIn(used['output_tokens']) });
  draft.failed ||= response['status'] === 'failed' || isObject(response['error']);
}

function itemsOf(text: string, reasoning: string): JsonObject[] {
  const thought = { id: 'rs_seatrial', type: 'reasoning', summary: [{ type: 'summary_text', text: reasoning }] };
  const content = [{ type: 'output_text', text, annotations: [] }];
  const message = { id: 'msg_seatrial', type: 'message', status: 'completed', role: 'assistant', content };
  return [...(reasoning === '' ? [] : [thought]), ...(text === '' ? [] : [message])];
}

function eventsOf(item: JsonObject, output_index: number, text: string): JsonObject[] {
  const place = { output_index, item_id: item['id'], content_index: 0 };
  const words = item['type'] === 'message' ? [{ type: 'response.output_text.delta', ...place, delta: text }] : [];
  return [
    { type: 'response.output_item.added', output_index, item: { ...item, content: [] } },
    ...words,
    { type: 'response.output_item.done', output_index, item },
  ];
}
