import { reason } from '../../evidence/reasons/catalogue.ts';
import type { Reason } from '../../evidence/reasons/reason.ts';
import type { Exchange } from '../../evidence/schema/exchange.ts';

/** The part of an exchange that is needed to classify a failure. */
export type ModelCall = Pick<Exchange, 'started_at' | 'status' | 'ended' | 'shape' | 'detail' | 'problem'> &
  Partial<Pick<Exchange, 'answered_by'>>;

/** Why an answer was unusable for the engine. */
export interface ProviderFailure {
  /** `fail`: another engine, or another way to ask, could have got an answer. */
  readonly reason: Reason<'fail' | 'blocked'>;
  readonly detail: string;
}

/** Only the gateway can tell these apart: engines tend to print one message for all of them. Null if the answer was usable. */
export function classifyProviderFailure(call: ModelCall): ProviderFailure | null {
  const found = reasonFor(call);
  if (found === null) return null;
  if (found.code === 'response_shape_unavailable')
    return { reason: found, detail: 'the model answered with reasoning and no content' };
  const what = call.detail ?? found.text;
  const resets = call.problem?.resets_at ?? null;
  const until = resets === null ? '' : `; its limit is reset at ${resets}`;
  return { reason: found, detail: `the model's last answer before the failure: ${what}${until}` };
}

function reasonFor(call: ModelCall): Reason<'fail' | 'blocked'> | null {
  const { status, ended, shape, answered_by: by } = call;
  if (ended === 'client_left') return null;
  if (ended === 'timeout') return reason('provider_timeout');
  if (ended === 'cut') return reason('provider_cut_off');
  if (status === null) return reason('provider_no_answer');
  if (by === 'gateway') return reason('provider_connection_failed');
  const named = namedProviderCause(call);
  if (named !== null) return named;
  if (status >= 400) return httpError(status);
  if (ended === 'malformed' || shape === 'malformed') return reason('provider_unreadable');
  if (ended === 'upstream_error') return reason('provider_answered_error');
  if (shape === 'reasoning_only') return reason('response_shape_unavailable');
  return shape === 'empty' ? reason('provider_empty') : null;
}

/** The cause that the provider names; null if it names none beyond its status. */
export function namedProviderCause({ problem }: Pick<ModelCall, 'problem'>): Reason<'fail' | 'blocked'> | null {
  switch (problem?.kind) {
    case 'usage_limit':
      return reason('provider_usage_limit', { resets: resetsText(problem.resets_at) });
    case 'context_overflow':
      return reason('context_overflow');
    case 'model_unknown':
      return reason('provider_model_unknown');
    // A refusal is an answer, and a rate limit shows in its status.
    case 'model_refused':
    case 'rate_limit':
    case undefined:
      return null;
  }
}

const resetsText = (at: string | null): string => (at === null ? 'reset time not given' : `resets at ${at}`);

function httpError(status: number): Reason<'blocked'> {
  switch (status) {
    case 401:
      return reason('provider_unauthorized');
    case 403:
      return reason('provider_forbidden');
    case 429:
      return reason('provider_rate_limited');
    default:
      return reason('provider_http_error', { status });
  }
}
