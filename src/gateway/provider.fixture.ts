import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach } from 'vitest';
import { systemClock } from '../kernel/clock.ts';
import { redactUpstream } from './redactor.ts';
import { describeExchange } from './exchange/describe.ts';
import type { GatewayListener } from './gateway.ts';
import { type OpenServer, openServer } from './server.ts';
import type { GatewayPlan, GatewayReport } from './types.ts';

export const KEY_CANARY = 'real-key-0123456789-canary';
export const THROW_AWAY = 'throw-away-key';
export const QUESTION = { model: 'scripted', messages: [{ role: 'user', content: 'hello' }] };
const WAIT_MS = 20_000;

export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A provider that a test controls, and that records its requests. */
export interface Provider {
  readonly baseUrl: string;
  readonly host: string;
  readonly received: Received[];
  /** The open connections. */
  readonly sockets: ReadonlySet<Socket>;
  close(): void;
}

export async function openProvider(
  answer: (request: IncomingMessage, response: ServerResponse, body: string) => void,
): Promise<Provider> {
  const received: Received[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((incoming, response) => {
    let body = '';
    incoming.setEncoding('utf8').on('data', (text: string) => (body += text));
    incoming.on('end', () => {
      const { method = '', url = '', headers } = incoming;
      received.push({ method, url, headers, body });
      answer(incoming, response, body);
    });
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    baseUrl: `http://${host}/v1`,
    host,
    received,
    sockets,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** A valid answer on the chat wire. */
export const chatAnswer = (content: string): string =>
  JSON.stringify({
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 10, completion_tokens: 5 },
  });

export function sendAnswer(response: ServerResponse, body: string | Buffer): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body);
}

export function planFor(baseUrl: string | null, changes: Partial<GatewayPlan> = {}): GatewayPlan {
  return {
    admitted: { provider: 'qwen-local', model: 'qwen3' },
    runtimeModel: 'scripted',
    upstreamModel: 'scripted',
    helperModels: [],
    toleratedOtherModels: 0,
    wire: 'openai-chat',
    upstream: baseUrl === null ? null : { baseUrl, key: KEY_CANARY },
    key: THROW_AWAY,
    budgets: {},
    prices: null,
    replay: null,
    fault: null,
    requestTimeoutMs: 60_000,
    ...changes,
  };
}

/** A gateway in this process, with everything that it reported. */
export class TestGateway {
  readonly reports: GatewayReport[] = [];
  readonly #waiting = new Set<() => void>();
  #server: OpenServer | null = null;

  static async open(plan: GatewayPlan, memoryBytes?: number): Promise<TestGateway> {
    const opened = new TestGateway();
    const listener = {
      exchange: (raw) => opened.#tell(describeExchange(raw, redactUpstream(plan.upstream))),
      refused: (refusal) => opened.#tell({ kind: 'refused', refusal }),
      waiting: () => 0,
    } satisfies GatewayListener;
    const listen = { socketPath: null, tcp: true };
    opened.#server = await openServer(plan, listen, systemClock, listener, memoryBytes);
    return opened;
  }

  get server(): OpenServer {
    if (this.#server === null) throw new Error('not open');
    return this.#server;
  }

  get port(): number {
    return this.server.port ?? 0;
  }

  get exchanges(): Extract<GatewayReport, { kind: 'exchange' }>[] {
    return this.reports.filter((report) => report.kind === 'exchange');
  }

  get refusals(): string[] {
    return this.reports.flatMap((report) => (report.kind === 'refused' ? [report.refusal.reason] : []));
  }

  /** For each refusal, the code of the reason that ends the run. */
  get fatal(): (string | null)[] {
    return this.reports.flatMap((report) => (report.kind === 'refused' ? [report.refusal.fatal?.code ?? null] : []));
  }

  #tell(report: GatewayReport): void {
    this.reports.push(report);
    for (const look of this.#waiting) look();
  }

  /** Resolves when this many exchanges have been reported. */
  reported(count: number): Promise<Extract<GatewayReport, { kind: 'exchange' }>[]> {
    return new Promise((resolve, reject) => {
      const limit = setTimeout(
        () => reject(new Error(`only ${this.exchanges.length} exchanges were reported`)),
        WAIT_MS,
      );
      const look = (): void => {
        if (this.exchanges.length < count) return;
        clearTimeout(limit);
        this.#waiting.delete(look);
        resolve(this.exchanges);
      };
      this.#waiting.add(look);
      look();
    });
  }

  ask(body: unknown, options: AskOptions = {}): Promise<Answered> {
    return askPort(this.port, body, options);
  }
}

export interface AskOptions {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly onHead?: () => void;
  readonly onChunk?: (chunk: Buffer, leave: () => void) => void;
}

export interface Answered {
  readonly status: number | null;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** False if the connection broke before the end of the answer. */
  readonly complete: boolean;
}

export function askPort(port: number, body: unknown, options: AskOptions = {}): Promise<Answered> {
  const { path = '/v1/chat/completions', method = 'POST', headers = {}, signal, onHead, onChunk } = options;
  return new Promise((resolve, reject) => {
    const call = request(
      {
        host: '127.0.0.1',
        port,
        path,
        method,
        ...(signal === undefined ? {} : { signal }),
        headers: { authorization: `Bearer ${THROW_AWAY}`, 'content-type': 'application/json', ...headers },
      },
      (response) => {
        const parts: Buffer[] = [];
        onHead?.();
        const settle = (complete: boolean): void =>
          resolve({
            status: response.statusCode ?? null,
            headers: response.headers,
            body: Buffer.concat(parts),
            complete,
          });
        response.on('data', (chunk: Buffer) => {
          parts.push(chunk);
          onChunk?.(chunk, () => call.destroy());
        });
        response.on('end', () => settle(true));
        response.on('error', () => settle(false));
      },
    );
    call.on('error', reject);
    call.end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body));
  });
}

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

/** Closed after the test. */
export async function provider(answer: Parameters<typeof openProvider>[0]): Promise<Provider> {
  const opened = await openProvider(answer);
  closers.push(() => opened.close());
  return opened;
}

/** Closed after the test. */
export async function gateway(plan: GatewayPlan, memoryBytes?: number): Promise<TestGateway> {
  const opened = await TestGateway.open(plan, memoryBytes);
  closers.push(() => opened.server.close());
  return opened;
}

/** Polls until the condition holds, with a generous limit. */
export async function until(isSo: () => boolean, everyMs = 5): Promise<void> {
  const limit = Date.now() + WAIT_MS;
  while (!isSo()) {
    if (Date.now() > limit) throw new Error('the condition was not met in time');
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
