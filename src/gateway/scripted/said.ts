import type { Usage } from '../../evidence/schema/exchange.ts';
import type { ScriptedConversation } from './conversation.ts';
import type { ToolCall, Turn } from './schema.ts';

/** One answer of the model, before it is encoded for a wire. */
export interface ScriptedTurn {
  readonly model: string;
  /** Unique for each answer. */
  readonly id: string;
  readonly reasoning: string;
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  readonly usage: Usage;
}

const COMMIT_ID = /\b[0-9a-f]{40}\b/g;
const SMALL: Usage = { input_tokens: 10, output_tokens: 5 };

export function sayTurn(turn: Turn, { model, maxTokens, otherText }: ScriptedConversation, id: string): ScriptedTurn {
  const tooFew = maxTokens < (turn.content_from_tokens ?? 0);
  const commit = otherText.match(COMMIT_ID)?.at(-1);
  const text = turn.text ?? '';
  return {
    model: turn.model ?? model,
    id,
    reasoning: turn.reasoning ?? '',
    text: tooFew ? '' : commit === undefined ? text : text.replaceAll('{{commit}}', commit),
    toolCalls: tooFew ? [] : (turn.tool_calls ?? []),
    usage: turn.usage ?? SMALL,
  };
}

/** Providers split text anywhere, even inside a marker that a reader looks for. */
export function chunksOf(text: string): string[] {
  return text.match(/[^]{1,24}/gu) ?? [];
}
