import type { IncomingHttpHeaders } from 'node:http';

/** Which of an engine's own headers reach the provider of a login. */
export interface LoginHeaders {
  /** In lower case; one that ends in `*` stands for all that begin so. */
  readonly names: readonly string[];
  /** Features in `anthropic-beta` beyond the usual ones, without their dates. */
  readonly betas: readonly string[];
}

export const NO_LOGIN_HEADERS: LoginHeaders = { names: [], betas: [] };

const MAX_VALUE = 8192;
const PRINTABLE = /^[\x20-\x7e]+$/;
/** Set by the gateway alone, whatever a list says. */
const OWN = new Set(['authorization', 'x-api-key', 'x-goog-api-key', 'cookie', 'host', 'chatgpt-account-id']);

export function loginHeaders(asked: IncomingHttpHeaders, { names }: LoginHeaders): Readonly<Record<string, string>> {
  const isNamed = (name: string): boolean =>
    names.some((one) => (one.endsWith('*') ? name.startsWith(one.slice(0, -1)) : name === one));
  return Object.fromEntries(
    Object.entries(asked).flatMap(([name, value]) =>
      typeof value === 'string' && value.length <= MAX_VALUE && PRINTABLE.test(value) && !OWN.has(name) && isNamed(name)
        ? [[name, value] as const]
        : [],
    ),
  );
}
