import { reason } from '../../evidence/reasons/catalogue.ts';
import type { Reason } from '../../evidence/reasons/reason.ts';
import type { Exchange } from '../../evidence/schema/exchange.ts';

/** The part of an exchange that is needed to classify a failure. */
export type ModelCall = Pick<Exchange, 'started_at' | 'status' | 'ended' | 'shape' | 'detail'>;

/** Why an answer was unusable for the engine. */
export interface ProviderFailure {
  readonly reason: Reason<'blocked'>;
  readonly detail: string;
}

/** Only the gateway can tell these apart: engines tend to print one message for all of them. Null if the answer was usable. */
export function classifyProviderFailure(call: ModelCall): ProviderFailure | null {
  const found = reasonFor(call);
  if (found === null) return null;
  if (found.code === 'response_shape_unavailable')
    return { reason: found, detail: 'the model answered with reasoning and no content' };
  const what = call.detail ?? found.text;
  return { reason: found, detail: `the model's last answer before the failure: ${what}` };
}

function reasonFor({ status, ended, shape }: ModelCall): Reason<'blocked'> | null {
  if (ended === 'client_left') return null;
  if (ended === 'timeout') return reason('provider_timeout');
  if (ended === 'cut') return reason('provider_cut_off');
  if (status === null) return reason('provider_no_answer');
  if (status >= 400) return httpError(status);
  if (ended === 'malformed' || shape === 'malformed') return reason('provider_unreadable');
  if (ended === 'upstream_error') return reason('provider_connection_failed');
  if (shape === 'reasoning_only') return reason('response_shape_unavailable');
  return shape === 'empty' ? reason('provider_empty') : null;
}

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
