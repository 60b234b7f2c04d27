import type { Reason } from '../evidence/reasons/reason.ts';
import type { Exchange, Shape, Wire } from '../evidence/schema/exchange.ts';
import type { LoginHeaders } from './sign-in/headers.ts';
import type { SignIn } from './sign-in/read.ts';

/** The provider's real address and credential. Known only to the harness and the gateway. */
export interface Upstream {
  /** As configured: `http://host:8000/v1`, `https://host`. */
  readonly baseUrl: string;
  /** A key, a program's own sign-in, or null for none. */
  readonly key: string | SignIn | null;
}

/** Limits of a run. A request is sent only if its worst case fits into what is left. */
export interface Budgets {
  readonly max_requests?: number | undefined;
  readonly max_tokens?: number | undefined;
  readonly max_cost_usd?: number | undefined;
}

/** In US dollars per million tokens. */
export interface Prices {
  readonly input_per_mtok: number;
  readonly output_per_mtok: number;
}

/** The faults that can be injected. */
export const FAULTS = [
  'hang', // never answers
  'slow', // a valid answer, a few bytes at a time
  'http_500',
  'invalid_json', // for a streamed request: a stream whose events are not JSON
  'invalid_sse', // neither a stream nor JSON, with the content type of a stream
  'reasoning_only',
  'no_content',
  'cut_stream', // the connection breaks in the middle of the answer
] as const;
export type FaultKind = (typeof FAULTS)[number];

export interface Fault {
  readonly kind: FaultKind;
  /** The first affected request: 1 is the engine's first, 0 the harness's own probe before it. */
  readonly from: number;
}

/** The gateway's configuration, sent once at its start. */
export interface GatewayPlan {
  /** The admitted identity, for reports. Engine and provider may use other names, given below. */
  readonly admitted: { readonly provider: string; readonly model: string };
  /** The name under which the engine requests the admitted model. */
  readonly runtimeModel: string;
  readonly upstreamModel: string;
  /** Further models of the provider that the engine may ask, for titles and summaries. */
  readonly helperModels: readonly string[];
  /** How often another model may be asked for before the run ends. It is refused each time. */
  readonly toleratedOtherModels: number;
  readonly wire: Wire;
  /** Null if no provider is contacted, because all answers are replayed or injected faults. */
  readonly upstream: Upstream | null;
  /** The throw-away key given to the engine. */
  readonly key: string;
  /** The engine's own headers that are forwarded because a login's provider demands them. */
  readonly loginHeaders?: LoginHeaders;
  readonly budgets: Budgets;
  readonly prices: Prices | null;
  /** The engine's exchanges of another run, in order, whose answers are replayed. */
  readonly replay: readonly Exchange[] | null;
  readonly fault: Fault | null;
  /** How long the provider may send nothing. */
  readonly requestTimeoutMs: number;
}

/** Why the gateway refused a request. */
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
  | 'login'
  | 'reach';

export interface Refusal {
  readonly code: RefusalCode;
  readonly reason: string;
  /** Ends the run with this reason; null: the engine may go on. */
  readonly fatal: Reason<'fail' | 'blocked'> | null;
  readonly status: number;
  /** The requested model, if the request named one. */
  readonly model: string | null;
}

/** Reports from the gateway to the harness. */
export type GatewayReport =
  | {
      readonly kind: 'exchange';
      readonly exchange: Exchange;
      /** The answer's text without reasoning and tool calls. A very long text loses its beginning. */
      readonly text: string;
    }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

export interface Totals {
  readonly requests: number;
  readonly refused: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  /** Null if prices are unknown. */
  readonly cost_usd: number | null;
}

/** The result of a probe request. */
export interface ShapeProbeResult {
  readonly kind:
    | Shape
    | 'unreachable' // no connection
    | 'unauthorized' // 401 or 403
    | 'http_error' // any other status that is not 2xx
    | 'timeout'
    | 'cut';
  readonly http_status: number | null;
  /** The model that the answer names as its own; null if it names none. */
  readonly answered_by: string | null;
  /** Shown to users; names neither endpoint nor key. */
  readonly detail: string;
  /** The cause that the provider names, such as a limit with the time of its reset. */
  readonly named?: Reason<'blocked'>;
}
