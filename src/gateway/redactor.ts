import { SecretPatterns } from '../evidence/secrets/patterns.ts';
import { SecretScanner } from '../evidence/secrets/scan.ts';
import { allValues } from '../evidence/secrets/variables.ts';
import type { Upstream } from './types.ts';

const STAR = 0x2a;

/** Writes stars over values, one for each byte: lengths stay true, and JSON stays JSON. */
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

/** For bytes that come in pieces, cut anywhere. What may be the beginning of a value is held back until that is known. */
export class RedactedStream {
  readonly #scanner: SecretScanner;
  /** How many of the next bytes belong to a value of which the first have already gone out as stars. */
  #ahead = 0;

  constructor(scanner: SecretScanner) {
    this.#scanner = scanner;
  }

  push(chunk: Buffer): Buffer {
    return this.#cover(this.#scanner.push(chunk));
  }

  end(): Buffer {
    return this.#cover(this.#scanner.end());
  }

  #cover({ bytes, matches }: ReturnType<SecretScanner['push']>): Buffer {
    if (matches.length === 0 && this.#ahead === 0) return bytes;
    const covered = Buffer.from(bytes);
    let ahead = this.#ahead;
    covered.fill(STAR, 0, Math.min(ahead, covered.length));
    for (const { start, end } of matches) {
      covered.fill(STAR, start, Math.min(end, covered.length));
      ahead = Math.max(ahead, end);
    }
    this.#ahead = Math.max(0, ahead - covered.length);
    return covered;
  }
}

/** The engine must not learn the key, should a provider repeat it. */
export function redactKey(upstream: Upstream | null): Redactor {
  return new Redactor({ key: upstream?.key ?? '' });
}

/**
 * What is kept must not name the place either. An engine's own answers are spared that: `http://localhost:8000` in a program
 * that a model writes need not mean the model's own address.
 */
export function redactUpstream(upstream: Upstream | null): Redactor {
  if (upstream === null) return new Redactor({});
  const { host, hostname, href } = new URL(upstream.baseUrl);
  const name = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname) ? {} : { hostname };
  return new Redactor({ baseUrl: upstream.baseUrl, href, host, ...name, key: upstream.key ?? '' });
}
