import type { IncomingHttpHeaders } from 'node:http';
import type { Clock } from '../kernel/clock.ts';
import { admitBody, refused } from './admit.ts';
import { addReport, noTotals, spentBudget } from './budget.ts';
import { type Cover, coverKey, coverUpstream } from './cover.ts';
import { Exchanging, type Taker } from './exchanging.ts';
import { FaultSource } from './faults.ts';
import { Replay } from './replay.ts';
import type { AnswerSource, Asked } from './source.ts';
import type { Exchange, GatewayPlan, GatewayReport, Refusal, Totals } from './types.ts';
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

/** Decides on questions, has them answered, and tells about each. Knows nothing of sockets on the engine's side. */
export class Gateway {
  readonly plan: GatewayPlan;
  readonly #clock: Clock;
  readonly #tell: (report: GatewayReport) => void;
  readonly #covers: { readonly key: Cover; readonly all: Cover };
  readonly #upstream: UpstreamSource | null;
  readonly #replay: Replay | null;
  #totals: Totals;
  #started = 0;

  constructor(plan: GatewayPlan, clock: Clock, tell: (report: GatewayReport) => void) {
    const { upstream, replay, prices, requestTimeoutMs } = plan;
    this.plan = plan;
    this.#clock = clock;
    this.#tell = tell;
    this.#covers = { key: coverKey(upstream), all: coverUpstream(upstream) };
    this.#upstream = upstream === null ? null : new UpstreamSource(plan, upstream, this.#covers.all);
    this.#replay = replay === null ? null : new Replay(replay, requestTimeoutMs);
    this.#totals = noTotals(prices);
  }

  refuse(refusal: Refusal): void {
    const { all } = this.#covers;
    const reason = all.text(refusal.reason);
    this.#report({ kind: 'refused', refusal: { ...refusal, reason, model: refusal.model && all.text(refusal.model) } });
  }

  /** Asks, unless there is a reason not to, which has been told then. `told` hears what is told of an exchange. */
  ask(offered: Offered, taker: Taker, told: (exchange: Exchange) => void = () => {}): Conversation | Refusal {
    const question = admitBody(offered.route, offered.body.toString('utf8'), this.plan);
    if (question.kind === 'refused') return this.#refused(question.refusal);
    const { budgets, prices } = this.plan;
    const spent = offered.purpose === 'engine' ? spentBudget(budgets, this.#started, this.#totals, prices) : null;
    if (spent !== null) return this.#refused(refused('budget', 429, `over budget: ${spent}`, question.model).refusal);
    const seq = offered.purpose === 'engine' ? this.#started + 1 : 0;
    const asked: Asked = { ...question, ...offered, seq };
    const source = this.#sourceFor(asked);
    if (typeof source === 'string') return this.#refused(refused('replay', 409, source, question.model).refusal);
    if (offered.purpose === 'engine') this.#started = seq;
    const exchanging = new Exchanging(asked, taker, {
      clock: this.#clock,
      answeredBy: source.name,
      coverKey: this.#covers.key,
      coverAll: this.#covers.all,
      done: (report) => {
        this.#report(report);
        if (report.kind === 'exchange') told(report.exchange);
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
  #sourceFor(asked: Asked): AnswerSource | string {
    const { fault, requestTimeoutMs } = this.plan;
    if (fault !== null && asked.seq >= fault.from) return new FaultSource(fault.kind, requestTimeoutMs);
    return this.#replay?.next(asked) ?? this.#upstream ?? 'no provider was given';
  }

  #refused(refusal: Refusal): Refusal {
    this.refuse(refusal);
    return refusal;
  }

  #report(report: GatewayReport): void {
    this.#totals = addReport(this.#totals, report, this.plan.prices);
    this.#tell(report);
  }
}
