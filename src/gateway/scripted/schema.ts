import * as z from 'zod/mini';
import { usage } from '../../evidence/schema/exchange.ts';

const toolCall = z.strictObject({ name: z.string(), arguments: z.record(z.string(), z.unknown()) });
export type ToolCall = z.infer<typeof toolCall>;

/** `invalid_sse`: events that are not JSON. `cut_stream`: the connection breaks in the middle of the answer. */
const fault = z.union([
  z.enum(['hang', 'invalid_json', 'invalid_sse', 'cut_stream']),
  z.strictObject({ http_status: z.int().check(z.minimum(400), z.maximum(599)) }),
]);

/** One answer. With `reasoning` alone it is reasoning-only, with nothing at all it has no content. */
const turn = z.strictObject({
  /** Only for conversations that contain this text, in the system prompt or in a message. */
  when: z.optional(z.string().check(z.minLength(1))),
  /** How often this turn is used before the next one; unlimited by default. */
  times: z.optional(z.int().check(z.positive())),
  reasoning: z.optional(z.string()),
  /** `{{commit}}` is replaced by the last full commit id in the conversation's other messages. */
  text: z.optional(z.string()),
  tool_calls: z.optional(z.array(toolCall)),
  usage: z.optional(usage),
  /** The model that the answer names as its own; the requested one by default. */
  model: z.optional(z.string()),
  /** Delay before every chunk of the answer. */
  pause_ms: z.optional(z.number().check(z.nonnegative())),
  /** A request that allows fewer tokens gets only the reasoning, as if the model had run out of tokens. */
  content_from_tokens: z.optional(z.int().check(z.positive())),
  fault: z.optional(fault),
});
export type Turn = z.infer<typeof turn>;

/**
 * The answers of a scripted model. Turns with the same `when` form a sequence: the n-th answer of a conversation that contains the text is
 * the n-th of them, and the last one repeats. Turns without `when` answer all other conversations.
 */
export const modelScript = z.strictObject({ turns: z.array(turn).check(z.minLength(1)) });
export type ModelScript = z.infer<typeof modelScript>;
