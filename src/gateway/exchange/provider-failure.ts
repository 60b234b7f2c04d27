import type { Exchange } from '../../evidence/schema/exchange.ts';

/** The part of an exchange that is needed to classify a failure. */
export type ModelCall = Pick<Exchange, 'started_at' | 'status' | 'ended' | 'shape' | 'detail'>;

/** Why an answer was unusable for the engine. */
export interface ProviderFailure {
  readonly reason: string;
  readonly detail: string;
  readonly marker: string;
}

const UNAVAILABLE = 'provider-unavailable.txt';

/** Only the gateway can tell these apart: engines tend to print one message for all of them. Null if the answer was usable. */
export function classifyProviderFailure({ status, ended, shape, detail }: ModelCall): ProviderFailure | null {
  const unavailable = (what: string): ProviderFailure => ({
    reason: `provider unavailable: ${what}`,
    detail: `the model's last answer before the failure: ${detail ?? what}`,
    marker: UNAVAILABLE,
  });
  if (ended === 'client_left') return null;
  if (ended === 'timeout') return unavailable('no answer in time');
  if (ended === 'cut') return unavailable('the answer was cut off');
  if (status === null) return unavailable('no answer');
  if (status >= 400) return unavailable(`HTTP ${status}`);
  if (ended === 'malformed' || shape === 'malformed') return unavailable('the answer cannot be read');
  if (ended === 'upstream_error') return unavailable('the connection failed');
  if (shape === 'reasoning_only')
    return {
      reason: 'provider response shape unavailable',
      detail: 'the model answered with reasoning and no content',
      marker: 'provider-reasoning-only.txt',
    };
  return shape === 'empty' ? unavailable('the answer was empty') : null;
}
