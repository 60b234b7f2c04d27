import { openaiResponsesBody } from '../allowed/openai-responses.ts';
import { countIn, isObject, type JsonObject, objectIn, objectsIn, textIn } from '../exchange/json.ts';
import { bearer, openAiBase, openAiError, openAiModels } from './openai.ts';
import { addUsage, type AnswerDraft, onePath, type WireRules } from './rules.ts';

const PATH = '/responses';
/** Before the path in requests of clients that use a ChatGPT login. */
const CHATGPT_BASE = '/backend-api/codex';
const route = onePath('openai-responses', PATH);

export const openaiResponses: WireRules = {
  route: (path, query) => route(path === `${CHATGPT_BASE}${PATH}` ? PATH : path, query),
  basePath: openAiBase,
  credentials: bearer,
  allowedBody: openaiResponsesBody,
  spelling: 'exact',
  outputLimits: [['max_output_tokens']],
  usualHeaders: {},
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
        draft.error = isObject(event['error']) ? event['error'] : event;
        break;
    }
  },

  question: (model, text, maxTokens) => ({ path: PATH, body: { model, max_output_tokens: maxTokens, input: text } }),
  modelList: openAiModels,
};

/** Finished items are complete, so their deltas are ignored. */
function readItem(item: JsonObject, draft: AnswerDraft): void {
  const type = textIn(item['type']);
  if (type === 'reasoning') draft.reasoning = true;
  else if (type === 'message') {
    for (const part of objectsIn(item['content'])) {
      draft.text += textIn(part['text']) + textIn(part['refusal']);
      draft.refused ||= part['type'] === 'refusal';
    }
  } else if (type.endsWith('_call')) draft.toolCalls += 1;
}

function readEnd(response: JsonObject, draft: AnswerDraft): void {
  const used = objectIn(response['usage']);
  addUsage(draft, { input_tokens: countIn(used['input_tokens']), output_tokens: countIn(used['output_tokens']) });
  draft.failed ||= response['status'] === 'failed' || isObject(response['error']);
  if (isObject(response['error'])) draft.error = response['error'];
  draft.refused ||= objectIn(response['incomplete_details'])['reason'] === 'content_filter';
}
