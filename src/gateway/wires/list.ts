import type { Wire } from '../../evidence/schema/exchange.ts';
import { anthropicMessages } from './anthropic-messages.ts';
import { gemini } from './gemini.ts';
import { openaiChat } from './openai-chat.ts';
import { openaiResponses } from './openai-responses.ts';
import type { WireRules } from './rules.ts';

export const WIRES: Readonly<Record<Wire, WireRules>> = {
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
  'anthropic-messages': anthropicMessages,
  gemini,
};
