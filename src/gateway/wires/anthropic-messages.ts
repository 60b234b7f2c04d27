import { anthropicMessagesBody } from '../allowed/anthropic-messages.ts';
import { countIn, type JsonObject, objectIn, objectsIn, textIn } from '../exchange/json.ts';
import { addUsage, type AnswerDraft, onePath, type WireRules } from './rules.ts';

const PATH = '/messages';

export const anthropicMessages: WireRules = {
  route: onePath('anthropic-messages', PATH),
  basePath: (given) => (given.endsWith('/v1') ? given : `${given}/v1`),
  credentials: (key) => ({ 'x-api-key': key }),
  allowedBody: anthropicMessagesBody,
  spelling: 'exact',
  outputLimits: [['max_tokens']],
  usualHeaders: { 'anthropic-version': '2023-06-01' },
  error: (status, message) => ({ type: 'error', error: { type: ERROR_TYPES[status] ?? 'api_error', message } }),

  readWhole(answer, draft) {
    for (const block of objectsIn(answer['content'])) readBlock(block, draft);
    readUsage(objectIn(answer['usage']), draft);
    draft.failed ||= answer['type'] === 'error';
    draft.error = objectIn(answer['error']);
    draft.refused = answer['stop_reason'] === 'refusal';
  },

  readEvent(event, draft) {
    switch (event['type']) {
      case 'message_start':
        readUsage(objectIn(objectIn(event['message'])['usage']), draft);
        break;
      case 'content_block_start':
        readBlock(objectIn(event['content_block']), draft);
        break;
      case 'content_block_delta':
        readDelta(objectIn(event['delta']), draft);
        break;
      case 'message_delta':
        readUsage(objectIn(event['usage']), draft);
        draft.refused ||= objectIn(event['delta'])['stop_reason'] === 'refusal';
        break;
      case 'message_stop':
        draft.finished = true;
        break;
      case 'error':
        draft.failed = true;
        draft.error = objectIn(event['error']);
        break;
    }
  },

  question: (model, text, maxTokens) => ({
    path: PATH,
    body: { model, max_tokens: maxTokens, messages: [{ role: 'user', content: text }] },
  }),
  modelList: (id) => ({
    data: [{ type: 'model', id, display_name: id, created_at: '1970-01-01T00:00:00Z' }],
    has_more: false,
    first_id: id,
    last_id: id,
  }),
};

const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
};

function readBlock(block: JsonObject, draft: AnswerDraft): void {
  const type = textIn(block['type']);
  if (type === 'text') draft.text += textIn(block['text']);
  else if (type.endsWith('thinking')) draft.reasoning = true;
  else if (type.endsWith('tool_use')) draft.toolCalls += 1;
}

function readDelta(delta: JsonObject, draft: AnswerDraft): void {
  if (delta['type'] === 'text_delta') draft.text += textIn(delta['text']);
  else if (delta['type'] === 'thinking_delta') draft.reasoning = true;
}

/** Counts are cumulative, and later events may omit some. Cached input counts as input. */
function readUsage(used: JsonObject, draft: AnswerDraft): void {
  const input = ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens'];
  const read = input.reduce((sum, name) => sum + countIn(used[name]), 0);
  addUsage(draft, {
    input_tokens: Math.max(read, draft.usage?.input_tokens ?? 0),
    output_tokens: Math.max(countIn(used['output_tokens']), draft.usage?.output_tokens ?? 0),
  });
}
