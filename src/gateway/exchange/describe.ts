import { isUtf8 } from 'node:buffer';
import type { Body, Exchange, ExchangeEnd } from '../../evidence/schema/exchange.ts';
import { type Answer, readAnswer } from './answer.ts';
import type { Redactor } from '../redactor.ts';
import type { GatewayReport } from '../types.ts';
import { WIRES } from '../wires/list.ts';

/** What is known of an exchange without reading what was said in it. */
export type ExchangeFacts = Omit<Exchange, 'shape' | 'usage' | 'answered_by_model' | 'request' | 'response'> & {
  /** Null: there was no answer. */
  readonly headers: Readonly<Record<string, string>> | null;
};

/** An exchange as it went over the wire. */
export interface RawExchange {
  readonly facts: ExchangeFacts;
  readonly request: Buffer;
  readonly response: Buffer;
}

/** Of a text that is longer only the end is told: that is where results stand. */
const MAX_TEXT = 1024 * 1024;
const MAX_NAME = 200;
const UNTOLD: Answer = { shape: 'empty', text: '', usage: null, finished: false, failed: false, model: null };

/** Reads what was said, and covers what must not be kept. Pure, and done where it holds up nobody's answer. */
export function describeExchange(
  { facts: { headers, ...facts }, request, response }: RawExchange,
  cover: Redactor,
): Extract<GatewayReport, { kind: 'exchange' }> {
  const { wire, streamed, status } = facts;
  const isAnswer = status !== null && status < 300;
  const answer = isAnswer ? readAnswer(WIRES[wire], streamed, response.toString('utf8')) : UNTOLD;
  return {
    kind: 'exchange',
    text: cover.text(answer.text.slice(-MAX_TEXT)),
    exchange: {
      ...facts,
      ...endOf(isAnswer, answer, facts.ended, facts.detail),
      shape: isAnswer ? answer.shape : null,
      usage: answer.usage,
      answered_by_model: answer.model === null ? null : cover.text(answer.model.slice(0, MAX_NAME)),
      request: bodyOf(cover.bytes(request)),
      response: headers === null ? null : { headers, body: bodyOf(cover.bytes(response)) },
    },
  };
}

/** How the connection ended is one thing, what the answer says of itself another; the cause outranks its symptom. */
function endOf(
  isAnswer: boolean,
  answer: Answer,
  ended: ExchangeEnd,
  detail: string | null,
): Pick<Exchange, 'ended' | 'detail'> {
  if (ended === 'client_left' && isAnswer && answer.finished) return { ended: 'complete', detail };
  if (ended !== 'complete') return { ended, detail };
  if (!isAnswer) return { ended: 'upstream_error', detail: detail ?? 'the provider answered with an error' };
  if (answer.failed) return { ended: 'upstream_error', detail: 'the answer says that it failed' };
  if (answer.shape === 'malformed') return { ended: 'malformed', detail: 'the answer is not what its wire asks for' };
  return answer.finished ? { ended, detail } : { ended: 'cut', detail: 'the answer ended without its end mark' };
}

function bodyOf(bytes: Buffer): Body {
  return isUtf8(bytes) ? { text: bytes.toString('utf8') } : { base64: bytes.toString('base64') };
}
