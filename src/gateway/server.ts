import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Clock } from '../kernel/clock.ts';
import { admitHead, MAX_BODY_BYTES, refuseRequest } from './admit.ts';
import type { ResponseWriter } from './recorder.ts';
import { Gateway, type GatewayListener } from './gateway.ts';
import type { JsonObject } from './exchange/json.ts';
import { probeShape } from './probe.ts';
import { MemoryBudget } from './exchange/memory-budget.ts';
import type { GatewayPlan, ShapeProbeResult, Refusal } from './types.ts';
import { WIRES } from './wires/list.ts';

export interface Listen {
  /** Null: no Unix socket. */
  readonly socketPath: string | null;
  /** Also on a port of 127.0.0.1 that the system picks. */
  readonly tcp: boolean;
}

export interface OpenServer {
  readonly port: number | null;
  probe(nonce: string): Promise<ShapeProbeResult>;
  /** Breaks off what is under way, and resolves when all of it has been told. */
  close(): Promise<void>;
}

/** Engines think for long between two questions; a connection that was closed meanwhile would cost them one. */
const KEEP_ALIVE_MS = 10 * 60 * 1000;

export async function openServer(
  plan: GatewayPlan,
  listen: Listen,
  clock: Clock,
  told: GatewayListener,
): Promise<OpenServer> {
  const gateway = new Gateway(plan, clock, told);
  const room = new MemoryBudget(() => told.waiting());
  const doors = [
    ...(listen.socketPath === null ? [] : [await listenAt(gateway, room, { path: listen.socketPath })]),
    ...(listen.tcp ? [await listenAt(gateway, room, { host: '127.0.0.1', port: 0 })] : []),
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
      // What an exchange was is told in the turn after its end.
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

type Address = { path: string } | { host: string; port: number };

function listenAt(gateway: Gateway, room: MemoryBudget, at: Address): Promise<Server> {
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) =>
    serve(gateway, room, request, response),
  );
  // An upgrade that is merely offered is not taken: the request is served as what it is.
  server.on('connect', (request: IncomingMessage, socket: Duplex) => {
    gateway.refuse(refuseRequest('host', 403, `another host asked for: ${request.url ?? ''}`.slice(0, 200)).refusal);
    socket.on('error', () => {});
    socket.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(at, () => resolve(server));
  });
}

function serve(gateway: Gateway, room: MemoryBudget, request: IncomingMessage, response: ServerResponse): void {
  const { plan } = gateway;
  const { method = '', url = '', headers } = request;
  const admitted = admitHead({ method, target: url, headers }, plan);
  if (admitted.kind === 'refused') return refuse(admitted.refusal);
  if (admitted.kind === 'model_list') return sendJson(response, 200, WIRES[plan.wire].modelList(plan.runtimeModel));
  const parts: Buffer[] = [];
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    if (response.headersSent) return;
    if (bytes + chunk.length > MAX_BODY_BYTES)
      return refuse(refuseRequest('body', 413, `the body is longer than ${MAX_BODY_BYTES} bytes`).refusal);
    if (!room.reserve(chunk.length))
      return refuse(refuseRequest('body', 503, 'the body does not fit beside the others that are under way').refusal);
    bytes += chunk.length;
    parts.push(chunk);
  });
  response.on('close', () => {
    room.release(bytes);
    bytes = 0;
  });
  request.on('end', () => {
    if (response.headersSent) return;
    const { route, path } = admitted;
    const body = parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
    const asked = gateway.ask({ purpose: 'engine', route, path, headers, body }, takerOf(response));
    if ('reason' in asked) return sendRefusal(response, plan, asked);
    response.on('drain', () => asked.goOn());
    response.on('close', () => {
      if (!response.writableFinished) asked.left();
    });
  });

  function refuse(refusal: Refusal): void {
    if (response.headersSent) return;
    gateway.refuse(refusal);
    // Whatever else it sends is not read.
    response.setHeader('connection', 'close');
    sendRefusal(response, plan, refusal);
  }
}

function takerOf(response: ServerResponse): ResponseWriter {
  let alone = true;
  return {
    head(status, headers, length) {
      if (length !== null) return void response.writeHead(status, { ...headers, 'content-length': length });
      response.writeHead(status, headers);
      // A stream's head is news even while its first event is not there yet.
      setImmediate(() => {
        if (alone) response.flushHeaders();
      });
    },
    part(bytes) {
      alone = false;
      return response.write(bytes);
    },
    end() {
      alone = false;
      response.end();
    },
    // What was said before goes out first.
    cut: () => response.socket?.destroySoon(),
  };
}

function sendRefusal(response: ServerResponse, { wire }: GatewayPlan, { status, reason }: Refusal): void {
  sendJson(response, status, WIRES[wire].error(status, `seatrial: ${reason}`));
}

function sendJson(response: ServerResponse, status: number, json: JsonObject): void {
  const body = Buffer.from(JSON.stringify(json));
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
}
