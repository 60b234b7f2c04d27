import { WIRES } from '../wires/list.ts';
import type { SampleAnswer, WireRules } from '../wires/rules.ts';
import { composeMessages } from './compose/anthropic-messages.ts';
import { composeChat } from './compose/openai-chat.ts';
import { composeResponses } from './compose/openai-responses.ts';
import type { Said } from './said.ts';

/** The wires that a scripted model speaks, and what says an answer in each. */
const COMPOSERS = {
  'openai-chat': composeChat,
  'openai-responses': composeResponses,
  'anthropic-messages': composeMessages,
} as const satisfies Partial<Record<keyof typeof WIRES, (said: Said) => SampleAnswer>>;

export type ScriptedWire = keyof typeof COMPOSERS;

export interface Speaker {
  readonly wire: ScriptedWire;
  readonly error: WireRules['error'];
  compose(said: Said): SampleAnswer;
}

const SPEAKERS: readonly Speaker[] = [
  speaker('openai-chat'),
  speaker('openai-responses'),
  speaker('anthropic-messages'),
];

/** Null: no wire has this path. */
export function speakerAt(path: string): Speaker | null {
  return SPEAKERS.find(({ wire }) => WIRES[wire].route(path, '') !== null) ?? null;
}

function speaker(wire: ScriptedWire): Speaker {
  return { wire, error: WIRES[wire].error, compose: COMPOSERS[wire] };
}

/** A stream's events as they go over the wire. OpenAI's older wire says the end in a word of its own. */
export function streamFrames(wire: ScriptedWire, { events }: SampleAnswer): string[] {
  const plain = wire === 'openai-chat';
  const frames = events.map((event) => {
    const data = `data: ${JSON.stringify(event)}\n\n`;
    return plain ? data : `event: ${String(event['type'])}\n${data}`;
  });
  return plain ? [...frames, 'data: [DONE]\n\n'] : frames;
}
