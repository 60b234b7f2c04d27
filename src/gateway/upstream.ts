import { Agent as HttpAgent, type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { systemCode } from '../kernel/errors.ts';
import type { Cover } from './cover.ts';
import { forwardedHeaders, returnedHeaders } from './headers.ts';
import type { Answering, AnswerSink, AnswerSource, Asked } from './source.ts';
import type { GatewayPlan, Upstream } from './types.ts';
import { WIRES } from './wires/list.ts';

const MOST_ANSWER_BYTES = 64 * 1024 * 1024;

/** The provider itself, over connections that are kept. */
export class UpstreamSource implements AnswerSource {
  readonly name = 'upstream';
  readonly #plan: GatewayPlan;
  readonly #cover: Cover;
  /** The same for every request. */
  readonly #ownHeaders: readonly string[];
  readonly #request: typeof httpRequest;
  readonly #place: { readonly agent: HttpAgent; readonly host: string; readonly port: string };
  readonly #basePath: string;

  constructor(plan: GatewayPlan, upstream: Upstream, cover: Cover) {
    const { protocol, host, hostname, port, pathname } = new URL(upstream.baseUrl);
    const rules = WIRES[plan.wire];
    const secure = protocol === 'https:';
    const kept = { keepAlive: true, timeout: plan.requestTimeoutMs };
    const credentials = upstream.key === null ? {} : rules.credentials(upstream.key);
    // What is compressed could not be read on its way.
    const own = { host, ...credentials, 'accept-encoding': 'identity', 'user-agent': 'seatrial' };
    this.#plan = plan;
    this.#cover = cover;
    this.#ownHeaders = Object.entries(own).flat();
    this.#request = secure ? httpsRequest : httpRequest;
    this.#place = {
      agent: secure ? new HttpsAgent(kept) : new HttpAgent(kept),
      host: hostname.replace(/^\[|\]$/g, ''),
      port,
    };
    this.#basePath = rules.basePath(pathname.replace(/\/+$/, ''));
  }

  answer(asked: Asked, sink: AnswerSink): Answering {
    const call = new UpstreamCall(sink, this.#plan.requestTimeoutMs, this.#cover);
    const body = asked.rewritten ?? asked.body;
    const { agent, host, port } = this.#place;
    const options = {
      agent,
      host,
      port,
      method: 'POST',
      path: this.#basePath + asked.route.target(this.#plan.upstreamModel),
      headers: [
        ...forwardedHeaders(asked.headers, WIRES[asked.route.wire].usualHeaders, this.#ownHeaders),
        'content-length',
        String(body.length),
      ],
    };
    call.start(() => this.#request(options).end(body));
    return call;
  }

  close(): void {
    this.#place.agent.destroy();
  }
}

class UpstreamCall implements Answering {
  readonly #sink: AnswerSink;
  readonly #timeoutMs: number;
  readonly #cover: Cover;
  #request: ClientRequest | null = null;
  #response: IncomingMessage | null = null;
  /** What came in this turn. */
  readonly #parts: Buffer[] = [];
  #bytes = 0;
  #length: number | null = null;
  #over = false;

  constructor(sink: AnswerSink, timeoutMs: number, cover: Cover) {
    this.#sink = sink;
    this.#timeoutMs = timeoutMs;
    this.#cover = cover;
  }

  start(send: () => ClientRequest): void {
    const request = send();
    this.#request = request;
    request.on('response', (response) => this.#take(response));
    request.on('timeout', () => {
      // Silence because the engine does not read is not the provider's.
      if (this.#response?.isPaused() !== true)
        this.#fail('timeout', `the provider was silent for ${this.#timeoutMs} ms`);
    });
    request.on('error', (error) => {
      // A kept connection that the provider closes just as it is used again has done nothing yet.
      const stale = request.reusedSocket && systemCode(error) === 'ECONNRESET';
      if (stale && this.#response === null && !this.#over) this.start(send);
      else this.#fail(this.#response === null ? 'upstream_error' : 'cut', faultText(systemCode(error)));
    });
  }

  stop(): void {
    this.#over = true;
    this.#request?.destroy();
  }

  goOn(): void {
    // From here on silence is the provider's again.
    this.#request?.socket?.setTimeout(this.#timeoutMs);
    this.#response?.resume();
  }

  #take(response: IncomingMessage): void {
    this.#response = response;
    const { statusCode = 0, headers } = response;
    const encoding = headers['content-encoding'] ?? 'identity';
    if (statusCode >= 300 && statusCode < 400)
      return this.#fail(
        'upstream_error',
        `the provider answered with a redirect (${statusCode}), which is not followed`,
      );
    if (encoding !== 'identity')
      return this.#fail('upstream_error', 'the provider compressed its answer although it was asked not to');
    const length = Number(headers['content-length'] ?? Number.NaN);
    this.#length = Number.isSafeInteger(length) ? length : null;
    this.#sink.head(statusCode, returnedHeaders(headers, this.#cover), this.#length);
    response.on('data', (chunk: Buffer) => {
      // A provider sends every event by itself; those that came together go on together.
      if (this.#parts.push(chunk) === 1) process.nextTick(() => this.#handOn());
    });
    response.on('end', () => {
      this.#handOn();
      this.#end();
    });
    response.on('error', () => {
      this.#handOn();
      this.#fail('cut', 'the provider broke off its answer');
    });
  }

  #handOn(): void {
    const [first, ...others] = this.#parts.splice(0);
    if (this.#over || first === undefined) return;
    const bytes = others.length === 0 ? first : Buffer.concat([first, ...others]);
    this.#bytes += bytes.length;
    if (this.#bytes > MOST_ANSWER_BYTES)
      return this.#fail('cut', `the answer is longer than ${MOST_ANSWER_BYTES} bytes`);
    if (!this.#sink.part(bytes)) this.#response?.pause();
    if (this.#bytes === this.#length) this.#end();
  }

  #end(): void {
    if (this.#over) return;
    this.#over = true;
    this.#sink.end();
  }

  #fail(ended: 'timeout' | 'cut' | 'upstream_error', detail: string): void {
    if (this.#over) return;
    this.stop();
    this.#sink.fail(ended, detail);
  }
}

/** The system's own words would name the place. */
function faultText(code: string | undefined): string {
  switch (code) {
    case 'ECONNREFUSED':
      return 'the provider refused the connection';
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return "the provider's name cannot be resolved";
    case 'ECONNRESET':
    case 'EPIPE':
      return 'the provider closed the connection without an answer';
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return 'the provider cannot be reached';
    case undefined:
      return 'there was no connection to the provider';
    default:
      return /CERT|SIGNED|ALTNAME/.test(code)
        ? `the provider's certificate is not trusted (${code})`
        : `there was no connection to the provider (${code})`;
  }
}
