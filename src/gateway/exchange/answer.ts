import type { Shape, Usage } from '../../evidence/schema/exchange.ts';
import { isObject, type JsonObject, objectIn, parseJson, textIn } from './json.ts';
import { eventData } from './sse.ts';
import type { AnswerDraft, WireRules } from '../wires/rules.ts';

/** A parsed answer, assembled from all chunks of a stream. */
export interface Answer {
  readonly shape: Shape;
  /** Without reasoning and tool calls. */
  readonly text: string;
  readonly usage: Usage | null;
  /** The answer holds its end mark. A stream that closes without one was cut. */
  readonly finished: boolean;
  /** The answer reports an error. */
  readonly failed: boolean;
  /** That error; empty if there is none. */
  readonly error: JsonObject;
  /** The model, or a filter in front of it, refused to answer. */
  readonly refused: boolean;
  /** The model named in the answer. */
  readonly model: string | null;
}

const END_OF_STREAM = '[DONE]';
/** Some servers return a model's reasoning inline, at the start of its text. */
const OPEN_THOUGHT = /^\s*<think>/;
const THOUGHT = /^\s*<think>[^]*?<\/think>/;

/** Parses the complete body of a 2xx answer, streamed or not. */
export function readAnswer(rules: WireRules, streamed: boolean, body: string): Answer {
  const draft: AnswerDraft = {
    text: '',
    reasoning: false,
    toolCalls: 0,
    usage: null,
    finished: false,
    failed: false,
    error: {},
    refused: false,
  };
  const parsed = streamed ? readStream(rules, body, draft) : readWhole(rules, body, draft);
  const { text, reasoning } = withoutThoughts(draft.text);
  return {
    shape: parsed.wellFormed ? shapeOf({ ...draft, text, reasoning: draft.reasoning || reasoning }) : 'malformed',
    text,
    usage: draft.usage,
    finished: draft.finished,
    failed: draft.failed,
    error: draft.error,
    // Whoever calls a tool goes on working.
    refused: draft.refused && draft.toolCalls === 0,
    model: parsed.model,
  };
}

function shapeOf({ text, toolCalls, reasoning }: Pick<AnswerDraft, 'text' | 'toolCalls' | 'reasoning'>): Shape {
  if (toolCalls > 0) return 'tool_calls';
  if (text.trim() !== '') return 'content';
  return reasoning ? 'reasoning_only' : 'empty';
}

interface Read {
  readonly wellFormed: boolean;
  readonly model: string | null;
}

function readWhole(rules: WireRules, body: string, draft: AnswerDraft): Read {
  const json = parseJson(body);
  if (!isObject(json)) return { wellFormed: false, model: null };
  rules.readWhole(json, draft);
  draft.finished = true;
  return { wellFormed: true, model: modelIn(json) };
}

function readStream(rules: WireRules, body: string, draft: AnswerDraft): Read {
  const events = eventData(body);
  let wellFormed = events.length > 0;
  let model: string | null = null;
  for (const data of events) {
    const json = data === END_OF_STREAM ? END_OF_STREAM : parseJson(data);
    if (json === END_OF_STREAM) draft.finished = true;
    else if (isObject(json)) {
      rules.readEvent(json, draft);
      model ??= modelIn(json);
    } else wellFormed = false;
  }
  return { wellFormed, model };
}

/** The wires name the model at the top level, or in the first event's message or response. */
function modelIn(json: JsonObject): string | null {
  const places = [json, objectIn(json['message']), objectIn(json['response'])];
  const named = places.map((place) => textIn(place['model'])).find((name) => name !== '');
  return named ?? (textIn(json['modelVersion']) || null);
}

function withoutThoughts(text: string): { text: string; reasoning: boolean } {
  if (!OPEN_THOUGHT.test(text)) return { text, reasoning: false };
  return { text: THOUGHT.test(text) ? text.replace(THOUGHT, '') : '', reasoning: true };
}
