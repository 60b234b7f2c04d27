import type { Exchange, ExchangeEnd } from '../evidence/schema/exchange.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Redactor, RedactedStream } from './redactor.ts';
import type { MemoryBudget } from './exchange/memory-budget.ts';
import type { RawExchange } from './exchange/describe.ts';
import type { AnswerSink, ForwardedRequest } from './exchange/source.ts';
import { WIRES } from './wires/list.ts';

/** The client that receives an answer. */
export interface ResponseWriter {
  head(status: number, headers: Readonly<Record<string, string>>, length: number | null): void;
  chunk(bytes: Buffer): boolean;
  end(): void;
  /** Aborts the answer. It must not look complete to the client. */
  cut(): void;
}

export interface ExchangeSetting {
  readonly clock: Clock;
  readonly answeredBy: Exchange['answered_by'];
  /** Applied to what the engine receives. */
  readonly redactor: Redactor;
  readonly memory: MemoryBudget;
  /** Stops the answer at its source. */
  readonly stop: () => void;
  readonly done: (raw: RawExchange) => void;
}

/** Forwards an answer, keeps a copy, and reports the exchange when it ends. */
export class ExchangeRecorder implements AnswerSink {
  readonly #asked: ForwardedRequest;
  readonly #writer: ResponseWriter;
  readonly #setting: ExchangeSetting;
  readonly #startedAt: Date;
  readonly #started: number;
  readonly #redacted: RedactedStream;
  readonly #chunks: Buffer[] = [];
  #answeredBy: Exchange['answered_by'];
  #head: { readonly status: number; readonly headers: Readonly<Record<string, string>> } | null = null;
  #firstByteMs: number | null = null;
  #reserved = 0;
  #over = false;

  constructor(asked: ForwardedRequest, writer: ResponseWriter, setting: ExchangeSetting) {
    this.#asked = asked;
    this.#writer = writer;
    this.#setting = setting;
    this.#answeredBy = setting.answeredBy;
    this.#startedAt = setting.clock.now();
    this.#started = setting.clock.mono();
    this.#redacted = setting.redactor.stream();
  }

  head(status: number, headers: Readonly<Record<string, string>>, length: number | null): void {
    this.#head = { status, headers };
    this.#firstByteMs = this.#elapsed();
    this.#writer.head(status, headers, length);
  }

  chunk(bytes: Buffer): boolean {
    if (this.#over) return false;
    if (!this.#setting.memory.reserve(bytes.length)) {
      this.#setting.stop();
      this.fail('cut', `the answers under way hold more than ${this.#setting.memory.maxBytes} bytes together`);
      return false;
    }
    this.#reserved += bytes.length;
    const settled = this.#redacted.push(bytes);
    if (settled.length === 0) return true;
    this.#chunks.push(settled);
    return this.#writer.chunk(settled);
  }

  end(): void {
    const rest = this.#redacted.end();
    if (rest.length > 0) {
      this.#chunks.push(rest);
      this.#writer.chunk(rest);
    }
    this.#writer.end();
    this.#finish('complete', null);
  }

  fail(ended: ExchangeEnd, detail: string): void {
    if (this.#head === null) this.#sayFailed(ended === 'timeout' ? 504 : 502, detail);
    else this.#writer.cut();
    this.#finish(ended, detail);
  }

  /** The engine has disconnected. */
  left(): void {
    this.#finish('client_left', null);
  }

  #sayFailed(status: number, detail: string): void {
    const body = Buffer.from(JSON.stringify(WIRES[this.#asked.route.wire].error(status, detail)));
    this.#answeredBy = 'gateway';
    this.head(status, { 'content-type': 'application/json' }, body.length);
    this.#chunks.push(body);
    this.#writer.chunk(body);
    this.#writer.end();
  }

  #finish(ended: ExchangeEnd, detail: string | null): void {
    if (this.#over) return;
    this.#over = true;
    const { seq, purpose, route, path, model, streamed, body, dropped, changed } = this.#asked;
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
      ...(dropped.length === 0 ? {} : { dropped: [...dropped] }),
      ...(changed.length === 0 ? {} : { changed: [...changed] }),
      headers: this.#head?.headers ?? null,
    };
    const [first, ...others] = this.#chunks;
    const response = first !== undefined && others.length === 0 ? first : Buffer.concat(this.#chunks);
    later(() => {
      this.#setting.done({ facts, request: body, response });
      this.#setting.memory.release(this.#reserved);
    });
  }

  #elapsed(): number {
    return Math.round((this.#setting.clock.mono() - this.#started) * 1000) / 1000;
  }
}

const waiting: (() => void)[] = [];

/** Runs in the next turn of the event loop, after the engine has received the end of its answer. */
function later(work: () => void): void {
  if (waiting.push(work) > 1) return;
  setImmediate(() => {
    for (const next of waiting.splice(0)) next();
  });
}
