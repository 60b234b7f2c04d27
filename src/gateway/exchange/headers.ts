import type { IncomingHttpHeaders } from 'node:http';
import type { Redactor } from '../redactor.ts';

/** The only response headers that are returned. */
const ANSWERED = ['content-type', 'retry-after', 'request-id', 'x-request-id', 'x-should-retry'];

/** Answers repeat their header values, so redacted values are cached, up to this many. */
const MAX_REMEMBERED = 100;

/** Selects and redacts the response headers that the engine receives. */
export class ReturnedHeaders {
  readonly #cover: Redactor;
  readonly #covered = new Map<string, string>();

  constructor(cover: Redactor) {
    this.#cover = cover;
  }

  of(answered: IncomingHttpHeaders): Record<string, string> {
    const headers: Record<string, string> = {};
    for (const name of ANSWERED) {
      const value = answered[name];
      if (typeof value === 'string') headers[name] = this.#coverOnce(value);
    }
    return headers;
  }

  #coverOnce(value: string): string {
    const known = this.#covered.get(value);
    if (known !== undefined) return known;
    const covered = this.#cover.text(value);
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
