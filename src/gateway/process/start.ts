import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { Duplex } from 'node:stream';
import { spawnCommand } from '../../confine/processes/spawn.ts';
import { reason } from '../../evidence/reasons/catalogue.ts';
import { Refused } from '../../evidence/reasons/refused.ts';
import { SeatrialError } from '../../kernel/errors.ts';
import { packageRoot } from '../../kernel/package-root.ts';
import { addReport, noTotals } from '../totals.ts';
import { type Redactor, redactUpstream } from '../redactor.ts';
import { describeExchange } from '../exchange/describe.ts';
import { type FromGateway, fromGateway, receive, send } from './messages.ts';
import { planFault } from '../plan-fault.ts';
import type { GatewayPlan, GatewayReport, ShapeProbeResult, Totals } from '../types.ts';

export interface StartOptions {
  /** At most `MAX_SOCKET_BYTES` long, in an existing directory. */
  readonly socketPath: string;
  /** Also listen on a port of 127.0.0.1. */
  readonly tcp: boolean;
  /** A file of additional trusted certificates. */
  readonly extraCaCerts: string | null;
  readonly onReport: (report: GatewayReport) => void;
}

export interface RunningGateway {
  /** Null unless `tcp` was set. */
  readonly port: number | null;
  readonly pid: number;
  /** Resolves to the cause when the process has exited, so that a dead gateway is not taken for a dead provider. Never rejects. */
  readonly ended: Promise<string>;
  /** Sends the provider one request that contains the nonce. Never rejects. */
  probe(nonce: string): Promise<ShapeProbeResult>;
  /** Aborts requests in flight; resolves when the process has exited and all its reports are delivered. Never rejects. */
  close(): Promise<Totals>;
}

/** Node silently truncates socket paths at 108 bytes. */
const MAX_SOCKET_BYTES = 100;
const MAX_PROBLEM = 2000;

/** Starts the gateway process and sends it the endpoint and key over a pipe; no other process gets them. Resolves when it listens. */
export async function startGateway(plan: GatewayPlan, options: StartOptions): Promise<RunningGateway> {
  const { socketPath, tcp, extraCaCerts, onReport } = options;
  const fault = planFault(plan);
  if (fault !== null) throw new SeatrialError('usage', fault);
  if (Buffer.byteLength(socketPath) > MAX_SOCKET_BYTES)
    throw new Refused(reason('socket_path_too_long', { path: socketPath }));
  const child = spawnCommand({
    file: process.execPath,
    args: [join(packageRoot(), 'dist', 'gateway.js')],
    env: certificates(plan, extraCaCerts),
    cwd: '/',
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    identity: null,
    // Keeps the terminal's SIGINT away from the gateway: the harness handles it.
    ownGroup: true,
  });
  const gateway = new GatewayProcess(child, plan, onReport);
  gateway.open(socketPath, tcp);
  await gateway.listening;
  return gateway;
}

class GatewayProcess implements RunningGateway {
  port: number | null = null;
  readonly pid: number;
  readonly ended: Promise<string>;
  readonly listening: Promise<void>;
  readonly #plan: GatewayPlan;
  readonly #channel: Duplex;
  readonly #redactor: Redactor;
  readonly #onReport: (report: GatewayReport) => void;
  readonly #probes = new Map<string, (result: ShapeProbeResult) => void>();
  #opened = (): void => {};
  #totals: Totals;
  /** Why the process exited; null while it runs. */
  #how: string | null = null;

  constructor(child: ChildProcess, plan: GatewayPlan, onReport: (report: GatewayReport) => void) {
    const channel = child.stdio[3];
    this.pid = child.pid ?? -1;
    this.#plan = plan;
    this.#channel = channel instanceof Duplex ? channel : Duplex.from([]);
    this.#redactor = redactUpstream(plan.upstream);
    this.#onReport = onReport;
    this.#totals = noTotals(plan.prices);
    this.#channel.on('error', () => {});
    receive(this.#channel, fromGateway, (message, request, response) => this.#take(message, request, response));
    this.ended = this.#watch(child);
    const problem = problemOf(child);
    this.listening = new Promise((resolve, reject) => {
      this.#opened = resolve;
      void this.ended.then((how) =>
        reject(new Refused(reason('gateway_not_started', { why: [how, problem()].join(' ').trim() }))),
      );
    });
  }

  open(socketPath: string, tcp: boolean): void {
    send(this.#channel, { kind: 'open', plan: this.#plan, listen: { socketPath, tcp } });
  }

  probe(nonce: string): Promise<ShapeProbeResult> {
    return new Promise((resolve) => {
      if (this.#how !== null) return resolve(unreachable(this.#how));
      this.#probes.set(nonce, resolve);
      send(this.#channel, { kind: 'probe', nonce });
    });
  }

  async close(): Promise<Totals> {
    if (this.#how === null) send(this.#channel, { kind: 'close' });
    await this.ended;
    return this.#totals;
  }

  #watch(child: ChildProcess): Promise<string> {
    return new Promise((resolve) => {
      const gone = (how: string): void => {
        this.#how ??= how;
        for (const answer of this.#probes.values()) answer(unreachable(this.#how));
        resolve(this.#how);
      };
      child.once('error', (error) => gone(error.message));
      // Not `exit`: its last messages may still be in the pipe.
      child.once('close', (code, signal) =>
        gone(signal === null ? `it exited with code ${code}` : `it was killed by ${signal}`),
      );
    });
  }

  #take(message: FromGateway, request: Buffer, response: Buffer): void {
    switch (message.kind) {
      case 'opened':
        this.port = message.port;
        return this.#opened();
      case 'exchange':
        return this.#report(describeExchange({ facts: message.facts, request, response }, this.#redactor));
      case 'refused':
        return this.#report(message);
      case 'probed':
        this.#probes.get(message.nonce)?.(message.result);
        this.#probes.delete(message.nonce);
        return;
      case 'closed':
        this.#how = 'it was closed';
        return;
      case 'failed':
        this.#how = message.detail;
        return;
      default:
        message satisfies never;
    }
  }

  #report(report: GatewayReport): void {
    this.#totals = addReport(this.#totals, report, this.#plan.prices);
    this.#onReport(report);
  }
}

/** Collects stderr, where node reports that it cannot load the program. All later errors come over the pipe. */
function problemOf(child: ChildProcess): () => string {
  let text = '';
  child.stderr?.setEncoding('utf8').on('data', (more: string) => (text = `${text}${more}`.slice(0, MAX_PROBLEM)));
  return () => text;
}

function unreachable(detail: string): ShapeProbeResult {
  return { kind: 'unreachable', http_status: null, answered_by: null, detail };
}

/** Extra certificates slow down node's start, so they are passed only for https. */
function certificates({ upstream }: GatewayPlan, extra: string | null): Record<string, string> {
  return extra !== null && upstream?.baseUrl.startsWith('https:') === true ? { NODE_EXTRA_CA_CERTS: extra } : {};
}
