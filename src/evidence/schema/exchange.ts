import * as z from 'zod/mini';
import { count, isoTime } from './parts.ts';

/** The languages in which programs talk to models. */
export const wire = z.enum(['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini']);
export type Wire = z.infer<typeof wire>;

/** What was sent, as text where it is UTF-8; how it was cut into pieces on its way is not kept. */
const body = z.union([z.strictObject({ text: z.string() }), z.strictObject({ base64: z.string() })]);
export type Body = z.infer<typeof body>;

/** What an answer is made of. Reasoning is never content: an answer that has nothing else is no answer. */
export const shape = z.enum(['content', 'tool_calls', 'reasoning_only', 'empty', 'malformed']);
export type Shape = z.infer<typeof shape>;

/** `cut`: the provider stopped in the middle. `client_left`: the engine did. */
export const exchangeEnd = z.enum(['complete', 'cut', 'client_left', 'upstream_error', 'timeout', 'malformed']);
export type ExchangeEnd = z.infer<typeof exchangeEnd>;

export const usage = z.strictObject({ input_tokens: count, output_tokens: count });
export type Usage = z.infer<typeof usage>;

/** One line of `backend/model/exchanges.jsonl`: a question to the model and what came back, as the engine saw it. */
export const exchange = z.strictObject({
  /** In the order they were asked, from 1; the harness's own question about the shape of answers is 0. */
  seq: count,
  started_at: isoTime,
  purpose: z.enum(['engine', 'probe']),
  /** `gateway`: there was no answer, and the engine was told so. */
  answered_by: z.enum(['upstream', 'replay', 'fault', 'gateway']),
  wire,
  path: z.string(),
  /** The name that was asked for, which is the engine's name for the admitted model. */
  model: z.string(),
  streamed: z.boolean(),
  /** Null: the engine left before there was one. */
  status: z.nullable(z.int()),
  ended: exchangeEnd,
  detail: z.nullable(z.string()),
  /** Null: there was no answer to look at, or it was an error. */
  shape: z.nullable(shape),
  /** Null: the answer does not say. */
  usage: z.nullable(usage),
  /** The name that the answer gives itself: the provider's word. Null: it gives none. */
  answered_by_model: z.nullable(z.string()),
  duration_ms: z.number(),
  first_byte_ms: z.nullable(z.number()),
  request: body,
  response: z.nullable(z.strictObject({ headers: z.record(z.string(), z.string()), body })),
});
export type Exchange = z.infer<typeof exchange>;
