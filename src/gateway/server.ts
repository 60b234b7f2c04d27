import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Clock } from '../kernel/clock.ts';
import { reason } from '../evidence/reasons/catalogue.ts';
import { admitHead, MAX_BODY_BYTES, refuseRequest } from './admit.ts';
import type { ResponseWriter } from './recorder.ts';
import { Gateway, type GatewayListener } from './gateway.ts';
import type { JsonObject } from './exchange/json.ts';
import { probeShape } from './probe.ts';
import { MAX_HELD_BYTES, MemoryBudget } from './exchange/memory-budget.ts';
import type { GatewayPlan, ShapeProbeResult, Refusal } from './types.ts';
import { WIRES } from './wires/list.ts';

export interface Listen {
  /** Null for no Unix socket. */
  readonly socketPath: string | null;
  /** Also listen on a free port of 127.0.0.1. */
  readonly tcp: boolean;
}

export interface OpenServer {
  readonly port: number | null;
  probe(nonce: string): Promise<ShapeProbeResult>;
  /** Aborts requests in flight, and resolves when all of them have been reported. */
  close(): Promise<void>;
}

/** Engines can pause for minutes between requests, and a request on a connection closed meanwhile would fail. */
const KEEP_ALIVE_MS = 10 * 60 * 1000;

export async function openServer(
  plan: GatewayPlan,
  listen: Listen,
  clock: Clock,
  listener: GatewayListener,
  memoryBytes = MAX_HELD_BYTES,
): Promise<OpenServer> {
  const memory = new MemoryBudget(memoryBytes, () => listener.waiting());
  const gateway = new Gateway(plan, clock, listener, memory);
  const doors = [
    ...(listen.socketPath === null ? [] : [await listenAt(gateway, memory, { path: listen.socketPath })]),
    ...(listen.tcp ? [await listenAt(gateway, memory, { host: '127.0.0.1', port: 0 })] : []),
  ];
  const addresses = doors.map((door) => door.address());
  return {
    port: addresses.flatMap((at) => (at !== null && typeof at === 'object' ? [at.port] : []))[0] ?? null,
    probe: (nonce) => probeShape(gateway, nonce),
    close: async () => {
      const closed = doors.map((door) => new Promise((resolve) => door.close(resolve)));
      for (const door of doors) door.closeAllConnections();
      await Promise.all(closed);
      gateway.close();
      // Exchanges are reported in the turn after their end.
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

type Address = { path: string } | { host: string; port: number };

function listenAt(gateway: Gateway, memory: MemoryBudget, at: Address): Promise<Server> {
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) =>
    serve(gateway, memory, request, response),
  );
  // There is no `upgrade` handler, so a request that offers an upgrade is served as plain HTTP.
  server.on('connect', (request: IncomingMessage, socket: Duplex) => {
    const host = (request.url ?? '').slice(0, 200);
    gateway.refuse(refuseRequest('host', 403, reason('other_host_requested', { host })).refusal);
    socket.on('error', () => {});
    socket.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(at, () => resolve(server));
  });
}

function serve(gateway: Gateway, memory: MemoryBudget, request: IncomingMessage, response: ServerResponse): void {
  const { plan } = gateway;
  const { method = '', url = '', headers } = request;
  const admitted = admitHead({ method, target: url, headers }, plan);
  if (admitted.kind === 'refused') return refuse(admitted.refusal);
  if (admitted.kind === 'liveness') return void response.writeHead(200).end();
  if (admitted.kind === 'model_list') return sendJson(response, 200, WIRES[plan.wire].modelList(plan.runtimeModel));
  const chunks: Buffer[] = [];
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    if (response.headersSent) return;
    if (bytes + chunk.length > MAX_BODY_BYTES)
      return refuse(refuseRequest('body', 413, `the body is longer than ${MAX_BODY_BYTES} bytes`).refusal);
    if (!memory.reserve(chunk.length))
      return refuse(refuseRequest('body', 503, 'the body does not fit beside the others that are under way').refusal);
    bytes += chunk.length;
    chunks.push(chunk);
  });
  response.on('close', () => {
    memory.release(bytes);
    bytes = 0;
  });
  request.on('end', () => {
    if (response.headersSent) return;
    const { route, path, dropped } = admitted;
    const body = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
    const asked = gateway.ask({ purpose: 'engine', route, path, headers, body, dropped }, writerFor(response));
    if ('reason' in asked) return sendRefusal(response, plan, asked);
    response.on('drain', () => asked.goOn());
    response.on('close', () => {
      if (!response.writableFinished) asked.left();
    });
  });

  function refuse(refusal: Refusal): void {
    if (response.headersSent) return;
    gateway.refuse(refusal);
    // The rest of the body is not read.
    response.setHeader('connection', 'close');
    sendRefusal(response, plan, refusal);
  }
}

function writerFor(response: ServerResponse): ResponseWriter {
  let alone = true;
  return {
    head(status, headers, length) {
      if (length !== null) return void response.writeHead(status, { ...headers, 'content-length': length });
      response.writeHead(status, headers);
      // Engines wait for a stream's head, which may arrive long before its first event.
      setImmediate(() => {
        if (alone) response.flushHeaders();
      });
    },
    chunk(bytes) {
      alone = false;
      return response.write(bytes);
    },
    end() {
      alone = false;
      response.end();
    },
    // Flushes buffered data before it closes.
    cut: () => response.socket?.destroySoon(),
  };
}

function sendRefusal(response: ServerResponse, { wire }: GatewayPlan, { status, reason: why }: Refusal): void {
  sendJson(response, status, WIRES[wire].error(status, `seatrial: ${why}`));
}

function sendJson(response: ServerResponse, status: number, json: JsonObject): void {
  const body = Buffer.from(JSON.stringify(json));
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
}
