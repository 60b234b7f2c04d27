import type { Exchange } from '../../evidence/schema/exchange.ts';

/** As much of an exchange as it takes to tell what was wrong with it. */
export type ModelCall = Pick<Exchange, 'started_at' | 'status' | 'ended' | 'shape' | 'detail'>;

/** Why nobody could have gone on from an answer. */
export interface ProviderFailure {
  readonly reason: string;
  readonly detail: string;
  readonly marker: string;
}

const UNAVAILABLE = 'provider-unavailable.txt';

/** What the gateway alone knows: programs tend to give the same message for all of these. Null: the answer was good. */
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
