import type { Exchange, Shape, Wire } from '../evidence/schema/exchange.ts';

/** Where the model really is. Known to the harness that reads it and to the gateway, and to nothing else. */
export interface Upstream {
  /** As users give it: `http://host:8000/v1`, `https://host`. */
  readonly baseUrl: string;
  readonly key: string | null;
}

/** What ends a run when it is reached: the exchange under way is finished, the next one is refused. */
export interface Budgets {
  readonly max_requests?: number | undefined;
  readonly max_tokens?: number | undefined;
  readonly max_cost_usd?: number | undefined;
}

/** US dollars for a million tokens. */
export interface Prices {
  readonly input_per_mtok: number;
  readonly output_per_mtok: number;
}

/** What can be made to go wrong on demand. */
export const FAULTS = [
  'hang', // no answer, ever
  'slow', // a good answer, a few bytes at a time
  'http_500',
  'invalid_json', // or, if a stream was asked for, a stream whose events are not JSON
  'invalid_sse', // bytes that are neither a stream nor JSON, said to be a stream
  'reasoning_only',
  'no_content',
  'cut_stream', // the connection breaks in the middle of the answer
] as const;
export type FaultKind = (typeof FAULTS)[number];

export interface Fault {
  readonly kind: FaultKind;
  /** The first request it befalls: 1 is the engine's first, 0 the harness's own question before it. */
  readonly from: number;
}

/** All that a gateway is told, once, at its start. */
export interface GatewayPlan {
  /** The identity that was admitted, for reports; what engine and provider call it are the two names below. */
  readonly admitted: { readonly provider: string; readonly model: string };
  /** The only model name that the engine may ask for. */
  readonly runtimeModel: string;
  readonly upstreamModel: string;
  readonly wire: Wire;
  /** Null: nothing is contacted, because answers are replayed or faults. */
  readonly upstream: Upstream | null;
  /** The throw-away key that the engine gets. */
  readonly key: string;
  readonly budgets: Budgets;
  readonly prices: Prices | null;
  /** The engine's exchanges of another run, in order, to be answered as they were then. */
  readonly replay: readonly Exchange[] | null;
  readonly fault: Fault | null;
  /** How long the provider may be silent. */
  readonly requestTimeoutMs: number;
}

/** Why a request got no further than the gateway. */
export type RefusalCode =
  | 'path'
  | 'host'
  | 'key'
  | 'body'
  | 'model'
  | 'budget'
  | 'replay'
  | 'exhausted'
  | 'upstream'
  | 'reach';

export interface Refusal {
  readonly code: RefusalCode;
  /** `model not admitted: gpt-9`, `over budget: max_tokens`, … */
  readonly reason: string;
  readonly status: number;
  /** As far as the request said. */
  readonly model: string | null;
}

/** What the gateway tells the harness, as it happens. */
export type GatewayReport =
  | {
      readonly kind: 'exchange';
      readonly exchange: Exchange;
      /** What the model said, reasoning and tool calls left out; of a very long answer the end. */
      readonly text: string;
    }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

export interface Totals {
  readonly requests: number;
  readonly refused: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  /** Answers that did not say what they took, and a cautious guess at that, which counts towards budgets alone. */
  readonly requests_without_usage: number;
  readonly estimated_tokens: number;
  /** Null: prices are not known. */
  readonly cost_usd: number | null;
}

/** What one question showed about the provider's answers. */
export interface ShapeProbeResult {
  readonly kind:
    | Shape
    | 'unreachable' // no connection
    | 'unauthorized' // 401 or 403
    | 'http_error' // any other status that is not 2xx
    | 'timeout'
    | 'cut';
  readonly http_status: number | null;
  /** For people; names neither endpoint nor key. */
  readonly detail: string;
}
