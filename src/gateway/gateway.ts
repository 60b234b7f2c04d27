import type { IncomingHttpHeaders } from 'node:http';
import { reason } from '../evidence/reasons/catalogue.ts';
import { mapReasonText } from '../evidence/reasons/reason.ts';
import type { Clock } from '../kernel/clock.ts';
import { admitBody, refuseRequest } from './admit.ts';
import { addReport, noTotals, spentBudget } from './budget.ts';
import { type Redactor, redactKey, redactUpstream } from './redactor.ts';
import { describeExchange, type RawExchange } from './exchange/describe.ts';
import { ExchangeRecorder, type ResponseWriter } from './recorder.ts';
import { FaultSource } from './faults.ts';
import { ReplaySource } from './replay.ts';
import type { AnswerSource, ForwardedRequest, NoSource } from './exchange/source.ts';
import type { Exchange } from '../evidence/schema/exchange.ts';
import type { GatewayPlan, Refusal, Totals } from './types.ts';
import { UpstreamSource } from './upstream.ts';
import type { Route } from './wires/rules.ts';

/** A request whose head was admitted. */
export interface Offered {
  readonly purpose: Exchange['purpose'];
  readonly route: Route;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** An exchange in progress, as seen by the client's connection. */
export interface OpenExchange {
  readonly kind: 'conversation';
  /** The client has disconnected. */
  left(): void;
  /** The client can receive more. */
  goOn(): void;
}

/** Receives the outcome of every request. */
export interface GatewayListener {
  exchange(raw: RawExchange): void;
  refused(refusal: Refusal): void;
  /** Bytes of reports that are still in memory. */
  waiting(): number;
}

const NO_PROVIDER: NoSource = { name: null, code: 'upstream', why: 'no provider was given' };

/** Admits requests, forwards them, and reports each outcome. Independent of the sockets on the engine's side. */
export class Gateway {
  readonly plan: GatewayPlan;
  readonly #clock: Clock;
  readonly #listener: GatewayListener;
  readonly #redactors: { readonly key: Redactor; readonly all: Redactor };
  readonly #upstream: UpstreamSource | null;
  readonly #replay: ReplaySource | null;
  #totals: Totals;
  #started = 0;

  constructor(plan: GatewayPlan, clock: Clock, listener: GatewayListener) {
    const { upstream, replay, prices, requestTimeoutMs } = plan;
    this.plan = plan;
    this.#clock = clock;
    this.#listener = listener;
    this.#redactors = { key: redactKey(upstream), all: redactUpstream(upstream) };
    this.#upstream = upstream === null ? null : new UpstreamSource(plan, upstream, this.#redactors.all);
    this.#replay = replay === null ? null : new ReplaySource(replay, requestTimeoutMs);
    this.#totals = noTotals(prices);
  }

  refuse(refusal: Refusal): void {
    const { all } = this.#redactors;
    const redact = (text: string): string => all.text(text);
    this.#listener.refused({
      ...refusal,
      reason: redact(refusal.reason),
      fatal: refusal.fatal && mapReasonText(refusal.fatal, redact),
      model: refusal.model && redact(refusal.model),
    });
  }

  /** Forwards a request, or returns a refusal, which has already been reported. `done` receives the finished exchange. */
  ask(offered: Offered, writer: ResponseWriter, done?: (exchange: Exchange) => void): OpenExchange | Refusal {
    const question = admitBody(offered.route, offered.body.toString('utf8'), this.plan);
    if (question.kind === 'refused') return this.#refused(question.refusal);
    const { budgets, prices } = this.plan;
    const spent = offered.purpose === 'engine' ? spentBudget(budgets, this.#started, this.#totals, prices) : null;
    if (spent !== null)
      return this.#refused(
        refuseRequest('budget', 429, reason('over_budget', { budget: spent }), question.model).refusal,
      );
    const seq = offered.purpose === 'engine' ? this.#started + 1 : 0;
    const asked: ForwardedRequest = { ...question, ...offered, seq };
    const source = this.#sourceFor(asked);
    if (source.name === null) return this.#refused(refuseRequest(source.code, 409, source.why, question.model).refusal);
    if (offered.purpose === 'engine') this.#started = seq;
    const recorder = new ExchangeRecorder(asked, writer, {
      clock: this.#clock,
      answeredBy: source.name,
      redactor: this.#redactors.key,
      done: (raw) => {
        this.#listener.exchange(raw);
        this.#count(raw);
        done?.(describeExchange(raw, this.#redactors.all).exchange);
      },
    });
    const answering = source.answer(asked, recorder);
    return {
      kind: 'conversation',
      left: () => {
        answering.stop();
        recorder.left();
      },
      goOn: () => answering.goOn(),
    };
  }

  close(): void {
    this.#upstream?.close();
  }

  #sourceFor(asked: ForwardedRequest): AnswerSource | NoSource {
    const { fault, requestTimeoutMs } = this.plan;
    if (fault !== null && asked.seq >= fault.from) return new FaultSource(fault.kind, requestTimeoutMs);
    return this.#replay?.next(asked) ?? this.#upstream ?? NO_PROVIDER;
  }

  #refused(refusal: Refusal): Refusal {
    this.refuse(refusal);
    return refusal;
  }

  /** Parsing is left to the harness unless a budget needs the usage here. */
  #count(raw: RawExchange): void {
    const { budgets, prices } = this.plan;
    if (budgets.max_tokens === undefined && budgets.max_cost_usd === undefined) return;
    this.#totals = addReport(this.#totals, describeExchange(raw, this.#redactors.all), prices);
  }
}
