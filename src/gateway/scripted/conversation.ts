import { countIn, isObject, type JsonObject, objectIn, objectsIn, textIn } from '../exchange/json.ts';
import type { Route } from '../wires/rules.ts';

/** A request's conversation, independent of the wire. */
export interface ScriptedConversation {
  readonly model: string;
  readonly streamed: boolean;
  /** Infinity if the request sets no limit. */
  readonly maxTokens: number;
  readonly words: string;
  /** How many answers of the model it holds. */
  readonly answers: number;
  /** The text of all other messages: from users, the system and tools. */
  readonly otherText: string;
}

const TOKEN_LIMITS = ['max_tokens', 'max_completion_tokens', 'max_output_tokens', 'maxOutputTokens'];
const PLACES_OF_WORDS = ['system', 'instructions', 'systemInstruction', 'messages', 'input', 'contents'];
const ROLES_OF_MODEL = ['assistant', 'model'];
const SAID_BY_MODEL = ['function_call', 'reasoning'];

export function readConversation(body: JsonObject, inPath: Pick<Route, 'model' | 'streamed'>): ScriptedConversation {
  const items = objectsIn(body['messages'] ?? body['input'] ?? body['contents']);
  const limits = { ...body, ...objectIn(body['generationConfig']) };
  const others = items.filter((item) => !byModel(item));
  // One answer can consist of several consecutive items.
  const answers = items.filter((item, index) => byModel(item) && !byModel(items[index - 1] ?? {})).length;
  return {
    model: inPath.model ?? textIn(body['model']),
    streamed: inPath.streamed ?? body['stream'] === true,
    maxTokens: TOKEN_LIMITS.map((name) => countIn(limits[name])).find((limit) => limit > 0) ?? Infinity,
    words: wordsOf(PLACES_OF_WORDS.map((name) => body[name])),
    answers,
    otherText: wordsOf(others),
  };
}

function byModel(item: JsonObject): boolean {
  return ROLES_OF_MODEL.includes(textIn(item['role'])) || SAID_BY_MODEL.includes(textIn(item['type']));
}

function wordsOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(wordsOf).join('\n');
  return isObject(value) ? wordsOf(Object.values(value)) : '';
}
