import type { IncomingHttpHeaders } from 'node:http';
import type { Redactor } from '../redactor.ts';

/** The only response headers that are returned. */
const ANSWERED = new Set('content-type retry-after retry-after-ms request-id x-request-id x-should-retry'.split(' '));
/** By these clients show how much of a limit is left and when it is reset. */
const LIMITS = /^(x-codex-|anthropic-ratelimit-)[a-z0-9-]{1,60}$/;
const MAX_LIMITS = 40;

/** Answers repeat their header values, so redacted values are cached, up to this many. */
const MAX_REMEMBERED = 100;

/** Selects and redacts the response headers that the engine receives. */
export class ReturnedHeaders {
  readonly redactor: Redactor;
  readonly #covered = new Map<string, string>();

  constructor(redactor: Redactor) {
    this.redactor = redactor;
  }

  of(answered: IncomingHttpHeaders): Record<string, string> {
    const limits = Object.keys(answered)
      .filter((name) => LIMITS.test(name))
      .slice(0, MAX_LIMITS);
    const named = [...ANSWERED, ...limits].flatMap((name) => {
      const value = answered[name];
      return typeof value === 'string' ? [[name, this.#coverOnce(value)] as const] : [];
    });
    return Object.fromEntries(named);
  }

  #coverOnce(value: string): string {
    const known = this.#covered.get(value);
    if (known !== undefined) return known;
    const covered = this.redactor.text(value);
    if (this.#covered.size < MAX_REMEMBERED) this.#covered.set(value, covered);
    return covered;
  }
}

/** Checks every header in which a wire can send its key. */
export function bringsKey(headers: IncomingHttpHeaders, key: string): boolean {
  const { authorization } = headers;
  if (authorization?.endsWith(key) === true && /^Bearer $/i.test(authorization.slice(0, -key.length))) return true;
  return headers['x-api-key'] === key || headers['x-goog-api-key'] === key;
}
