import { geminiBody } from '../allowed/gemini.ts';
import { countIn, isObject, type JsonObject, objectIn, objectsIn, textIn } from '../exchange/json.ts';
import { addUsage, type AnswerDraft, type WireRules } from './rules.ts';

const PATH = /^(?:\/v1(?:beta)?)?\/models\/([^/:]+):(generateContent|streamGenerateContent)$/;

/** This wire selects the model and streaming in the path. */
export const gemini: WireRules = {
  route(path, query) {
    const [, model, method] = PATH.exec(path) ?? [];
    if (model === undefined || method === undefined) return null;
    return {
      wire: 'gemini',
      target: (name) => `/models/${encodeURIComponent(name)}:${method}${query}`,
      model: decoded(model),
      streamed: method === 'streamGenerateContent',
    };
  },
  basePath: (given) => (/\/v1(beta)?$/.test(given) ? given : `${given}/v1beta`),
  credentials: (key) => ({ 'x-goog-api-key': key }),
  allowedBody: geminiBody,
  spelling: 'camel',
  outputLimits: [['generationConfig', 'maxOutputTokens']],
  usualHeaders: {},
  error: (code, message) => ({ error: { code, message, status: STATUSES[code] ?? 'INTERNAL' } }),

  readWhole: readChunk,

  readEvent(event, draft) {
    readChunk(event, draft);
    draft.finished ||= objectsIn(event['candidates']).some(({ finishReason }) => typeof finishReason === 'string');
  },

  question: (model, text, maxTokens) => ({
    path: `/models/${encodeURIComponent(model)}:generateContent`,
    body: { contents: [{ role: 'user', parts: [{ text }] }], generationConfig: { maxOutputTokens: maxTokens } },
  }),
  modelList: (model) => ({ models: [{ name: `models/${model}`, displayName: model }] }),
};

const REFUSALS = new Set(['SAFETY', 'PROHIBITED_CONTENT', 'BLOCKLIST', 'SPII', 'RECITATION']);

const STATUSES: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
};

function readChunk(answer: JsonObject, draft: AnswerDraft): void {
  for (const candidate of objectsIn(answer['candidates']))
    for (const part of objectsIn(objectIn(candidate['content'])['parts'])) readPart(part, draft);
  const used = objectIn(answer['usageMetadata']);
  addUsage(draft, {
    input_tokens: countIn(used['promptTokenCount']),
    output_tokens: countIn(used['candidatesTokenCount']) + countIn(used['thoughtsTokenCount']),
  });
  draft.failed ||= isObject(answer['error']);
  if (isObject(answer['error'])) draft.error = answer['error'];
  draft.refused ||= typeof objectIn(answer['promptFeedback'])['blockReason'] === 'string';
  draft.refused ||= objectsIn(answer['candidates']).some(({ finishReason }) => REFUSALS.has(textIn(finishReason)));
}

function readPart(part: JsonObject, draft: AnswerDraft): void {
  if (isObject(part['functionCall'])) draft.toolCalls += 1;
  else if (part['thought'] === true) draft.reasoning = true;
  else draft.text += textIn(part['text']);
}

/** A badly encoded name stays as it is, and matches no model. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
