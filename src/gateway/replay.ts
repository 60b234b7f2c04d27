import { reason } from '../evidence/reasons/catalogue.ts';
import type { Exchange, Wire } from '../evidence/schema/exchange.ts';
import { silence } from './faults.ts';
import type { Answering, AnswerSink, AnswerSource, ForwardedRequest, NoSource } from './exchange/source.ts';

/** Repeats the answers of another run. Request bodies are not compared: prompts contain times and ids. */
export class ReplaySource {
  readonly #recorded: readonly Exchange[];
  readonly #timeoutMs: number;
  readonly #asked = new Map<Wire, number>();

  constructor(recorded: readonly Exchange[], timeoutMs: number) {
    this.#recorded = recorded.toSorted((a, b) => a.seq - b.seq);
    this.#timeoutMs = timeoutMs;
  }

  /** The next recorded answer on this wire, or why there is none. */
  next({ purpose, path, model, streamed, route: { wire } }: ForwardedRequest): AnswerSource | NoSource {
    const rest = this.#recorded.filter((one) => one.wire === wire && one.purpose === purpose);
    const index = purpose === 'probe' ? 0 : (this.#asked.get(wire) ?? 0);
    const recorded = rest[index];
    if (recorded === undefined)
      return { name: null, code: 'exhausted', why: `replay exhausted: there were ${rest.length} requests` };
    const fits = recorded.path === path && recorded.model === model && recorded.streamed === streamed;
    if (!fits) {
      const why = reason('replay_mismatch', { n: index + 1, what: describe(recorded) });
      return { name: null, code: 'replay', why };
    }
    if (purpose === 'engine') this.#asked.set(wire, index + 1);
    return { name: 'replay', answer: (_asked, sink) => answerAgain(recorded, sink, this.#timeoutMs) };
  }
}

function answerAgain({ status, ended, detail, response }: Exchange, sink: AnswerSink, timeoutMs: number): Answering {
  if (response === null || status === null) return silence(sink, timeoutMs);
  const { body, headers } = response;
  sink.head(status, headers, null);
  sink.chunk('text' in body ? Buffer.from(body.text) : Buffer.from(body.base64, 'base64'));
  switch (ended) {
    case 'complete':
    case 'malformed':
    case 'upstream_error':
      sink.end();
      break;
    case 'cut':
    case 'timeout':
      if (status >= 400) sink.end();
      else sink.fail(ended, detail ?? 'the recorded answer was cut here');
      break;
    case 'client_left':
      return silence(sink, timeoutMs);
    default:
      ended satisfies never;
  }
  return { stop: () => {}, goOn: () => {} };
}

function describe({ path, model, streamed }: Exchange): string {
  return `${model} at ${path}${streamed ? ', streamed' : ''}`;
}
