import { closeSync, mkdirSync, openSync } from 'node:fs';
import { reportingWrite, writeFully } from '../../evidence/storage/durable.ts';
import type { ModelRecord } from '../../evidence/schema/admission.ts';
import type { Exchange } from '../../evidence/schema/exchange.ts';
import type { GatewayReport, Refusal, Totals } from '../../gateway/types.ts';
import { asError } from '../../kernel/errors.ts';
import type { Run } from '../steps/state.ts';

export const EXCHANGES_FILE = 'backend/model/exchanges.jsonl';

/** Ends an engine, and says why. */
export type Cut = (reason: string, kind: 'fail' | 'blocked') => void;

/** Refusals after which nothing that counts can come. A replay may run out: the recorded engine was ended once it had done its work. */
const POINTLESS: readonly Refusal['code'][] = ['model', 'host', 'budget', 'replay'];

/** More than any work takes. The engine decides how often it asks and how much it says, and all of it is kept on the caller's disk. */
const MAX_TOLD = 10_000;
const MAX_BYTES = 1024 * 1024 * 1024;

/** Keeps account of what goes through the gateway. */
export class ExchangeLog {
  readonly #run: Run;
  readonly #record: ModelRecord;
  readonly #path: string;
  readonly #fd: number;
  #told = 0;
  #bytes = 0;
  #cut: Cut | null = null;
  #trouble: Parameters<Cut> | null = null;
  #fault: Error | null = null;

  constructor(run: Run, record: ModelRecord) {
    this.#run = run;
    this.#record = record;
    this.#path = run.artifact(EXCHANGES_FILE);
    this.#fd = reportingWrite(this.#path, () => {
      mkdirSync(run.artifact('backend/model'), { recursive: true });
      return openSync(this.#path, 'w');
    });
  }

  /** Never throws: nobody waits for it. What could not be kept shows in `close`. */
  record(report: GatewayReport): void {
    if (this.#fault !== null || this.#told > MAX_TOLD || this.#bytes > MAX_BYTES) return;
    try {
      this.#told += 1;
      if (report.kind === 'refused') this.#refused(report.refusal);
      else this.#exchanged(report.exchange, report.text);
    } catch (error) {
      this.#fault = asError(error);
      this.cut('what the model was asked and answered could not be kept', 'blocked');
    }
    if (this.#told > MAX_TOLD) this.cut(`the model was asked more than ${MAX_TOLD} times`, 'fail');
    if (this.#bytes > MAX_BYTES) this.cut(`more than ${MAX_BYTES} bytes went to the model and back`, 'fail');
  }

  /** What nothing can be expected to come after. */
  cut(...problem: Parameters<Cut>): void {
    this.#trouble ??= problem;
    this.#cut?.(...this.#trouble);
  }

  onTrouble(cut: Cut): void {
    this.#cut = cut;
    if (this.#trouble !== null) cut(...this.#trouble);
  }

  close({ requests, input_tokens, output_tokens, cost_usd }: Totals): void {
    this.#run.findings.model.usage = { requests, input_tokens, output_tokens, cost_usd };
    closeSync(this.#fd);
    if (this.#fault !== null) throw this.#fault;
  }

  #exchanged(exchange: Exchange, text: string): void {
    const { mask, findings, log, order } = this.#run;
    const line = Buffer.from(`${mask.text(JSON.stringify(exchange))}\n`);
    this.#bytes += line.length;
    reportingWrite(this.#path, () => writeFully(this.#fd, line));
    const { model, started_at, status, ended, shape, detail, duration_ms: durationMs, purpose } = exchange;
    log.append('model.request', 'harness', {
      provider: this.#record.provider,
      model: mask.text(model),
      http_status: status ?? 0,
    });
    this.#run.traceCall('model call', durationMs, ended === 'complete', { purpose, status: status ?? 0 });
    if (exchange.answered_by_model !== null) findings.model.observed.add(mask.text(exchange.answered_by_model));
    const claim = purpose === 'engine' ? order.engine.claimIn(text) : null;
    if (claim !== null) findings.model.claims.add(mask.text(claim));
    // Without what was said: that may be much, and is on disk.
    if (purpose === 'engine') findings.model.calls.push({ started_at, status, ended, shape, detail });
    order.watch.activity(`model: HTTP ${status ?? '-'} in ${Math.round(durationMs)} ms`);
  }

  #refused({ code, reason, model }: Refusal): void {
    const { mask, log } = this.#run;
    log.append('model.refused', 'harness', {
      provider: this.#record.provider,
      model: mask.text(model ?? ''),
      reason: mask.text(reason),
    });
    if (POINTLESS.includes(code)) this.cut(reason, 'fail');
  }
}
