import { openaiChatBody } from '../allowed/openai-chat.ts';
import { countIn, isObject, type JsonObject, objectIn, objectsIn, textIn } from '../exchange/json.ts';
import { bearer, openAiBase, openAiError, openAiModels } from './openai.ts';
import { addUsage, type AnswerDraft, onePath, type WireRules } from './rules.ts';

const PATH = '/chat/completions';

export const openaiChat: WireRules = {
  route: onePath('openai-chat', PATH),
  basePath: openAiBase,
  credentials: bearer,
  allowedBody: openaiChatBody,
  spelling: 'exact',
  outputLimits: [['max_completion_tokens'], ['max_tokens']],
  usualHeaders: {},
  error: openAiError,

  readWhole(answer, draft) {
    for (const choice of objectsIn(answer['choices'])) {
      readMessage(objectIn(choice['message']), draft);
      draft.refused ||= choice['finish_reason'] === 'content_filter';
    }
    readUsage(answer, draft);
    readError(answer, draft);
  },

  readEvent(event, draft) {
    for (const choice of objectsIn(event['choices'])) {
      readMessage(objectIn(choice['delta']), draft);
      draft.finished ||= typeof choice['finish_reason'] === 'string';
      draft.refused ||= choice['finish_reason'] === 'content_filter';
    }
    readUsage(event, draft);
    readError(event, draft);
  },

  question: (model, text, maxTokens) => ({
    path: PATH,
    body: { model, max_tokens: maxTokens, messages: [{ role: 'user', content: text }] },
  }),
  modelList: openAiModels,
};
function readError({ error }: JsonObject, draft: AnswerDraft): void {
  if (!isObject(error)) return;
  draft.failed = true;
  draft.error = error;
}

function readMessage(message: JsonObject, draft: AnswerDraft): void {
  draft.text += textOf(message['content']) + textIn(message['refusal']);
  draft.refused ||= textIn(message['refusal']) !== '';
  draft.toolCalls += objectsIn(message['tool_calls']).length + (isObject(message['function_call']) ? 1 : 0);
  draft.reasoning ||= ['reasoning_content', 'reasoning', 'reasoning_text'].some((name) => textIn(message[name]) !== '');
  draft.reasoning ||= objectsIn(message['reasoning_details']).length > 0;
}

/** Content is a string or an array of parts. */
function textOf(content: unknown): string {
  return typeof content === 'string'
    ? content
    : objectsIn(content).reduce((all, part) => all + textIn(part['text']), '');
}

function readUsage(json: JsonObject, draft: AnswerDraft): void {
  const used = objectIn(json['usage']);
  addUsage(draft, {
    input_tokens: countIn(used['prompt_tokens']),
    output_tokens: countIn(used['completion_tokens']),
  });
}
