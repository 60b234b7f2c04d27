import type { Exchange, ExchangeProblem } from '../../evidence/schema/exchange.ts';
import { isObject, type JsonObject, objectIn, objectsIn, parseJson, textIn } from './json.ts';

/** What a provider said of an answer that is none. */
export interface ProviderError {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The error object of the body, or of an event in a stream. */
  readonly error: JsonObject;
  /** When it came, in milliseconds. */
  readonly at: number;
}

type Kind = ExchangeProblem['kind'];

/** Codes by which providers name a cause. */
const KIND_OF_CODE: Readonly<Record<string, Kind>> = {
  usage_limit_reached: 'usage_limit',
  usage_not_included: 'usage_limit',
  insufficient_quota: 'usage_limit',
  billing_hard_limit_reached: 'usage_limit',
  billing_error: 'usage_limit',
  QUOTA_EXHAUSTED: 'usage_limit',
  INSUFFICIENT_G1_CREDITS_BALANCE: 'usage_limit',
  context_length_exceeded: 'context_overflow',
  request_too_large: 'context_overflow',
  model_not_found: 'model_unknown',
};

/** Where a provider has no code of its own for it, its words decide. */
const KIND_OF_TEXT: readonly (readonly [RegExp, Kind])[] = [
  [
    /usage limit|quota exceeded|exceeded your current quota|credit balance is too low|insufficient credits/i,
    'usage_limit',
  ],
  [
    /maximum context length|context window|prompt is too long|input is too long|input token count.*exceeds|too many input tokens/i,
    'context_overflow',
  ],
];

/** The cause that a provider's error names; null if it names none beyond its status. Pure, and reads any input. */
export function problemIn({ status, headers, error, at }: ProviderError): ExchangeProblem | null {
  const kind = kindOf(status, headers, error);
  return kind === null ? null : { kind, resets_at: isLimit(kind) ? resetTime(headers, error, at) : null };
}

const isLimit = (kind: Kind): boolean => kind === 'usage_limit' || kind === 'rate_limit';

function kindOf(status: number, headers: ProviderError['headers'], error: JsonObject): Kind | null {
  const details = objectsIn(error['details']);
  const codes = [error['code'], error['type'], error['status'], ...details.map(({ reason }) => reason)].map(textIn);
  const byCode = codes.find((code) => Object.hasOwn(KIND_OF_CODE, code));
  if (byCode !== undefined) return KIND_OF_CODE[byCode] ?? null;
  if (status === 402 || headers['anthropic-ratelimit-unified-status'] === 'rejected') return 'usage_limit';
  const message = textIn(error['message']);
  const byText = KIND_OF_TEXT.find(([text]) => text.test(message));
  if (byText !== undefined && (status >= 400 || byText[1] === 'context_overflow')) return byText[1];
  if (status === 413) return 'context_overflow';
  if (status === 404 && /\bmodel\b/i.test(message)) return 'model_unknown';
  return status === 429 ? 'rate_limit' : null;
}

const MAX_WAIT_MS = 400 * 24 * 60 * 60 * 1000;

/** When the limit is reset, by whichever of the known ways says it. */
function resetTime(headers: ProviderError['headers'], error: JsonObject, at: number): string | null {
  const inSeconds = (value: unknown): number | null => {
    const seconds = typeof value === 'string' ? Number.parseFloat(value) : value;
    return typeof seconds === 'number' && Number.isFinite(seconds) ? at + seconds * 1000 : null;
  };
  const unix = (value: unknown): number | null => {
    const seconds = Number(value ?? Number.NaN);
    return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : null;
  };
  const delay = objectsIn(error['details']).map(({ retryDelay }) => retryDelay);
  const retryAfter = headers['retry-after'];
  const found = [
    unix(error['resets_at']),
    inSeconds(error['resets_in_seconds']),
    unix(headers['anthropic-ratelimit-unified-reset']),
    unix(headers['x-codex-primary-reset-at']),
    inSeconds(delay.find((one) => typeof one === 'string')),
    /^[\d.]+$/.test(retryAfter ?? '') ? inSeconds(retryAfter) : dateIn(retryAfter),
  ].find((time) => time !== null);
  return found === undefined || Math.abs(found - at) > MAX_WAIT_MS ? null : new Date(found).toISOString();
}

function dateIn(text: string | undefined): number | null {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? null : time;
}

/** The error object in a body: providers put it at the top or below `error`, Gemini also into a list. */
export function errorIn(body: string): JsonObject {
  const json = parseJson(body);
  const top = Array.isArray(json) ? objectIn(json[0]) : objectIn(json);
  return isObject(top['error']) ? top['error'] : top;
}

/** When the answer of an exchange had ended. */
export function endOfExchange({ started_at, duration_ms }: Pick<Exchange, 'started_at' | 'duration_ms'>): number {
  return Date.parse(started_at) + duration_ms;
}
