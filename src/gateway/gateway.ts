import type { IncomingHttpHeaders } from 'node:http';
import type { Clock } from '../kernel/clock.ts';
import { admitBody, refused } from './admit.ts';
import { addReport, noTotals, spentBudget } from './budget.ts';
import { type Cover, coverKey, coverUpstream } from './cover.ts';
import { describeExchange, type RawExchange } from './describe.ts';
import { Exchanging, type Taker } from './exchanging.ts';
import { FaultSource } from './faults.ts';
import { Replay } from './replay.ts';
import type { AnswerSource, Asked, NoSource } from './source.ts';
import type { Exchange, GatewayPlan, Refusal, Totals } from './types.ts';
import { UpstreamSource } from './upstream.ts';
import type { Route } from './wires/rules.ts';

/** A question whose head was admitted. */
export interface Offered {
  readonly purpose: Exchange['purpose'];
  readonly route: Route;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** An exchange as its other side sees it. */
export interface Conversation {
  readonly kind: 'conversation';
  /** The other side has gone. */
  left(): void;
  /** It can take more. */
  goOn(): void;
}

/** What becomes of questions, as it happens. */
export interface Told {
  exchange(raw: RawExchange): void;
  refused(refusal: Refusal): void;
  /** How many bytes of that are still in memory. */
  waiting(): number;
}

const NOBODY: NoSource = { name: null, code: 'upstream', reason: 'no provider was given' };

/** Decides on questions, has them answered, and tells about each. Knows nothing of sockets on the engine's side. */
export class Gateway {
  readonly plan: GatewayPlan;
  readonly #clock: Clock;
  readonly #told: Told;
  readonly #covers: { readonly key: Cover; readonly all: Cover };
  readonly #upstream: UpstreamSource | null;
  readonly #replay: Replay | null;
  #totals: Totals;
  #started = 0;

  constructor(plan: GatewayPlan, clock: Clock, told: Told) {
    const { upstream, replay, prices, requestTimeoutMs } = plan;
    this.plan = plan;
    this.#clock = clock;
    this.#told = told;
    this.#covers = { key: coverKey(upstream), all: coverUpstream(upstream) };
    this.#upstream = upstream === null ? null : new UpstreamSource(plan, upstream, this.#covers.all);
    this.#replay = replay === null ? null : new Replay(replay, requestTimeoutMs);
    this.#totals = noTotals(prices);
  }

  refuse(refusal: Refusal): void {
    const { all } = this.#covers;
    const reason = all.text(refusal.reason);
    this.#told.refused({ ...refusal, reason, model: refusal.model && all.text(refusal.model) });
  }

  /** Asks, unless there is a reason not to, which has been told then. `done` gets what the exchange was. */
  ask(offered: Offered, taker: Taker, done?: (exchange: Exchange) => void): Conversation | Refusal {
    const question = admitBody(offered.route, offered.body.toString('utf8'), this.plan);
    if (question.kind === 'refused') return this.#refused(question.refusal);
    const { budgets, prices } = this.plan;
    const spent = offered.purpose === 'engine' ? spentBudget(budgets, this.#started, this.#totals, prices) : null;
    if (spent !== null) return this.#refused(refused('budget', 429, `over budget: ${spent}`, question.model).refusal);
    const seq = offered.purpose === 'engine' ? this.#started + 1 : 0;
    const asked: Asked = { ...question, ...offered, seq };
    const source = this.#sourceFor(asked);
    if (source.name === null) return this.#refused(refused(source.code, 409, source.reason, question.model).refusal);
    if (offered.purpose === 'engine') this.#started = seq;
    const exchanging = new Exchanging(asked, taker, {
      clock: this.#clock,
      answeredBy: source.name,
      cover: this.#covers.key,
      done: (raw) => {
        this.#told.exchange(raw);
        this.#count(raw);
        done?.(describeExchange(raw, this.#covers.all).exchange);
      },
    });
    const answering = source.answer(asked, exchanging);
    return {
      kind: 'conversation',
      left: () => {
        answering.stop();
        exchanging.left();
      },
      goOn: () => answering.goOn(),
    };
  }

  close(): void {
    this.#upstream?.close();
  }

  /** Or why nobody answers. */
  #sourceFor(asked: Asked): AnswerSource | NoSource {
    const { fault, requestTimeoutMs } = this.plan;
    if (fault !== null && asked.seq >= fault.from) return new FaultSource(fault.kind, requestTimeoutMs);
    return this.#replay?.next(asked) ?? this.#upstream ?? NOBODY;
  }

  #refused(refusal: Refusal): Refusal {
    this.refuse(refusal);
    return refusal;
  }

  /** Reading what an answer took is left to the harness unless something depends on it here. */
  #count(raw: RawExchange): void {
    const { budgets, prices } = this.plan;
    if (budgets.max_tokens === undefined && budgets.max_cost_usd === undefined) return;
    this.#totals = addReport(this.#totals, describeExchange(raw, this.#covers.all), prices);
  }
}
