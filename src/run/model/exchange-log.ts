import { closeSync, mkdirSync, openSync } from 'node:fs';
import { isAdmittedAnswer } from '../../admission/served-model.ts';
import { reason } from '../../evidence/reasons/catalogue.ts';
import type { Reason } from '../../evidence/reasons/reason.ts';
import { writeFully } from '../../evidence/storage/write-fully.ts';
import { reportingWrite } from '../../evidence/storage/write-failed.ts';
import type { ModelRecord } from '../../evidence/schema/admission.ts';
import type { Exchange } from '../../evidence/schema/exchange.ts';
import { modelSpan } from '../../evidence/log/gen-ai.ts';
import { costOf } from '../../gateway/totals.ts';
import type { ModelCall } from '../../gateway/exchange/provider-failure.ts';
import type { GatewayReport, Refusal, Totals } from '../../gateway/types.ts';
import { asError } from '../../kernel/errors.ts';
import type { ModelSpending } from '../request.ts';
import type { Run } from '../steps/state.ts';
import { type FaultStreak, nextStreak, pointlessReason } from './repeated-faults.ts';

export const EXCHANGES_FILE = 'backend/model/exchanges.jsonl';

/** Stops the engine, with the reason for the report. `detail`: of a failure of the provider, which the engine's own logs may add to. */
export type Cut = (reason: Reason<'fail' | 'blocked'>, detail?: string) => void;

/** Far more than any task needs. Every exchange is written to the user's disk, so an engine must not be able to fill it. */
const MAX_REPORTS = 10_000;
const MAX_BYTES = 1024 * 1024 * 1024;

/** What the engine and its model said, as far as it is needed while the engine runs. */
export interface EngineExchanges {
  readonly calls: readonly ModelCall[];
  /** Commits that an answer claims as the finished work. */
  readonly claims: ReadonlySet<string>;
  /** Models that are not admitted, as often as they were asked for. */
  readonly refusedModels: readonly string[];
}

/** Records every exchange: on disk and in the event log. */
export class ExchangeLog implements EngineExchanges {
  readonly calls: ModelCall[] = [];
  readonly claims = new Set<string>();
  readonly refusedModels: string[] = [];
  readonly #run: Run;
  readonly #record: ModelRecord;
  readonly #timeLimitMs: number;
  readonly #path: string;
  readonly #fd: number;
  #reports = 0;
  #bytes = 0;
  #cut: Cut | null = null;
  #problem: Parameters<Cut> | null = null;
  #streak: FaultStreak | null = null;
  #deadlineMs: number | null = null;
  #fault: Error | null = null;
  #spent: ModelSpending = { requests: 0, tokens: 0, costUsd: null };

  constructor(run: Run, record: ModelRecord, timeLimitMs: number) {
    this.#run = run;
    this.#timeLimitMs = timeLimitMs;
    this.#record = record;
    this.#path = run.artifact(EXCHANGES_FILE);
    this.#fd = reportingWrite(this.#path, () => {
      mkdirSync(run.artifact('backend/model'), { recursive: true });
      return openSync(this.#path, 'w');
    });
  }

  /** Never throws: a write error stops the engine and is thrown by `close`. */
  record(report: GatewayReport): void {
    if (this.#fault !== null || this.#reports > MAX_REPORTS || this.#bytes > MAX_BYTES) return;
    try {
      this.#reports += 1;
      if (report.kind === 'refused') this.#refused(report.refusal);
      else this.#exchanged(report.exchange, report.text);
    } catch (error) {
      this.#fault = asError(error);
      this.cut(reason('transcript_not_written'));
    }
    if (this.#reports > MAX_REPORTS) this.cut(reason('too_many_requests', { n: MAX_REPORTS }));
    if (this.#bytes > MAX_BYTES) this.cut(reason('too_many_bytes', { n: MAX_BYTES }));
  }

  /** Stops the engine now, or as soon as `onProblem` has set how. The first problem wins. */
  cut(...problem: Parameters<Cut>): void {
    this.#problem ??= problem;
    this.#cut?.(...this.#problem);
  }

  onProblem(cut: Cut): void {
    this.#cut = cut;
    if (this.#problem !== null) cut(...this.#problem);
  }

  close({ requests, input_tokens, output_tokens, cost_usd }: Totals): void {
    closeSync(this.#fd);
    this.#run.log.append('usage.counted', 'harness', { requests, input_tokens, output_tokens, cost_usd });
    if (this.#fault !== null) throw this.#fault;
  }

  #exchanged(exchange: Exchange, text: string): void {
    const { mask, log, request } = this.#run;
    const line = Buffer.from(`${mask.text(JSON.stringify(exchange))}\n`);
    this.#bytes += line.length;
    reportingWrite(this.#path, () => writeFully(this.#fd, line));
    const { model, started_at, status, ended, shape, detail, duration_ms: durationMs, purpose, usage } = exchange;
    const costUsd = this.#costOf(usage);
    const { answered_by_model: answeredBy } = exchange;
    log.append('model.request', 'harness', {
      provider: this.#record.provider,
      model: mask.text(model),
      http_status: status ?? 0,
      ...(answeredBy === null ? {} : { answered_by: mask.text(answeredBy) }),
      started_at,
      duration_ms: Math.round(durationMs),
      ...usage,
      ...(costUsd === null ? {} : { cost_usd: costUsd }),
    });
    this.#spent = addUsage(this.#spent, usage, costUsd);
    request.watch.spent(this.#spent);
    // The answer to the first question is refused by a check.
    if (
      purpose === 'engine' &&
      answeredBy !== null &&
      !isAdmittedAnswer(this.#record, answeredBy) &&
      !this.#isHelpersAnswer(model, answeredBy)
    )
      this.cut(reason('other_model_answered', { model: mask.text(answeredBy) }));
    this.#trace(exchange);
    const claim = purpose === 'engine' ? request.engine.claimIn(text) : null;
    if (claim !== null) this.claims.add(mask.text(claim));
    // Bodies are omitted: they are on disk and can be large.
    if (purpose === 'engine') {
      const { problem, answered_by } = exchange;
      this.calls.push({ started_at, status, ended, shape, detail, problem, answered_by });
      this.#watchFaults(exchange);
    }
    request.watch.activity(`model: HTTP ${status ?? '-'} in ${Math.round(durationMs)} ms`);
  }

  /** An engine that asks again and again what cannot be answered is ended with the true cause. */
  #watchFaults(exchange: Exchange): void {
    // The engine's time had begun before its first request, so that the true deadline is not later.
    this.#deadlineMs ??= Date.parse(exchange.started_at) + this.#timeLimitMs;
    this.#streak = nextStreak(this.#streak, exchange);
    const pointless = this.#streak === null ? null : pointlessReason(this.#streak, this.#deadlineMs);
    if (pointless !== null) this.cut(pointless.reason, pointless.detail);
  }

  #trace({
    model,
    answered_by_model: answeredBy,
    wire,
    streamed,
    usage,
    status,
    ended,
    purpose,
    ...exchange
  }: Exchange): void {
    const { mask } = this.#run;
    const failed = status !== null && status >= 400 ? String(status) : null;
    const fault = failed ?? (ended === 'complete' ? null : ended);
    const span = modelSpan({
      provider: this.#record.provider,
      model: mask.text(model),
      answeredBy: answeredBy === null ? null : mask.text(answeredBy),
      wire,
      streamed,
      usage,
      costUsd: this.#costOf(usage),
      status,
      fault,
      purpose,
    });
    this.#run.log.calls.add(span, exchange.duration_ms, fault === null);
  }

  #costOf(usage: Exchange['usage']): number | null {
    const { prices } = this.#record;
    return prices === null || usage === null ? null : costOf(prices, usage.input_tokens, usage.output_tokens);
  }

  #isHelpersAnswer(asked: string, answered: string): boolean {
    return (this.#record.helpers ?? []).includes(asked) && isAdmittedAnswer({ model: asked }, answered);
  }

  #refused({ code, reason: why, fatal, model }: Refusal): void {
    const { mask, log } = this.#run;
    if (code === 'model' && model !== null) this.refusedModels.push(mask.text(model));
    log.append('model.refused', 'harness', {
      provider: this.#record.provider,
      model: mask.text(model ?? ''),
      reason: mask.text(why),
    });
    if (fatal !== null) this.cut(fatal);
  }
}

function addUsage(
  { requests, tokens, costUsd }: ModelSpending,
  usage: Exchange['usage'],
  cost: number | null,
): ModelSpending {
  return {
    requests: requests + 1,
    tokens: tokens + (usage?.input_tokens ?? 0) + (usage?.output_tokens ?? 0),
    costUsd: cost === null ? costUsd : (costUsd ?? 0) + cost,
  };
}
