import { type Dispatcher, Pool } from 'undici';
import type { IncomingHttpHeaders } from 'node:http';
import { systemCode } from '../kernel/errors.ts';
import type { UpstreamCredential } from './sign-in/credential.ts';
import { ReturnedHeaders } from './exchange/headers.ts';
import type { Answering, AnswerSink, AnswerSource, ForwardedRequest } from './exchange/source.ts';
import type { GatewayPlan, Upstream } from './types.ts';
import { WIRES } from './wires/list.ts';

const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
/** Idle time, unless the provider announces a shorter one. */
const KEPT_MS = 30_000;
const BROKEN_OFF = new Error('broken off');

/** Forwards requests to the provider over keep-alive connections. */
export class UpstreamSource implements AnswerSource {
  readonly name = 'upstream';
  readonly #plan: GatewayPlan;
  readonly #credential: UpstreamCredential;
  #returned: ReturnedHeaders;
  /** Sent with every request, unless the engine's own are forwarded. */
  readonly #ownHeaders: Readonly<Record<string, string>>;
  readonly #pool: Pool;
  readonly #basePath: string;

  constructor(plan: GatewayPlan, upstream: Upstream, credential: UpstreamCredential) {
    const { origin, host, pathname } = new URL(upstream.baseUrl);
    const rules = WIRES[plan.wire];
    this.#plan = plan;
    this.#credential = credential;
    this.#returned = new ReturnedHeaders(credential.redactors.all);
    // Compressed answers could not be redacted or parsed.
    this.#ownHeaders = { host, 'accept-encoding': 'identity', 'user-agent': 'seatrial' };
    this.#pool = new Pool(origin, {
      keepAliveTimeout: KEPT_MS,
      headersTimeout: plan.requestTimeoutMs,
      bodyTimeout: plan.requestTimeoutMs,
    });
    this.#basePath = rules.basePath(pathname.replace(/\/+$/, ''));
  }

  answer(asked: ForwardedRequest, sink: AnswerSink): Answering {
    const { headers: credential, redactors } = this.#credential;
    if (this.#returned.redactor !== redactors.all) this.#returned = new ReturnedHeaders(redactors.all);
    const call = new UpstreamCall(sink, this.#plan.requestTimeoutMs, this.#returned);
    const path = this.#basePath + asked.route.target(asked.upstreamModel);
    const { usualHeaders } = WIRES[asked.route.wire];
    // Alternating names and values, the cheapest form to send.
    const usual = { ...this.#ownHeaders, ...usualHeaders, ...this.#credential.usualHeaders };
    const all = { ...usual, ...asked.headers, ...credential };
    const headers = Object.entries(all).flat();
    call.start(() => this.#pool.dispatch({ method: 'POST', path, headers, body: asked.sent }, call));
    return call;
  }

  close(): void {
    void this.#pool.destroy();
  }
}

class UpstreamCall implements Answering, Dispatcher.DispatchHandler {
  readonly #sink: AnswerSink;
  readonly #timeoutMs: number;
  readonly #returned: ReturnedHeaders;
  #send: () => void = () => {};
  #controller: Dispatcher.DispatchController | null = null;
  #answered = false;
  #triesLeft = 1;
  /** Chunks received in this turn of the event loop. */
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  #length: number | null = null;
  #over = false;

  constructor(sink: AnswerSink, timeoutMs: number, returned: ReturnedHeaders) {
    this.#sink = sink;
    this.#timeoutMs = timeoutMs;
    this.#returned = returned;
  }

  start(send: () => void): void {
    this.#send = send;
    send();
  }

  stop(): void {
    this.#over = true;
    this.#controller?.abort(BROKEN_OFF);
  }

  goOn(): void {
    this.#controller?.resume();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#over) controller.abort(BROKEN_OFF);
  }

  onResponseStart(_controller: unknown, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200 || this.#over) return;
    this.#answered = true;
    const encoding = headers['content-encoding'] ?? 'identity';
    if (status < 400 && status >= 300)
      return this.#fail('upstream_error', `the provider answered with a redirect (${status}), which is not followed`);
    if (encoding !== 'identity')
      return this.#fail('upstream_error', 'the provider compressed its answer despite accept-encoding: identity');
    const length = Number(headers['content-length'] ?? Number.NaN);
    this.#length = Number.isSafeInteger(length) ? length : null;
    this.#sink.head(status, this.#returned.of(headers), this.#length);
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    // Providers send each event in its own chunk; chunks that arrive together are forwarded together.
    if (this.#chunks.push(chunk) === 1) process.nextTick(() => this.#handOn());
  }

  onResponseEnd(): void {
    this.#handOn();
    this.#end();
  }

  onResponseError(_controller: unknown, error: Error): void {
    if (this.#over) return;
    if (!this.#answered && this.#triesLeft > 0 && isClosed(error)) {
      this.#triesLeft -= 1;
      return this.#send();
    }
    this.#handOn();
    const code = systemCode(error);
    if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT')
      return this.#fail('timeout', `the provider was silent for ${this.#timeoutMs} ms`);
    return this.#answered
      ? this.#fail('cut', 'the provider broke off its answer')
      : this.#fail('upstream_error', faultText(code));
  }

  #handOn(): void {
    const [first, ...others] = this.#chunks.splice(0);
    if (this.#over || first === undefined) return;
    const bytes = others.length === 0 ? first : Buffer.concat([first, ...others]);
    this.#bytes += bytes.length;
    if (this.#bytes > MAX_ANSWER_BYTES) return this.#fail('cut', `the answer is longer than ${MAX_ANSWER_BYTES} bytes`);
    if (!this.#sink.chunk(bytes)) this.#controller?.pause();
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

/** Usually a keep-alive connection that the provider closed as it was reused, before it processed the request. */
function isClosed(error: Error): boolean {
  return ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'].includes(systemCode(error) ?? '');
}

/** The system's error messages would name the endpoint. */
function faultText(code: string | undefined): string {
  switch (code) {
    case 'ECONNREFUSED':
      return 'the provider refused the connection';
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return "the provider's name cannot be resolved";
    case 'ECONNRESET':
    case 'EPIPE':
    case 'UND_ERR_SOCKET':
      return 'the provider closed the connection without an answer';
    case 'ETIMEDOUT':
    case 'UND_ERR_CONNECT_TIMEOUT':
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
