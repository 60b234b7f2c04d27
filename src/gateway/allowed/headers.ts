import type { IncomingHttpHeaders } from 'node:http';
import { type LoginHeaders, loginHeaders, NO_LOGIN_HEADERS } from '../sign-in/headers.ts';

/** Features that change how the model answers. Features that let the provider reach further are not listed. */
const ANTHROPIC_BETAS = new Set(
  [
    'claude-code interleaved-thinking thinking-token-count dev-full-thinking redact-thinking effort context-1m',
    'context-management prompt-caching prompt-caching-scope extended-cache-ttl mid-conversation-system',
    'fine-grained-tool-streaming token-efficient-tools output-128k structured-outputs tool-examples',
  ]
    .join(' ')
    .split(' '),
);
const OPENAI_BETAS = new Set(['responses=experimental']);
const MAX_LISTED = 20;

export interface AllowedHeaders {
  readonly headers: Readonly<Record<string, string>>;
  /** Features that were left out: `anthropic-beta: files-api-2025-04-14`. */
  readonly dropped: readonly string[];
}

/**
 * The request headers that are forwarded: cookies, addresses and names of the caller's machine are dropped.
 * The content type is the gateway's own, because it serializes the body.
 */
export function allowedHeaders(asked: IncomingHttpHeaders, login: LoginHeaders = NO_LOGIN_HEADERS): AllowedHeaders {
  const { accept = '', 'anthropic-version': version = '' } = asked;
  const anthropic = features(asked, 'anthropic-beta', (name) => {
    const undated = name.replace(/-\d{4}-?\d\d-?\d\d$/, '');
    return ANTHROPIC_BETAS.has(undated) || login.betas.includes(undated);
  });
  const openai = features(asked, 'openai-beta', (name) => OPENAI_BETAS.has(name));
  return {
    headers: {
      ...loginHeaders(asked, login),
      'content-type': 'application/json',
      ...(ACCEPT.test(accept) ? { accept } : {}),
      ...(typeof version === 'string' && DATE.test(version) ? { 'anthropic-version': version } : {}),
      ...anthropic.header,
      ...openai.header,
    },
    dropped: [...anthropic.dropped, ...openai.dropped],
  };
}

const TYPE = String.raw`(application/json|text/event-stream|\*/\*)`;
const ACCEPT = new RegExp(`^${TYPE}(, ?${TYPE})*$`);
const DATE = /^\d{4}-\d\d-\d\d$/;

function features(
  asked: IncomingHttpHeaders,
  name: string,
  allowed: (feature: string) => boolean,
): { readonly header: Readonly<Record<string, string>>; readonly dropped: readonly string[] } {
  const given = [asked[name] ?? []].flat().join(',').split(',');
  const named = given.map((feature) => feature.trim()).filter((feature) => feature !== '');
  const kept = named.filter(allowed);
  const dropped = named.filter((feature) => !allowed(feature)).slice(0, MAX_LISTED);
  return {
    header: kept.length === 0 ? {} : { [name]: kept.join(',') },
    dropped: dropped.map((feature) => `${name}: ${feature.slice(0, 100)}`),
  };
}
