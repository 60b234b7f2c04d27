import type { Usage, Wire } from '../../evidence/schema/exchange.ts';
import type { JsonObject } from '../exchange/json.ts';

/** Where a request of the engine leads: which wire, and what of it stands in the path. */
export interface Route {
  readonly wire: Wire;
  /** Below the base URL of the provider, query included, for the model's name there. */
  readonly target: (model: string) => string;
  /** Null: the body names it. */
  readonly model: string | null;
  readonly streamed: boolean | null;
}

/** An answer as a provider would send it: a body, or the events of a stream. */
export interface SampleAnswer {
  readonly whole: JsonObject;
  readonly events: readonly JsonObject[];
}

/** What a wire's reader fills in. */
export interface AnswerDraft {
  text: string;
  reasoning: boolean;
  toolCalls: number;
  usage: Usage | null;
  finished: boolean;
  failed: boolean;
}

/** All that differs between the wires. Readers must not throw, whatever they are given. */
export interface WireRules {
  /** Null: the path is none of this wire's. `path` begins with `/` and has no query. */
  route(path: string, query: string): Route | null;
  /** What stands between a base URL as users give it and the targets. */
  basePath(given: string): string;
  credentials(key: string): Readonly<Record<string, string>>;
  /** Headers that a request has to have, unless it brings its own. */
  readonly usualHeaders: Readonly<Record<string, string>>;
  /** How this wire's providers say no. */
  error(status: number, message: string): JsonObject;
  readWhole(answer: JsonObject, draft: AnswerDraft): void;
  readEvent(event: JsonObject, draft: AnswerDraft): void;
  /** A plain request for a few words. */
  question(model: string, text: string, maxTokens: number): { readonly path: string; readonly body: JsonObject };
  /** That there is one model and no other. */
  modelList(model: string): JsonObject;
}

export function addUsage(draft: AnswerDraft, used: Usage): void {
  if (used.input_tokens > 0 || used.output_tokens > 0) draft.usage = used;
}

/** A wire that has one path, below `/v1` or not, and names the model in the body. */
export function onePath(wire: Wire, path: string): WireRules['route'] {
  return (asked, query) =>
    asked === path || asked === `/v1${path}`
      ? { wire, target: () => `${path}${query}`, model: null, streamed: null }
      : null;
}
