import type { IncomingHttpHeaders } from 'node:http';
import type { Exchange, ExchangeEnd } from '../../evidence/schema/exchange.ts';
import type { Question } from '../admit.ts';
import type { RefusalCode } from '../types.ts';
import type { Route } from '../wires/rules.ts';

/** A question that may be asked. */
export interface ForwardedRequest extends Question {
  readonly seq: number;
  readonly purpose: Exchange['purpose'];
  readonly route: Route;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Takes an answer as it comes: a head, parts, and an end or a failure. */
export interface AnswerSink {
  /** `length` where the answer says how long it is. */
  head(status: number, headers: Readonly<Record<string, string>>, length: number | null): void;
  /** False: not so fast; `Answering.goOn` says when. */
  part(bytes: Buffer): boolean;
  end(): void;
  fail(ended: ExchangeEnd, detail: string): void;
}

/** An answer under way. */
export interface Answering {
  /** Nobody listens any more. */
  stop(): void;
  goOn(): void;
}

/** Where answers come from. Must not throw: what goes wrong is told to the sink. */
export interface AnswerSource {
  readonly name: Exchange['answered_by'];
  answer(asked: ForwardedRequest, sink: AnswerSink): Answering;
}

/** Why nobody answers. */
export interface NoSource {
  readonly name: null;
  readonly code: Extract<RefusalCode, 'replay' | 'exhausted' | 'upstream'>;
  readonly reason: string;
}
