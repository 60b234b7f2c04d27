import { isUtf8 } from 'node:buffer';
import type { Body, Exchange, ExchangeEnd } from '../evidence/schema/exchange.ts';
import type { Clock } from '../kernel/clock.ts';
import { type Answer, readAnswer } from './answer.ts';
import type { Cover, CoveredStream } from './cover.ts';
import type { AnswerSink, Asked } from './source.ts';
import type { GatewayReport } from './types.ts';
import { WIRES } from './wires/list.ts';

/** Whom an answer is for. */
export interface Taker {
  head(status: number, headers: Readonly<Record<string, string>>, length: number | null): void;
  part(bytes: Buffer): boolean;
  end(): void;
  /** The answer breaks off, and must not look as if it had ended. */
  cut(): void;
}

export interface ExchangeSetting {
  readonly clock: Clock;
  readonly answeredBy: Exchange['answered_by'];
  /** Over what the engine gets. */
  readonly coverKey: Cover;
  /** Over what is kept. */
  readonly coverAll: Cover;
  readonly done: (report: GatewayReport) => void;
}

/** Of a text that is longer only the end is told: that is where results stand. */
const MOST_TEXT = 1024 * 1024;
const UNTOLD: Answer = { shape: 'empty', text: '', usage: null, finished: false, failed: false };

/** Hands an answer on, keeps a copy, and tells what it was when it is over. */
export class Exchanging implements AnswerSink {
  readonly #asked: Asked;
  readonly #taker: Taker;
  readonly #setting: ExchangeSetting;
  readonly #startedAt: Date;
  readonly #started: number;
  readonly #covered: CoveredStream;
  readonly #parts: Buffer[] = [];
  #answeredBy: Exchange['answered_by'];
  #head: { readonly status: number; readonly headers: Readonly<Record<string, string>> } | null = null;
  #firstByteMs: number | null = null;
  #over = false;

  constructor(asked: Asked, taker: Taker, setting: ExchangeSetting) {
    this.#asked = asked;
    this.#taker = taker;
    this.#setting = setting;
    this.#answeredBy = setting.answeredBy;
    this.#startedAt = setting.clock.now();
    this.#started = setting.clock.mono();
    this.#covered = setting.coverKey.stream();
  }

  head(status: number, headers: Readonly<Record<string, string>>, length: number | null): void {
    this.#head = { status, headers };
    this.#firstByteMs = this.#elapsed();
    this.#taker.head(status, headers, length);
  }

  part(bytes: Buffer): boolean {
    const settled = this.#covered.push(bytes);
    if (settled.length === 0) return true;
    this.#parts.push(settled);
    return this.#taker.part(settled);
  }

  end(): void {
    const rest = this.#covered.end();
    if (rest.length > 0) {
      this.#parts.push(rest);
      this.#taker.part(rest);
    }
    this.#taker.end();
    this.#finish('complete', null);
  }

  fail(ended: ExchangeEnd, detail: string): void {
    if (this.#head === null) this.#sayFailed(ended === 'timeout' ? 504 : 502, detail);
    else this.#taker.cut();
    this.#finish(ended, detail);
  }

  /** The engine has hung up. */
  left(): void {
    this.#finish('client_left', null);
  }

  #sayFailed(status: number, detail: string): void {
    const body = Buffer.from(JSON.stringify(WIRES[this.#asked.route.wire].error(status, detail)));
    this.#answeredBy = 'gateway';
    this.head(status, { 'content-type': 'application/json' }, body.length);
    this.#parts.push(body);
    this.#taker.part(body);
    this.#taker.end();
  }

  /** What it was is found out after the engine has got the last of it. */
  #finish(ended: ExchangeEnd, detail: string | null): void {
    if (this.#over) return;
    this.#over = true;
    const duration = this.#elapsed();
    setImmediate(() => this.#setting.done(this.#report(ended, detail, duration)));
  }

  #report(ended: ExchangeEnd, detail: string | null, duration: number): GatewayReport {
    const { coverAll } = this.#setting;
    const { seq, purpose, route, path, model, streamed, body } = this.#asked;
    const bytes = this.#parts.length === 1 && this.#parts[0] ? this.#parts[0] : Buffer.concat(this.#parts);
    const isAnswer = this.#head !== null && this.#head.status < 300;
    const answer = isAnswer ? readAnswer(WIRES[route.wire], streamed, bytes.toString('utf8')) : UNTOLD;
    return {
      kind: 'exchange',
      text: coverAll.text(answer.text.slice(-MOST_TEXT)),
      exchange: {
        seq,
        started_at: this.#startedAt.toISOString(),
        purpose,
        answered_by: this.#answeredBy,
        wire: route.wire,
        path,
        model,
        streamed,
        status: this.#head?.status ?? null,
        ...endOf(isAnswer, answer, ended, detail),
        shape: isAnswer ? answer.shape : null,
        usage: answer.usage,
        duration_ms: duration,
        first_byte_ms: this.#firstByteMs,
        request: bodyOf(coverAll.bytes(body)),
        response: this.#head === null ? null : { headers: this.#head.headers, body: bodyOf(coverAll.bytes(bytes)) },
      },
    };
  }

  #elapsed(): number {
    return Math.round((this.#setting.clock.mono() - this.#started) * 1000) / 1000;
  }
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
