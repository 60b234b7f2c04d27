import { reason } from '../evidence/reasons/catalogue.ts';
import type { Exchange } from '../evidence/schema/exchange.ts';
import { sha256 } from '../kernel/digest.ts';
import { silence } from './faults.ts';
import type { Answering, AnswerSink, AnswerSource, ForwardedRequest, NoSource } from './exchange/source.ts';

/**
 * Repeats the answers of another run. Agents ask several models at once, so an answer is looked up among those to the same model, path and
 * kind of answer: the first that answers the same prompt, or else the next in order. Prompts contain times and ids, so they may differ.
 */
export class ReplaySource {
  readonly #recorded: readonly Exchange[];
  readonly #timeoutMs: number;
  readonly #given = new Set<Exchange>();
  readonly #digests = new Map<Exchange, string>();

  constructor(recorded: readonly Exchange[], timeoutMs: number) {
    this.#recorded = recorded.toSorted((a, b) => a.seq - b.seq);
    this.#timeoutMs = timeoutMs;
  }

  /** A recorded answer to this request, or why there is none. */
  next(asked: ForwardedRequest): AnswerSource | NoSource {
    const { purpose, path, model, streamed, route } = asked;
    const onWire = this.#recorded.filter((one) => one.wire === route.wire && one.purpose === purpose);
    const alike = onWire.filter((one) => one.path === path && one.model === model && one.streamed === streamed);
    const open = purpose === 'probe' ? alike : alike.filter((one) => !this.#given.has(one));
    const recorded = this.#nearest(open, asked.body.toString('utf8'));
    if (recorded !== undefined) {
      this.#given.add(recorded);
      return { name: 'replay', answer: (_asked, sink) => answerAgain(recorded, sink, this.#timeoutMs) };
    }
    const next = onWire.find((one) => !this.#given.has(one));
    if (alike.length > 0 || next === undefined) {
      const count = alike.length > 0 ? alike.length : onWire.length;
      return { name: null, code: 'exhausted', why: `replay exhausted: there were ${count} requests` };
    }
    const why = reason('replay_mismatch', { n: onWire.indexOf(next) + 1, what: describe(next) });
    return { name: null, code: 'replay', why };
  }

  #nearest(open: readonly Exchange[], prompt: string): Exchange | undefined {
    if (open.length < 2) return open[0];
    const digest = promptDigest(prompt);
    return open.find((one) => this.#digestOf(one) === digest) ?? open[0];
  }

  #digestOf(recorded: Exchange): string {
    const { request } = recorded;
    const known = this.#digests.get(recorded);
    if (known !== undefined) return known;
    const digest = promptDigest('text' in request ? request.text : '');
    this.#digests.set(recorded, digest);
    return digest;
  }
}

/** Without what differs from run to run: numbers, times and ids. */
function promptDigest(body: string): string {
  return sha256(body.replaceAll(/[0-9a-f]{8,}|\d+/gi, '#'));
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
