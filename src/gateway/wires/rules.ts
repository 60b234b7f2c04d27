import type { Usage, Wire } from '../../evidence/schema/exchange.ts';
import type { Spelling } from '../allowed/filter.ts';
import type { AllowedObject } from '../allowed/shape.ts';
import type { JsonObject } from '../exchange/json.ts';

/** The wire of an engine's request, and the values that its path holds. */
export interface Route {
  readonly wire: Wire;
  /** The path below the provider's base URL, with query, for the provider's name of the model. */
  readonly target: (model: string) => string;
  /** Null if the body names it. */
  readonly model: string | null;
  readonly streamed: boolean | null;
}

/** An answer as a provider would send it, as one body and as stream events. */
export interface SampleAnswer {
  readonly whole: JsonObject;
  readonly events: readonly JsonObject[];
}

/** Filled in by a wire's readers. */
export interface AnswerDraft {
  text: string;
  reasoning: boolean;
  toolCalls: number;
  usage: Usage | null;
  finished: boolean;
  failed: boolean;
  /** The error that the answer reports. */
  error: JsonObject;
  /** The model, or a filter in front of it, refused to answer. */
  refused: boolean;
}

/** The keys that lead to a value, from the outside in. */
export type KeyPath = readonly [string] | readonly [string, string];

/** Everything that differs between wires. Readers must not throw on any input. */
export interface WireRules {
  /** Null if the path does not belong to this wire. `path` begins with `/` and has no query. */
  route(path: string, query: string): Route | null;
  /** The path prefix of all targets, from the path of the configured base URL. */
  basePath(given: string): string;
  credentials(key: string): Readonly<Record<string, string>>;
  /** What the body of a request may contain. */
  readonly allowedBody: AllowedObject;
  readonly spelling: Spelling;
  /** Where a body limits the tokens of its answer. The first is used for requests that set none. */
  readonly outputLimits: readonly [KeyPath, ...KeyPath[]];
  /** Required headers, added if the request lacks them. */
  readonly usualHeaders: Readonly<Record<string, string>>;
  /** An error body in this wire's format. */
  error(status: number, message: string): JsonObject;
  readWhole(answer: JsonObject, draft: AnswerDraft): void;
  readEvent(event: JsonObject, draft: AnswerDraft): void;
  /** A minimal request with one user message. */
  question(model: string, text: string, maxTokens: number): { readonly path: string; readonly body: JsonObject };
  /** A model list with this one model. */
  modelList(model: string): JsonObject;
}

export function addUsage(draft: AnswerDraft, used: Usage): void {
  if (used.input_tokens > 0 || used.output_tokens > 0) draft.usage = used;
}

/** For wires with a single path, with or without `/v1`, that name the model in the body. */
export function onePath(wire: Wire, path: string): WireRules['route'] {
  return (asked, query) =>
    asked === path || asked === `/v1${path}`
      ? { wire, target: () => `${path}${query}`, model: null, streamed: null }
      : null;
}
