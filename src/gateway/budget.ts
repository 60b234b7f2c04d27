import type { Exchange } from '../evidence/schema/exchange.ts';
import { costOf } from './totals.ts';
import type { Budgets, Prices } from './types.ts';

/** Lower than in ordinary text of any language, so that the estimate is too high rather than too low. */
const BYTES_PER_TOKEN = 3;
/** Too few tokens for an answer, and less than some providers accept as a limit. */
const MIN_OUTPUT_TOKENS = 16;
/** A request without a limit gets one only when less than this is left: a limit above the model's own is an error. */
const MAX_ADDED_LIMIT = 8192;

/** What a request may cost, held back until its answer has ended. */
export interface Reservation {
  readonly requestBytes: number;
  /** Null: the request sets no limit, so all that is left is held back. */
  readonly outputTokens: number | null;
}

export type Grant =
  /** `limit`: the output limit to send in place of the engine's; null: the request stays as it is. */
  | { readonly kind: 'granted'; readonly reservation: Reservation; readonly limit: number | null }
  /** It fits only if the answers under way turn out cheaper than their worst case. */
  | { readonly kind: 'wait' }
  | { readonly kind: 'spent'; readonly budget: keyof Budgets };

interface Spent {
  readonly requests: number;
  readonly input: number;
  readonly output: number;
}

/** Decides whether a request may be sent. Without others under way its input is estimated; beside others, each byte counts as a token. */
export class BudgetLedger {
  readonly #budgets: Budgets;
  readonly #prices: Prices | null;
  readonly #held = new Set<Reservation>();
  #spent: Spent = { requests: 0, input: 0, output: 0 };

  constructor(budgets: Budgets, prices: Prices | null) {
    this.#budgets = budgets;
    this.#prices = prices;
  }

  /** Whether the tokens of answers matter. */
  get countsTokens(): boolean {
    return this.#budgets.max_tokens !== undefined || this.#budgets.max_cost_usd !== undefined;
  }

  get requests(): number {
    return this.#spent.requests;
  }

  /** `asked`: the output limit that the request sets. */
  reserve(requestBytes: number, asked: number | null): Grant {
    if (this.#spent.requests >= (this.#budgets.max_requests ?? Infinity))
      return { kind: 'spent', budget: 'max_requests' };
    const alone = this.#room(estimate(requestBytes), []);
    if (alone.tokens < Math.min(asked ?? MIN_OUTPUT_TOKENS, MIN_OUTPUT_TOKENS))
      return { kind: 'spent', budget: alone.budget };
    if (this.#held.size > 0 && this.countsTokens) {
      const beside = this.#room(requestBytes, [...this.#held]);
      if (asked === null || beside.tokens < asked) return { kind: 'wait' };
    }
    const limit = limitToSend(asked, alone.tokens);
    const reservation = { requestBytes, outputTokens: limit ?? asked };
    if (this.countsTokens) this.#held.add(reservation);
    this.#spent = { ...this.#spent, requests: this.#spent.requests + 1 };
    return { kind: 'granted', reservation, limit };
  }

  /** For a request that was not sent. */
  cancel(reservation: Reservation): void {
    this.#held.delete(reservation);
    this.#spent = { ...this.#spent, requests: this.#spent.requests - 1 };
  }

  /** Replaces a reservation by what the exchange cost. Null: an exchange that reserved nothing. */
  settle(reservation: Reservation | null, exchange: Exchange): void {
    if (reservation !== null) this.#held.delete(reservation);
    const { input, output } = chargeFor(exchange, reservation);
    this.#spent = { ...this.#spent, input: this.#spent.input + input, output: this.#spent.output + output };
  }

  /** How many output tokens fit beside this input, and which budget allows the fewest. */
  #room(input: number, held: readonly Reservation[]): { readonly tokens: number; readonly budget: keyof Budgets } {
    const { max_tokens = Infinity, max_cost_usd = Infinity } = this.#budgets;
    const usedInput = this.#spent.input + input + held.reduce((sum, { requestBytes }) => sum + requestBytes, 0);
    const usedOutput = this.#spent.output + held.reduce((sum, { outputTokens }) => sum + (outputTokens ?? Infinity), 0);
    const byTokens = max_tokens - usedInput - usedOutput;
    const byCost = this.#affordable(max_cost_usd, usedInput, usedOutput);
    return byTokens <= byCost
      ? { tokens: Math.floor(byTokens), budget: 'max_tokens' }
      : { tokens: Math.floor(byCost), budget: 'max_cost_usd' };
  }

  #affordable(max: number, input: number, output: number): number {
    if (this.#prices === null || max === Infinity) return Infinity;
    const left = max - costOf(this.#prices, input, output);
    const price = costOf(this.#prices, 0, 1);
    return price === 0 ? (left >= 0 ? Infinity : -1) : left / price;
  }
}

function limitToSend(asked: number | null, room: number): number | null {
  if (asked !== null) return asked > room ? room : null;
  return room < MAX_ADDED_LIMIT ? room : null;
}

/** An answer that broke off may have cost all that was reserved: what the provider reported until then is not its end. */
function chargeFor(exchange: Exchange, reservation: Reservation | null): { input: number; output: number } {
  const { ended, status, usage, request, response } = exchange;
  const asked = estimate(bytesOf(request));
  const answered = response === null ? 0 : estimate(bytesOf(response.body));
  switch (ended) {
    case 'client_left':
    case 'timeout':
    case 'cut': {
      const reserved = reservation?.outputTokens ?? Math.max(answered, MAX_ADDED_LIMIT);
      return { input: usage?.input_tokens ?? asked, output: Math.max(usage?.output_tokens ?? 0, reserved) };
    }
    case 'complete':
    case 'malformed':
    case 'upstream_error':
      if (usage !== null) return { input: usage.input_tokens, output: usage.output_tokens };
      return status !== null && status < 400 ? { input: asked, output: answered } : { input: 0, output: 0 };
    default:
      return ended satisfies never;
  }
}

function bytesOf(body: Exchange['request']): number {
  return 'text' in body ? Buffer.byteLength(body.text) : Buffer.byteLength(body.base64, 'base64');
}

const estimate = (bytes: number): number => Math.ceil(bytes / BYTES_PER_TOKEN);
