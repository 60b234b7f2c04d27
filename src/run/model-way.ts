import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ShapeFact } from '../admission/facts.ts';
import { type Port, requireRelay } from '../confine/port.ts';
import type { ModelAccess } from '../engines/types.ts';
import type { ModelRecord } from '../evidence/schema/admission.ts';
import { startGateway } from '../gateway/start.ts';
import type { ProbeResult } from '../gateway/types.ts';
import { type Cut, ModelBooks } from './model-books.ts';
import type { Run } from './run.ts';

/** Inside a confinement there is nobody else to take it. */
const PORT_INSIDE = 4010;
const REQUEST_TIMEOUT_MS = 300_000;

/** The one way to the admitted model, open from the checks until the engine has gone. */
export interface ModelWay {
  readonly access: ModelAccess;
  readonly port: Port | null;
  /** Breaks off when the run is interrupted. */
  askShape(nonce: string): Promise<ShapeFact>;
  onTrouble(cut: Cut): void;
  settle(): Promise<void>;
}

/** Opens the gateway for this run; whatever it tells becomes events, findings and a recording. */
export async function openModelWay(run: Run, record: ModelRecord): Promise<ModelWay> {
  const { site, replay, fault, signal } = run.order;
  const confined = site.confine === 'bubblewrap';
  if (confined) requireRelay(site.tools.path);
  const folder = run.scratchPath('port');
  mkdirSync(folder, { mode: 0o711 });
  const key = `seatrial-${randomBytes(16).toString('hex')}`;
  const books = new ModelBooks(run, record);
  const gateway = await startGateway(
    {
      admitted: { provider: record.provider, model: record.model },
      runtimeModel: record.runtime.model,
      upstreamModel: record.model,
      wire: record.wire,
      upstream: replay === undefined ? site.models.upstream(record) : null,
      key,
      budgets: site.models.budgets(record),
      prices: record.prices,
      replay: replay?.exchanges ?? null,
      fault: fault ?? null,
      requestTimeoutMs: REQUEST_TIMEOUT_MS,
    },
    {
      socketPath: join(folder, 'socket'),
      tcp: !confined,
      extraCaCerts: site.models.certificates,
      onReport: (report) => books.take(report),
    },
  );
  let settled: Promise<void> | null = null;
  const settle = (): Promise<void> => (settled ??= gateway.close().then((totals) => books.close(totals)));
  run.atEnd(settle);
  void gateway.ended.then((why) => {
    if (settled === null) books.cut(`the gateway ended: ${why}`, 'blocked');
  });
  return {
    access: {
      origin: `http://127.0.0.1:${gateway.port ?? PORT_INSIDE}`,
      key,
      wire: record.wire,
      provider: record.runtime.provider,
      name: record.runtime.model,
    },
    port: confined ? { folder, number: PORT_INSIDE } : null,
    askShape: async (nonce) => {
      // What cannot be kept shows when the run ends.
      const breakOff = (): void => void settle().catch(() => {});
      signal.addEventListener('abort', breakOff);
      const answer = await gateway.probe(nonce);
      signal.removeEventListener('abort', breakOff);
      return shapeFact(answer);
    },
    onTrouble: (cut) => books.onTrouble(cut),
    settle,
  };
}

function shapeFact({ kind, detail }: ProbeResult): ShapeFact {
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
