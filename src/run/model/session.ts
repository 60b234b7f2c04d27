import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ShapeFact } from '../../admission/facts.ts';
import { quoted } from '../../admission/records/quote.ts';
import type { AdmissionPolicy } from '../../engines/policy.ts';
import { isAdmittedAnswer, upstreamName } from '../../admission/served-model.ts';
import { type Port, requireRelay } from '../../confine/streams/port.ts';
import type { ModelAccess } from '../../engines/definition.ts';
import { standInLogin } from '../../engines/sign-in/stand-in.ts';
import { reason } from '../../evidence/reasons/catalogue.ts';
import type { ModelRecord } from '../../evidence/schema/admission.ts';
import { startGateway } from '../../gateway/process/start.ts';
import type { ShapeProbeResult } from '../../gateway/types.ts';
import { type Cut, type EngineExchanges, ExchangeLog } from './exchange-log.ts';
import type { Run } from '../steps/state.ts';

/** Always free: the sandbox has its own network namespace. */
const PORT_INSIDE = 4010;

/** The only access to the admitted model, open from the checks until the engine has exited. */
export interface ModelSession {
  readonly access: ModelAccess;
  readonly port: Port | null;
  /** Aborted when the run is interrupted. */
  probeResponseShape(nonce: string): Promise<ShapeFact>;
  readonly exchanges: EngineExchanges;
  onProblem(cut: Cut): void;
  close(): Promise<void>;
}

export interface ModelLimits {
  /** For a single answer. */
  readonly answerSec: number;
  /** For all that the engine does. */
  readonly engineSec: number;
}

/** Starts the gateway for this run and records its reports. */
export async function openModelSession(
  run: Run,
  record: ModelRecord,
  policy: AdmissionPolicy,
  limits: ModelLimits,
): Promise<ModelSession> {
  const { environment, replay, fault, signal } = run.request;
  const limitMs = limits.answerSec * 1000;
  const confined = environment.confine === 'bubblewrap';
  if (confined) requireRelay(environment.tools.path);
  const dir = run.scratchPath('port');
  mkdirSync(dir, { mode: 0o711 });
  const standIn = record.login === undefined ? null : standInLogin(record.login, environment.clock.now().getTime());
  const key = standIn?.token ?? `seatrial-${randomBytes(16).toString('hex')}`;
  const login = policy.logins[record.provider];
  const exchangeLog = new ExchangeLog(run, record, limits.engineSec * 1000);
  const gateway = await startGateway(
    {
      admitted: { provider: record.provider, model: record.model },
      runtimeModel: record.runtime.model,
      upstreamModel: upstreamName(record),
      helperModels: record.helpers ?? [],
      toleratedOtherModels: policy.toleratedOtherModels,
      wire: record.wire,
      upstream: replay === undefined ? environment.models.upstream(record) : null,
      key,
      ...(standIn === null || login === undefined ? {} : { loginHeaders: login.headers }),
      budgets: environment.models.budgets(record),
      prices: record.prices,
      replay: replay?.exchanges ?? null,
      fault: fault ?? null,
      // The engine's own limit bounds the first question too, and a slow local model may need more than the usual.
      requestTimeoutMs: limitMs,
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
      standIn,
      wire: record.wire,
      provider: record.runtime.provider,
      name: record.runtime.model,
      helpers: record.helpers ?? [],
      maxOutputTokens: record.max_output_tokens ?? null,
    },
    port: confined ? { dir, number: PORT_INSIDE } : null,
    probeResponseShape: async (nonce) => {
      // A write error is reported by the `atEnd` call.
      const abort = (): void => void close().catch(() => {});
      signal.addEventListener('abort', abort);
      // The gateway waits as long as something comes, however little.
      const timeout = new Promise<ShapeProbeResult>((resolve) => {
        setTimeout(resolve, limitMs, {
          kind: 'timeout',
          http_status: null,
          answered_by: null,
          detail: `no answer within ${limitMs / 1000} s`,
        }).unref();
      });
      const answer = await Promise.race([gateway.probe(nonce), timeout]);
      signal.removeEventListener('abort', abort);
      const name = answer.answered_by;
      return name === null || isAdmittedAnswer(record, name) ? shapeFact(answer) : otherModel(run.mask.text(name));
    },
    exchanges: exchangeLog,
    onProblem: (cut) => exchangeLog.onProblem(cut),
    close,
  };
}

const otherModel = (name: string): ShapeFact => ({
  kind: 'other_model',
  detail: `the endpoint answered as ${quoted(name)}`,
  answeredBy: name,
});

function shapeFact({ kind, detail, named }: ShapeProbeResult): ShapeFact {
  switch (kind) {
    case 'unreachable':
    case 'unauthorized':
    case 'http_error':
    case 'timeout':
    case 'cut':
      return { kind: 'no_answer', detail, problem: kind, ...(named === undefined ? {} : { named }) };
    default:
      return { kind, detail };
  }
}
