import type { Wire } from '../../evidence/schema/exchange.ts';
import { WIRES } from '../wires/list.ts';
import type { Route, SampleAnswer, WireRules } from '../wires/rules.ts';
import { composeMessages } from './compose/anthropic-messages.ts';
import { composeGemini } from './compose/gemini.ts';
import { composeChat } from './compose/openai-chat.ts';
import { composeResponses } from './compose/openai-responses.ts';
import type { ScriptedTurn } from './said.ts';

/** Encodes an answer for each wire. */
const COMPOSERS: Readonly<Record<Wire, (turn: ScriptedTurn) => SampleAnswer>> = {
  'openai-chat': composeChat,
  'openai-responses': composeResponses,
  'anthropic-messages': composeMessages,
  gemini: composeGemini,
};

export interface Speaker {
  readonly wire: Wire;
  readonly error: WireRules['error'];
  compose(turn: ScriptedTurn): SampleAnswer;
}

/** The wire that a path belongs to, and the values that it holds. Null if no wire has this path. */
export function speakerAt(path: string): (Speaker & Pick<Route, 'model' | 'streamed'>) | null {
  for (const rules of Object.values(WIRES)) {
    const route = rules.route(path, '');
    if (route !== null) return { ...speaker(route.wire), model: route.model, streamed: route.streamed };
  }
  return null;
}

export function speaker(wire: Wire): Speaker {
  return { wire, error: WIRES[wire].error, compose: COMPOSERS[wire] };
}

/** A stream's events as sent over the wire. OpenAI's chat wire adds a `[DONE]` event. */
export function streamFrames(wire: Wire, { events }: SampleAnswer): string[] {
  const frames = events.map((event) => {
    const name = typeof event['type'] === 'string' ? `event: ${event['type']}\n` : '';
    return `${name}data: ${JSON.stringify(event)}\n\n`;
  });
  return wire === 'openai-chat' ? [...frames, 'data: [DONE]\n\n'] : frames;
}
