import { randomBytes } from 'node:crypto';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { ShapeFact } from '../admission/facts.ts';
import { type Port, requireRelay } from '../confine/port.ts';
import type { ModelAccess } from '../engines/types.ts';
import { reportingWrite, writeFully } from '../evidence/durable.ts';
import type { ModelRecord } from '../evidence/schema/admission.ts';
import { startGateway } from '../gateway/start.ts';
import type { GatewayReport, ProbeResult, Refusal, Totals } from '../gateway/types.ts';
import type { Run } from './run.ts';

export const EXCHANGES_FILE = 'backend/model/exchanges.jsonl';

/** Inside a confinement there is nobody else to take it. */
const PORT_INSIDE = 4010;
const REQUEST_TIMEOUT_MS = 300_000;

type Cut = (reason: string, kind: 'fail' | 'blocked') => void;

/** The one way to the admitted model, open from the checks until the engine has gone. */
export interface ModelWay {
  readonly access: ModelAccess;
  readonly port: Port | null;
  askShape(nonce: string): Promise<ShapeFact>;
  onTrouble(cut: Cut): void;
  settle(): Promise<void>;
}

/** Opens the gateway for this run; whatever it tells becomes events, findings and a recording. */
export async function openModelWay(run: Run, record: ModelRecord): Promise<ModelWay> {
  const { site, replay, fault } = run.order;
  const confined = site.confine === 'bubblewrap';
  if (confined) requireRelay(site.tools.path);
  const folder = run.scratchPath('port');
  mkdirSync(folder, { mode: 0o711 });
  const key = `seatrial-${randomBytes(16).toString('hex')}`;
  const books = new Books(run, record);
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
    { socketPath: join(folder, 'socket'), tcp: !confined, onReport: (report) => books.take(report) },
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
    askShape: async (nonce) => shapeFact(await gateway.probe(nonce)),
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

/** Refusals after which nothing that counts can come. A replay may run out: the recorded engine was ended once it had done its work. */
const POINTLESS: readonly Refusal['code'][] = ['model', 'host', 'budget', 'replay'];

/** Keeps account of what goes through the gateway. */
class Books {
  readonly #run: Run;
  readonly #record: ModelRecord;
  readonly #fd: number;
  #cut: Cut | null = null;
  #trouble: Parameters<Cut> | null = null;

  constructor(run: Run, record: ModelRecord) {
    this.#run = run;
    this.#record = record;
    const path = run.artifact(EXCHANGES_FILE);
    this.#fd = reportingWrite(path, () => {
      mkdirSync(run.artifact('backend/model'), { recursive: true });
      return openSync(path, 'w');
    });
  }

  take(report: GatewayReport): void {
    if (report.kind === 'refused') return this.#refused(report.refusal);
    const { exchange } = report;
    const { mask, findings, log } = this.#run;
    writeFully(this.#fd, Buffer.from(`${mask.text(JSON.stringify(exchange))}\n`));
    const { model, status, ended, duration_ms: durationMs, purpose } = exchange;
    log.append('model.request', 'harness', {
      provider: this.#record.provider,
      model: mask.text(model),
      http_status: status ?? 0,
    });
    this.#run.traceCall('model call', durationMs, ended === 'complete', { purpose, status: status ?? 0 });
    if (exchange.answered_by_model !== null) findings.model.observed.add(mask.text(exchange.answered_by_model));
    if (purpose === 'engine') findings.model.calls.push(exchange);
    this.#run.order.watch.activity(`model: HTTP ${status ?? '-'} in ${Math.round(durationMs)} ms`);
  }

  /** What nothing can be expected to come after. */
  cut(...trouble: Parameters<Cut>): void {
    this.#trouble ??= trouble;
    this.#cut?.(...this.#trouble);
  }

  onTrouble(cut: Cut): void {
    this.#cut = cut;
    if (this.#trouble !== null) cut(...this.#trouble);
  }

  close(totals: Totals): void {
    closeSync(this.#fd);
    const { requests, input_tokens, output_tokens, cost_usd } = totals;
    this.#run.findings.model.usage = { requests, input_tokens, output_tokens, cost_usd };
  }

  #refused({ code, reason, model }: Refusal): void {
    const { mask, log } = this.#run;
    const asked = mask.text(model ?? '');
    log.append('model.refused', 'harness', {
      provider: this.#record.provider,
      model: asked,
      reason: mask.text(reason),
    });
    if (POINTLESS.includes(code)) this.cut(reason, 'fail');
  }
}
