import * as z from 'zod/mini';
import { count, isoTime } from './parts.ts';

/** Wire formats of model APIs. */
export const wire = z.enum(['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini']);
export type Wire = z.infer<typeof wire>;

/** A body, as text if it is UTF-8. Chunk boundaries are not kept. */
const body = z.union([z.strictObject({ text: z.string() }), z.strictObject({ base64: z.string() })]);
export type Body = z.infer<typeof body>;

/** What a response contains. Reasoning is not content: a response with nothing else counts as no answer. */
export const shape = z.enum(['content', 'tool_calls', 'reasoning_only', 'empty', 'malformed']);
export type Shape = z.infer<typeof shape>;

/** `cut`: the provider closed the connection mid-response. `client_left`: the engine did. */
export const exchangeEnd = z.enum(['complete', 'cut', 'client_left', 'upstream_error', 'timeout', 'malformed']);
export type ExchangeEnd = z.infer<typeof exchangeEnd>;

export const usage = z.strictObject({ input_tokens: count, output_tokens: count });
export type Usage = z.infer<typeof usage>;

/** The cause of an unusable answer, as the provider or its answer names it. */
export const exchangeProblem = z.strictObject({
  kind: z.enum(['usage_limit', 'rate_limit', 'context_overflow', 'model_unknown', 'model_refused']),
  /** When a limit is reset; null: the provider does not say. */
  resets_at: z.nullable(isoTime),
});
export type ExchangeProblem = z.infer<typeof exchangeProblem>;

/** One line of `backend/model/exchanges.jsonl`: a model request and its response, as the engine saw them. */
export const exchange = z.strictObject({
  /** Request number, from 1; the harness's own probe of the response shape is 0. */
  seq: count,
  started_at: isoTime,
  purpose: z.enum(['engine', 'probe']),
  /** `gateway`: the provider did not answer, and the gateway sent the engine an error. */
  answered_by: z.enum(['upstream', 'replay', 'fault', 'gateway']),
  wire,
  path: z.string(),
  /** The requested model, which is the engine's name for the admitted model. */
  model: z.string(),
  streamed: z.boolean(),
  /** Null: the engine disconnected before there was one. */
  status: z.nullable(z.int()),
  ended: exchangeEnd,
  detail: z.nullable(z.string()),
  problem: z.optional(exchangeProblem),
  /** Null: there was no response, or it was an error. */
  shape: z.nullable(shape),
  /** Null: the response does not include it. */
  usage: z.nullable(usage),
  /** The model name in the response, as the provider reports it. Null: none. */
  answered_by_model: z.nullable(z.string()),
  duration_ms: z.number(),
  first_byte_ms: z.nullable(z.number()),
  /** What the gateway left out of the request, such as `metadata` or `anthropic-beta: files-api-2025-04-14`. */
  dropped: z.optional(z.array(z.string())),
  /** What the gateway sent instead of the engine's value, such as `store: false`. */
  changed: z.optional(z.array(z.string())),
  /** As the engine sent it. */
  request: body,
  response: z.nullable(z.strictObject({ headers: z.record(z.string(), z.string()), body })),
});
export type Exchange = z.infer<typeof exchange>;
