import type { Shape, Usage } from '../evidence/schema/exchange.ts';
import { isObject, parseJson } from './json.ts';
import { eventData } from './sse.ts';
import type { AnswerDraft, WireRules } from './wires/rules.ts';

/** What an answer says, put together from all of its pieces. */
export interface Answer {
  readonly shape: Shape;
  /** Without reasoning and tool calls. */
  readonly text: string;
  readonly usage: Usage | null;
  /** It says itself that nothing more comes: without that, a stream that ended was cut. */
  readonly finished: boolean;
  /** It says itself that it failed. */
  readonly failed: boolean;
}

const END_OF_STREAM = '[DONE]';
/** Models whose reasoning nobody sets apart begin with it. */
const OPEN_THOUGHT = /^\s*<think>/;
const THOUGHT = /^\s*<think>[^]*?<\/think>/;

/** Reads a whole answer with status 2xx, streamed or not. */
export function readAnswer(rules: WireRules, streamed: boolean, body: string): Answer {
  const draft: AnswerDraft = { text: '', reasoning: false, toolCalls: 0, usage: null, finished: false, failed: false };
  const wellFormed = streamed ? readStream(rules, body, draft) : readWhole(rules, body, draft);
  const { text, reasoning } = apartFromThoughts(draft.text);
  return {
    shape: wellFormed ? shapeOf({ ...draft, text, reasoning: draft.reasoning || reasoning }) : 'malformed',
    text,
    usage: draft.usage,
    finished: draft.finished,
    failed: draft.failed,
  };
}

function shapeOf({ text, toolCalls, reasoning }: Pick<AnswerDraft, 'text' | 'toolCalls' | 'reasoning'>): Shape {
  if (toolCalls > 0) return 'tool_calls';
  if (text.trim() !== '') return 'content';
  return reasoning ? 'reasoning_only' : 'empty';
}

function readWhole(rules: WireRules, body: string, draft: AnswerDraft): boolean {
  const json = parseJson(body);
  if (!isObject(json)) return false;
  rules.readWhole(json, draft);
  draft.finished = true;
  return true;
}

function readStream(rules: WireRules, body: string, draft: AnswerDraft): boolean {
  const events = eventData(body);
  let wellFormed = events.length > 0;
  for (const data of events) {
    const json = data === END_OF_STREAM ? END_OF_STREAM : parseJson(data);
    if (json === END_OF_STREAM) draft.finished = true;
    else if (isObject(json)) rules.readEvent(json, draft);
    else wellFormed = false;
  }
  return wellFormed;
}

function apartFromThoughts(text: string): { text: string; reasoning: boolean } {
  if (!OPEN_THOUGHT.test(text)) return { text, reasoning: false };
  return { text: THOUGHT.test(text) ? text.replace(THOUGHT, '') : '', reasoning: true };
}
