import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ShapeFact } from '../../admission/facts.ts';
import { type Port, requireRelay } from '../../confine/streams/port.ts';
import type { ModelAccess } from '../../engines/definition.ts';
import { reason } from '../../evidence/reasons/catalogue.ts';
import type { ModelRecord } from '../../evidence/schema/admission.ts';
import { startGateway } from '../../gateway/process/start.ts';
import type { ShapeProbeResult } from '../../gateway/types.ts';
import { type Cut, type EngineExchanges, ExchangeLog } from './exchange-log.ts';
import type { Run } from '../steps/state.ts';

/** Always free: the sandbox has its own network namespace. */
const PORT_INSIDE = 4010;
const REQUEST_TIMEOUT_MS = 300_000;

/** The only access to the admitted model, open from the checks until the engine has exited. */
export interface ModelSession {
  readonly access: ModelAccess;
  readonly port: Port | null;
  /** Aborted when the run is interrupted. */
  probeResponseShape(nonce: string): Promise<ShapeFact>;
  readonly exchanges: EngineExchanges;
  onTrouble(cut: Cut): void;
  close(): Promise<void>;
}

/** Starts the gateway for this run and records its reports. */
export async function openModelSession(run: Run, record: ModelRecord): Promise<ModelSession> {
  const { environment, replay, fault, signal } = run.request;
  const confined = environment.confine === 'bubblewrap';
  if (confined) requireRelay(environment.tools.path);
  const dir = run.scratchPath('port');
  mkdirSync(dir, { mode: 0o711 });
  const key = `seatrial-${randomBytes(16).toString('hex')}`;
  const exchangeLog = new ExchangeLog(run, record);
  const gateway = await startGateway(
    {
      admitted: { provider: record.provider, model: record.model },
      runtimeModel: record.runtime.model,
      upstreamModel: record.model,
      wire: record.wire,
      upstream: replay === undefined ? environment.models.upstream(record) : null,
      key,
      budgets: environment.models.budgets(record),
      prices: record.prices,
      replay: replay?.exchanges ?? null,
      fault: fault ?? null,
      requestTimeoutMs: REQUEST_TIMEOUT_MS,
    },
    {
      socketPath: join(dir, 'socket'),
      tcp: !confined,
      extraCaCerts: environment.models.certificates,
      onReport: (report) => exchangeLog.record(report),
    },
  );
  let closed: Promise<void> | null = null;
  const close = (): Promise<void> => (closed ??= gateway.close().then((totals) => exchangeLog.close(totals)));
  run.atEnd(close);
  void gateway.ended.then((why) => {
    if (closed === null) exchangeLog.cut(reason('gateway_ended', { why }));
  });
  return {
    access: {
      origin: `http://127.0.0.1:${gateway.port ?? PORT_INSIDE}`,
      key,
      wire: record.wire,
      provider: record.runtime.provider,
      name: record.runtime.model,
    },
    port: confined ? { dir, number: PORT_INSIDE } : null,
    probeResponseShape: async (nonce) => {
      // A write error is reported by the `atEnd` call.
      const abort = (): void => void close().catch(() => {});
      signal.addEventListener('abort', abort);
      const answer = await gateway.probe(nonce);
      signal.removeEventListener('abort', abort);
      return shapeFact(answer);
    },
    exchanges: exchangeLog,
    onTrouble: (cut) => exchangeLog.onTrouble(cut),
    close,
  };
}

function shapeFact({ kind, detail }: ShapeProbeResult): ShapeFact {
  switch (kind) {
    case 'unreachable':
    case 'unauthorized':
    case 'http_error':
    case 'timeout':
    case 'cut':
      return { kind: 'no_answer', detail };
    default:
      return { kind, detail };
  }
}
