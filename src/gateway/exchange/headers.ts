import type { IncomingHttpHeaders } from 'node:http';
import type { Redactor } from '../redactor.ts';

/** Of the engine's headers only these go on: no cookie, no address, no name of the caller or its machine. */
const ASKED = ['accept', 'content-type', 'anthropic-version', 'anthropic-beta', 'openai-beta'];

/** Of the provider's headers only these come back. */
const ANSWERED = ['content-type', 'retry-after', 'request-id', 'x-request-id', 'x-should-retry'];

/** Names and values in turn, the form that costs least to send. `usual`: what stands in for headers that were not asked for. */
export function forwardedHeaders(
  asked: IncomingHttpHeaders,
  usual: Readonly<Record<string, string>>,
  own: readonly string[],
): string[] {
  const headers = [...own];
  for (const name of ASKED) {
    const value = asked[name] ?? usual[name];
    if (typeof value === 'string') headers.push(name, value);
  }
  return headers;
}

/** Answers repeat their headers: each value is looked through once, as long as there are not too many. */
const MAX_REMEMBERED = 100;

/** What an engine is shown of a provider's headers. */
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

/** Wherever the request's wire puts its key. */
export function bringsKey(headers: IncomingHttpHeaders, key: string): boolean {
  const { authorization } = headers;
  if (authorization?.endsWith(key) === true && /^Bearer $/i.test(authorization.slice(0, -key.length))) return true;
  return headers['x-api-key'] === key || headers['x-goog-api-key'] === key;
}
