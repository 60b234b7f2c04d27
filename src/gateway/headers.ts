import type { IncomingHttpHeaders } from 'node:http';
import type { Cover } from './cover.ts';

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

export function returnedHeaders(answered: IncomingHttpHeaders, cover: Cover): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name of ANSWERED) {
    const value = answered[name];
    if (typeof value === 'string') headers[name] = cover.text(value);
  }
  return headers;
}

/** Wherever the request's wire puts its key. */
export function bringsKey(headers: IncomingHttpHeaders, key: string): boolean {
  const { authorization } = headers;
  if (authorization?.endsWith(key) === true && /^Bearer $/i.test(authorization.slice(0, -key.length))) return true;
  return headers['x-api-key'] === key || headers['x-goog-api-key'] === key;
}
