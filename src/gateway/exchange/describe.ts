import { isUtf8 } from 'node:buffer';
import type { Body, Exchange, ExchangeEnd, ExchangeProblem } from '../../evidence/schema/exchange.ts';
import { type Answer, readAnswer } from './answer.ts';
import { endOfExchange, errorIn, problemIn } from './problem.ts';
import type { Redactor } from '../redactor.ts';
import type { GatewayReport } from '../types.ts';
import { WIRES } from '../wires/list.ts';

/** What is known about an exchange without parsing its bodies. */
export type ExchangeFacts = Omit<Exchange, 'shape' | 'usage' | 'answered_by_model' | 'request' | 'response'> & {
  /** Null if there was no answer. */
  readonly headers: Readonly<Record<string, string>> | null;
};

/** An exchange with its bodies as sent over the wire. */
export interface RawExchange {
  readonly facts: ExchangeFacts;
  readonly request: Buffer;
  readonly response: Buffer;
}

/** Longer texts lose their beginning: results are at the end. */
const MAX_TEXT = 1024 * 1024;
const MAX_NAME = 200;
const NO_ANSWER: Answer = {
  shape: 'empty',
  text: '',
  usage: null,
  finished: false,
  failed: false,
  error: {},
  refused: false,
  model: null,
};

/** Parses and redacts an exchange. Pure; runs in the harness, so that it delays no answer. */
export function describeExchange(
  { facts: { headers, ...facts }, request, response }: RawExchange,
  redactor: Redactor,
): Extract<GatewayReport, { kind: 'exchange' }> {
  const { wire, streamed, status } = facts;
  const isAnswer = status !== null && status < 300;
  const answer = isAnswer ? readAnswer(WIRES[wire], streamed, response.toString('utf8')) : NO_ANSWER;
  const problem = problemOf({ facts, headers, response, answer });
  return {
    kind: 'exchange',
    text: redactor.text(answer.text.slice(-MAX_TEXT)),
    exchange: {
      ...facts,
      ...endOf(isAnswer, answer, facts.ended, facts.detail),
      ...(problem === null ? {} : { problem }),
      shape: isAnswer ? answer.shape : null,
      usage: answer.usage,
      answered_by_model: answer.model === null ? null : redactor.text(answer.model.slice(0, MAX_NAME)),
      request: bodyOf(redactor.bytes(request)),
      response: headers === null ? null : { headers, body: bodyOf(redactor.bytes(response)) },
    },
  };
}

interface Answered {
  readonly facts: Omit<ExchangeFacts, 'headers'>;
  readonly headers: ExchangeFacts['headers'];
  readonly response: Buffer;
  readonly answer: Answer;
}

/** An error of the gateway itself names no cause of the provider's. */
function problemOf({ facts, headers, response, answer }: Answered): ExchangeProblem | null {
  const { status, answered_by: by } = facts;
  if (status === null || by === 'gateway') return null;
  const at = endOfExchange(facts);
  if (status >= 400)
    return problemIn({ status, headers: headers ?? {}, error: errorIn(response.toString('utf8')), at });
  if (answer.failed) return problemIn({ status, headers: headers ?? {}, error: answer.error, at });
  return answer.refused ? { kind: 'model_refused', resets_at: null } : null;
}

/** Combines how the connection ended with what the answer reports about itself; the cause wins over its symptom. */
function endOf(
  isAnswer: boolean,
  answer: Answer,
  ended: ExchangeEnd,
  detail: string | null,
): Pick<Exchange, 'ended' | 'detail'> {
  if (ended === 'client_left' && isAnswer && answer.finished) return { ended: 'complete', detail };
  if (ended !== 'complete') return { ended, detail };
  if (!isAnswer) return { ended: 'upstream_error', detail: detail ?? 'the provider answered with an error' };
  if (answer.failed) return { ended: 'upstream_error', detail: 'the answer reports an error' };
  if (answer.shape === 'malformed') return { ended: 'malformed', detail: 'the answer does not follow the wire format' };
  return answer.finished ? { ended, detail } : { ended: 'cut', detail: 'the answer ended without its end mark' };
}

function bodyOf(bytes: Buffer): Body {
  return isUtf8(bytes) ? { text: bytes.toString('utf8') } : { base64: bytes.toString('base64') };
}
