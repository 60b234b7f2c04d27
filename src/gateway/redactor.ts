import { SecretPatterns } from '../evidence/secrets/patterns.ts';
import { SecretScanner } from '../evidence/secrets/scan.ts';
import { allValues } from '../evidence/secrets/variables.ts';
import { secretsOfSignIn } from './sign-in/read.ts';
import type { Upstream } from './types.ts';

const STAR = 0x2a;

/** Replaces each byte of a secret by a star, so that lengths stay correct and JSON stays valid. */
export class Redactor {
  readonly #patterns: SecretPatterns;

  constructor(values: Readonly<Record<string, string>>) {
    this.#patterns = new SecretPatterns(allValues(Object.entries(values)), []);
  }

  stream(): RedactedStream {
    return new RedactedStream(new SecretScanner(this.#patterns));
  }

  bytes(bytes: Buffer): Buffer {
    const stream = this.stream();
    const first = stream.push(bytes);
    const rest = stream.end();
    return rest.length === 0 ? first : Buffer.concat([first, rest]);
  }

  text(text: string): string {
    return this.bytes(Buffer.from(text)).toString('utf8');
  }
}

/** Redacts a stream of chunks. A possible beginning of a secret is held back until the next bytes decide. */
export class RedactedStream {
  readonly #scanner: SecretScanner;
  /** How many of the next bytes belong to a secret whose first bytes were already sent as stars. */
  #ahead = 0;

  constructor(scanner: SecretScanner) {
    this.#scanner = scanner;
  }

  push(chunk: Buffer): Buffer {
    return this.#redact(this.#scanner.push(chunk));
  }

  end(): Buffer {
    return this.#redact(this.#scanner.end());
  }

  #redact({ bytes, matches }: ReturnType<SecretScanner['push']>): Buffer {
    if (matches.length === 0 && this.#ahead === 0) return bytes;
    const redacted = Buffer.from(bytes);
    let ahead = this.#ahead;
    redacted.fill(STAR, 0, Math.min(ahead, redacted.length));
    for (const { start, end } of matches) {
      redacted.fill(STAR, start, Math.min(end, redacted.length));
      ahead = Math.max(ahead, end);
    }
    this.#ahead = Math.max(0, ahead - redacted.length);
    return redacted;
  }
}

/**
 * Recordings must not name the endpoint either. Answers to the engine keep it: `http://localhost:8000` in a program
 * that a model writes is not necessarily the model's address.
 */
export function redactUpstream(
  upstream: Upstream | null,
  secrets: Readonly<Record<string, string>> = credentialValues(upstream),
): Redactor {
  if (upstream === null) return new Redactor({});
  const { host, hostname, href } = new URL(upstream.baseUrl);
  const name = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname) ? {} : { hostname };
  return new Redactor({ baseUrl: upstream.baseUrl, href, host, ...name, ...secrets });
}

/** The values of the credential, as they are now. */
export function credentialValues(upstream: Upstream | null): Readonly<Record<string, string>> {
  const key = upstream?.key ?? null;
  if (key === null) return {};
  return typeof key === 'string' ? { key } : secretsOfSignIn(key);
}
