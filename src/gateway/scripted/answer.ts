import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { JsonObject } from '../exchange/json.ts';
import type { ScriptedConversation } from './conversation.ts';
import { sayTurn } from './said.ts';
import type { Turn } from './schema.ts';
import { type Speaker, streamFrames } from './wires.ts';

const JSON_TYPE = 'application/json';
const STREAM_TYPE = 'text/event-stream';

interface ToAnswer {
  readonly turn: Turn;
  readonly conversation: ScriptedConversation;
  readonly speaker: Speaker;
  readonly id: string;
  readonly response: ServerResponse;
}

export async function answerTurn({ turn, conversation, speaker, id, response }: ToAnswer): Promise<void> {
  const { fault } = turn;
  if (typeof fault === 'object') {
    return refuse(response, fault.http_status, speaker.error(fault.http_status, 'scripted error'));
  }
  const answer = speaker.compose(sayTurn(turn, conversation, id));
  const type = conversation.streamed ? STREAM_TYPE : JSON_TYPE;
  const chunks = conversation.streamed ? streamFrames(speaker.wire, answer) : [JSON.stringify(answer.whole)];
  switch (fault) {
    case 'hang':
      return;
    case 'invalid_json':
      return send(response, JSON_TYPE, ['{"choices": [{"mess'], 0);
    case 'invalid_sse':
      return send(response, STREAM_TYPE, ['data: {"choices": [{"mess\n\n'], 0);
    case 'cut_stream': {
      const whole = chunks.join('');
      return cut(response, type, whole.slice(0, whole.length / 2));
    }
    case undefined:
      return send(response, type, chunks, turn.pause_ms ?? 0);
  }
}

export function refuse(response: ServerResponse, status: number, error: JsonObject): void {
  response.writeHead(status, { 'content-type': JSON_TYPE }).end(JSON.stringify(error));
}

async function send(response: ServerResponse, type: string, chunks: readonly string[], pauseMs: number): Promise<void> {
  response.writeHead(200, { 'content-type': type });
  for (const chunk of chunks) {
    if (pauseMs > 0) await wait(pauseMs);
    if (response.destroyed) return;
    response.write(chunk);
  }
  response.end();
}

/** Waits until the text is written: otherwise the client would see a connection without an answer. */
function cut(response: ServerResponse, type: string, text: string): void {
  response.writeHead(200, { 'content-type': type });
  response.write(text, () => response.destroy());
}
