import type { IncomingHttpHeaders } from 'node:http';
import type { Cover } from './cover.ts';

/** Of the engine's headers only these go on: no cookie, no address, no name of the caller or its machine. */
const ASKED = ['accept', 'content-type', 'anthropic-version', 'anthropic-beta', 'openai-beta'];

/** Of the provider's headers only these come back. */
const ANSWERED = ['content-type', 'retry-after', 'request-id', 'x-request-id', 'x-should-retry'];

export function forwardedHeaders(
  asked: IncomingHttpHeaders,
  credentials: Readonly<Record<string, string>>,
): Record<string, string> {
  return {
    ...credentials,
    ...pick(asked, ASKED),
    // What is compressed could not be read on its way.
    'accept-encoding': 'identity',
    'user-agent': 'seatrial',
  };
}

export function returnedHeaders(answered: IncomingHttpHeaders, cover: Cover): Record<string, string> {
  const picked = Object.entries(pick(answered, ANSWERED));
  return Object.fromEntries(picked.map(([name, value]) => [name, cover.text(value)]));
}

function pick(headers: IncomingHttpHeaders, names: readonly string[]): Record<string, string> {
  const picked: Record<string, string> = {};
  for (const name of names) {
    const value = headers[name];
    if (typeof value === 'string') picked[name] = value;
  }
  return picked;
}

/** The keys that a request brings, wherever its wire puts them. */
export function keysOf(headers: IncomingHttpHeaders): unknown[] {
  const bearer = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1];
  return [bearer, headers['x-api-key'], headers['x-goog-api-key']];
}
