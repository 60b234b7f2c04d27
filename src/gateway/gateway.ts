import type { IncomingHttpHeaders } from 'node:http';
import { reason } from '../evidence/reasons/catalogue.ts';
import { mapReasonText } from '../evidence/reasons/reason.ts';
import type { Clock } from '../kernel/clock.ts';
import { admitBody, type Question, refuseRequest } from './admit.ts';
import { allowedHeaders } from './allowed/headers.ts';
import { BudgetLedger, type Reservation } from './budget.ts';
import { type AdaptedBody, adaptForChatGpt } from './sign-in/chatgpt.ts';
import { type Redactors, UpstreamCredential } from './sign-in/credential.ts';
import { SIGN_INS } from './sign-in/programs.ts';
import type { JsonObject } from './exchange/json.ts';
import type { MemoryBudget } from './exchange/memory-budget.ts';
import { describeExchange, type RawExchange } from './exchange/describe.ts';
import { ExchangeRecorder, type ResponseWriter } from './recorder.ts';
import { FaultSource } from './faults.ts';
import { ReplaySource } from './replay.ts';
import type { Answering, AnswerSource, ForwardedRequest, NoSource, OpenExchange } from './exchange/source.ts';
import type { Exchange } from '../evidence/schema/exchange.ts';
import { limitText, outputLimit, withOutputLimit } from './output-limit.ts';
import type { GatewayPlan, Refusal } from './types.ts';
import { UpstreamSource } from './upstream.ts';
import { WaitingRequests } from './waiting.ts';
import { WIRES } from './wires/list.ts';
import type { Route } from './wires/rules.ts';

/** A request whose head was admitted. */
export interface Offered {
  readonly purpose: Exchange['purpose'];
  readonly route: Route;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** Query parameters that are not forwarded. */
  readonly dropped: readonly string[];
}

interface AdmittedQuestion {
  readonly question: Question;
  readonly offered: Offered;
  readonly writer: ResponseWriter;
  readonly done: ((exchange: Exchange) => void) | undefined;
}

/** Receives the outcome of every request. */
export interface GatewayListener {
  exchange(raw: RawExchange): void;
  refused(refusal: Refusal): void;
  /** Bytes of reports that are still in memory. */
  waiting(): number;
}

const LEFT_WHILE_WAITING = 'the engine disconnected while its request waited for a budget';
const NO_PROVIDER: NoSource = { name: null, code: 'upstream', why: 'no provider was given' };

/** Admits requests, forwards them, and reports each outcome. Independent of the sockets on the engine's side. */
export class Gateway {
  readonly plan: GatewayPlan;
  readonly #clock: Clock;
  readonly #listener: GatewayListener;
  readonly #memory: MemoryBudget;
  readonly #credential: UpstreamCredential;
  readonly #upstream: UpstreamSource | null;
  readonly #replay: ReplaySource | null;
  readonly #ledger: BudgetLedger;
  readonly #waiting = new WaitingRequests();
  #otherModels = 0;

  constructor(plan: GatewayPlan, clock: Clock, listener: GatewayListener, memory: MemoryBudget) {
    const { upstream, replay, budgets, prices, requestTimeoutMs } = plan;
    this.plan = plan;
    this.#clock = clock;
    this.#listener = listener;
    this.#memory = memory;
    this.#credential = new UpstreamCredential(plan, clock);
    this.#upstream = upstream === null ? null : new UpstreamSource(plan, upstream, this.#credential);
    this.#replay = replay === null ? null : new ReplaySource(replay, requestTimeoutMs);
    this.#ledger = new BudgetLedger(budgets, prices);
  }

  get #redactors(): Redactors {
    return this.#credential.redactors;
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

  /**
   * Forwards a request, or returns a refusal, which has already been reported. A request that the budgets may not cover
   * beside those under way waits for them. `done` receives the finished exchange.
   */
  ask(offered: Offered, writer: ResponseWriter, done?: (exchange: Exchange) => void): OpenExchange | Refusal {
    const question = admitBody(offered.route, offered.body.toString('utf8'), this.plan);
    if (question.kind === 'refused') return this.#refused(this.#tolerate(question.refusal));
    const admitted = { question, offered, writer, done };
    if (offered.purpose === 'probe') return this.#forward(admitted, 0, null, null);
    return (this.#waiting.isEmpty ? this.#start(admitted) : null) ?? this.#wait(admitted);
  }

  /** An agent that asks a model which is not admitted may do without it; one that insists may not. */
  #tolerate(refusal: Refusal): Refusal {
    if (refusal.code !== 'model') return refusal;
    this.#otherModels += 1;
    return this.#otherModels > this.plan.toleratedOtherModels ? refusal : { ...refusal, fatal: null };
  }

  close(): void {
    this.#upstream?.close();
  }

  /** Null: it must wait. */
  #start(admitted: AdmittedQuestion): OpenExchange | Refusal | null {
    const { question, offered } = admitted;
    const grant = this.#ledger.reserve(offered.body.length, outputLimit(WIRES[offered.route.wire], question.json));
    switch (grant.kind) {
      case 'granted':
        return this.#forward(admitted, this.#ledger.requests, grant.reservation, grant.limit);
      case 'wait':
        return null;
      case 'spent': {
        const why = reason('over_budget', { budget: grant.budget });
        return this.#refused(refuseRequest('budget', 429, why, question.model).refusal);
      }
      default:
        return grant satisfies never;
    }
  }

  #forward(
    { question, offered, writer, done }: AdmittedQuestion,
    seq: number,
    reservation: Reservation | null,
    limit: number | null,
  ): OpenExchange | Refusal {
    const rules = WIRES[offered.route.wire];
    const allowed = allowedHeaders(offered.headers, this.plan.loginHeaders);
    const limited = limit === null ? question.json : withOutputLimit(rules, question.json, limit);
    const { json, changed } = this.#adapted(limited);
    const asked: ForwardedRequest = {
      ...question,
      ...offered,
      seq,
      headers: allowed.headers,
      sent: Buffer.from(JSON.stringify(json)),
      dropped: [...question.dropped, ...allowed.dropped, ...offered.dropped],
      changed: [...question.changed, ...(limit === null ? [] : [limitText(rules, limit)]), ...changed],
    };
    const source = this.#sourceFor(asked);
    if (source.name === null) {
      if (reservation !== null) this.#ledger.cancel(reservation);
      return this.#refused(refuseRequest(source.code, 409, source.why, question.model).refusal);
    }
    let answering: Answering | null = null;
    const recorder = new ExchangeRecorder(asked, writer, {
      clock: this.#clock,
      answeredBy: source.name,
      redactor: this.#redactors.key,
      memory: this.#memory,
      stop: () => answering?.stop(),
      done: (raw) => {
        this.#listener.exchange(raw);
        this.#noteRefusedLogin(raw);
        this.#settle(reservation, raw);
        done?.(describeExchange(raw, this.#redactors.all).exchange);
      },
    });
    answering = source.answer(asked, recorder);
    return {
      kind: 'conversation',
      left: () => {
        answering?.stop();
        recorder.left();
      },
      goOn: () => answering?.goOn(),
    };
  }

  #wait(admitted: AdmittedQuestion): OpenExchange {
    return this.#waiting.add({
      start: () => this.#start(admitted),
      refuse: (refusal) => sendError(admitted, refusal),
      abandon: () => this.refuse(refuseRequest('budget', 429, LEFT_WHILE_WAITING, admitted.question.model).refusal),
    });
  }

  #sourceFor(asked: ForwardedRequest): AnswerSource | NoSource {
    const { fault, requestTimeoutMs } = this.plan;
    if (fault !== null && asked.seq >= fault.from) return new FaultSource(fault.kind, requestTimeoutMs);
    const replayed = this.#replay?.next(asked) ?? null;
    if (replayed !== null) return replayed;
    const problem = this.#credential.refresh();
    if (problem !== null) return { name: null, code: 'login', why: problem };
    return this.#upstream ?? NO_PROVIDER;
  }

  #adapted(json: JsonObject): AdaptedBody {
    const { program } = this.#credential;
    const isChatGpt = program !== null && SIGN_INS[program].provider === SIGN_INS.codex.provider;
    return isChatGpt ? adaptForChatGpt(json) : { json, changed: [] };
  }

  /** No further request can succeed, and a client that refreshes its throw-away token would only waste time. */
  #noteRefusedLogin({ facts }: RawExchange): void {
    const { program } = this.#credential;
    if (program === null || facts.status !== 401 || facts.answered_by !== 'upstream') return;
    const why = reason('login_refused', { program, renew: SIGN_INS[program].renew });
    this.refuse(refuseRequest('login', 401, why, facts.model).refusal);
  }

  #refused(refusal: Refusal): Refusal {
    this.refuse(refusal);
    return refusal;
  }

  /** Parsing is left to the harness unless a budget needs the usage here. */
  #settle(reservation: Reservation | null, raw: RawExchange): void {
    if (this.#ledger.countsTokens)
      this.#ledger.settle(reservation, describeExchange(raw, this.#redactors.all).exchange);
    this.#waiting.resume();
  }
}

/** For a request that was refused only after it had waited. */
function sendError({ offered, writer }: AdmittedQuestion, { status, reason: why }: Refusal): void {
  const body = Buffer.from(JSON.stringify(WIRES[offered.route.wire].error(status, `seatrial: ${why}`)));
  writer.head(status, { 'content-type': 'application/json' }, body.length);
  writer.chunk(body);
  writer.end();
}
