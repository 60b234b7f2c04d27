import type { Reason } from '../../evidence/reasons/reason.ts';
import type { Exchange } from '../../evidence/schema/exchange.ts';
import { endOfExchange } from '../../gateway/exchange/problem.ts';
import { classifyProviderFailure, type ProviderFailure } from '../../gateway/exchange/provider-failure.ts';

/** The same fault, one request after the other, with no answer between. */
export interface FaultStreak {
  readonly failure: ProviderFailure;
  readonly count: number;
  readonly endedMs: number;
  /** When the provider says that its limit is reset; null if it does not. */
  readonly resetsMs: number | null;
}

/** Client libraries try three times; an engine that goes on after that would do so until its time is over. */
const MAX_PASSING = 4;
/** Asking again cannot help. The second shows that the engine does ask again. */
const MAX_FINAL = 2;

const FINAL: ReadonlySet<string> = new Set([
  'provider_unauthorized',
  'provider_forbidden',
  'provider_usage_limit',
  'provider_model_unknown',
]);

/** The streak after one more exchange of the engine. */
export function nextStreak(streak: FaultStreak | null, exchange: Exchange): FaultStreak | null {
  if (exchange.ended === 'client_left') return streak;
  const failure = classifyProviderFailure(exchange);
  // A conversation that is too long can be shortened.
  if (failure === null || failure.reason.code === 'context_overflow') return null;
  const resets = exchange.problem?.resets_at ?? null;
  const fault = { failure, endedMs: endOfExchange(exchange), resetsMs: resets === null ? null : Date.parse(resets) };
  if (streak === null || streak.failure.reason.code !== failure.reason.code) return { ...fault, count: 1 };
  // Requests that were under way together are one attempt.
  return Date.parse(exchange.started_at) < streak.endedMs ? streak : { ...fault, count: streak.count + 1 };
}

/** Why going on is pointless; null if it is not yet. A limit that is reset before the deadline is waited for. */
export function pointlessReason(
  { failure, count, endedMs, resetsMs }: FaultStreak,
  deadlineMs: number,
): { readonly reason: Reason<'fail' | 'blocked'>; readonly detail: string } | null {
  const isWaitedFor = resetsMs !== null && resetsMs > endedMs && resetsMs <= deadlineMs;
  if (isWaitedFor) return null;
  const isFinal = FINAL.has(failure.reason.code) || (resetsMs !== null && resetsMs > deadlineMs);
  if (count < (isFinal ? MAX_FINAL : MAX_PASSING)) return null;
  return { reason: failure.reason, detail: `${failure.detail}; ${count} times in a row, so the engine was ended` };
}
