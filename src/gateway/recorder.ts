import type { Exchange, ExchangeEnd } from '../evidence/schema/exchange.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Redactor, RedactedStream } from './redactor.ts';
import type { RawExchange } from './exchange/describe.ts';
import type { AnswerSink, ForwardedRequest } from './exchange/source.ts';
import { WIRES } from './wires/list.ts';

/** Whom an answer is for. */
export interface ResponseWriter {
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
  readonly cover: Redactor;
  readonly done: (raw: RawExchange) => void;
}

/** Hands an answer on, keeps a copy, and tells of it when it is over. */
export class ExchangeRecorder implements AnswerSink {
  readonly #asked: ForwardedRequest;
  readonly #taker: ResponseWriter;
  readonly #setting: ExchangeSetting;
  readonly #startedAt: Date;
  readonly #started: number;
  readonly #covered: RedactedStream;
  readonly #parts: Buffer[] = [];
  #answeredBy: Exchange['answered_by'];
  #head: { readonly status: number; readonly headers: Readonly<Record<string, string>> } | null = null;
  #firstByteMs: number | null = null;
  #over = false;

  constructor(asked: ForwardedRequest, taker: ResponseWriter, setting: ExchangeSetting) {
    this.#asked = asked;
    this.#taker = taker;
    this.#setting = setting;
    this.#answeredBy = setting.answeredBy;
    this.#startedAt = setting.clock.now();
    this.#started = setting.clock.mono();
    this.#covered = setting.cover.stream();
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

  #finish(ended: ExchangeEnd, detail: string | null): void {
    if (this.#over) return;
    this.#over = true;
    const { seq, purpose, route, path, model, streamed, body } = this.#asked;
    const facts = {
      seq,
      started_at: this.#startedAt.toISOString(),
      purpose,
      answered_by: this.#answeredBy,
      wire: route.wire,
      path,
      model,
      streamed,
      status: this.#head?.status ?? null,
      ended,
      detail,
      duration_ms: this.#elapsed(),
      first_byte_ms: this.#firstByteMs,
      headers: this.#head?.headers ?? null,
    };
    const [first, ...others] = this.#parts;
    const response = first !== undefined && others.length === 0 ? first : Buffer.concat(this.#parts);
    later(() => this.#setting.done({ facts, request: body, response }));
  }

  #elapsed(): number {
    return Math.round((this.#setting.clock.mono() - this.#started) * 1000) / 1000;
  }
}

const waiting: (() => void)[] = [];

/** In the next turn, with all else that waits for it: the engine gets the last of its answer first. */
function later(work: () => void): void {
  if (waiting.push(work) > 1) return;
  setImmediate(() => {
    for (const next of waiting.splice(0)) next();
  });
}
