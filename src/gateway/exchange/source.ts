import type { Exchange, ExchangeEnd } from '../../evidence/schema/exchange.ts';
import type { Reason } from '../../evidence/reasons/reason.ts';
import type { Question } from '../admit.ts';
import type { RefusalCode } from '../types.ts';
import type { Route } from '../wires/rules.ts';

/** An admitted request. */
export interface ForwardedRequest extends Question {
  readonly seq: number;
  readonly purpose: Exchange['purpose'];
  readonly route: Route;
  readonly path: string;
  /** The headers that are forwarded. */
  readonly headers: Readonly<Record<string, string>>;
  /** As the engine sent it, for the record. */
  readonly body: Buffer;
  /** What the provider receives. */
  readonly sent: Buffer;
}

/** Receives an answer as it arrives: a head, chunks, then an end or a failure. */
export interface AnswerSink {
  /** `length` is null if the answer does not declare one. */
  head(status: number, headers: Readonly<Record<string, string>>, length: number | null): void;
  /** Returns false if the source must wait for `Answering.goOn`. */
  chunk(bytes: Buffer): boolean;
  end(): void;
  fail(ended: ExchangeEnd, detail: string): void;
}

/** An answer in progress. */
export interface Answering {
  /** The receiver has gone. */
  stop(): void;
  goOn(): void;
}

/** An exchange in progress, as seen by the client's connection. */
export interface OpenExchange {
  readonly kind: 'conversation';
  /** The client has disconnected. */
  left(): void;
  /** The client can receive more. */
  goOn(): void;
}

/** Produces answers. Must not throw: failures are reported to the sink. */
export interface AnswerSource {
  readonly name: Exchange['answered_by'];
  answer(asked: ForwardedRequest, sink: AnswerSink): Answering;
}

/** Why no source can answer. */
export interface NoSource {
  readonly name: null;
  readonly code: Extract<RefusalCode, 'replay' | 'exhausted' | 'upstream' | 'login'>;
  /** A reason ends the run, a text does not. */
  readonly why: Reason<'fail' | 'blocked'> | string;
}
