import { createHash, type Hash } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { writeFully } from '../../evidence/storage/durable.ts';

const GATHERED_BYTES = 1 << 20;

/** A file that is written once from start to end, small pieces gathered, all of it digested on the way. */
export class DigestedFile {
  readonly #fd: number;
  readonly #hash: Hash;
  readonly #gathered = Buffer.allocUnsafe(GATHERED_BYTES);
  #filled = 0;
  #bytes = 0;

  constructor(path: string, algorithm: 'sha256' | 'sha1') {
    this.#fd = openSync(path, 'w');
    this.#hash = createHash(algorithm);
  }

  /** So far. */
  get bytes(): number {
    return this.#bytes;
  }

  write(chunk: Uint8Array): void {
    this.#bytes += chunk.length;
    if (this.#filled + chunk.length > GATHERED_BYTES) this.#flush();
    if (chunk.length > GATHERED_BYTES) return this.#put(chunk);
    this.#gathered.set(chunk, this.#filled);
    this.#filled += chunk.length;
  }

  /** Gives the digest; nothing may be written any more. */
  end(): Buffer {
    this.#flush();
    return this.#hash.digest();
  }

  /** The same, with the digest as the file's last bytes. */
  endWithDigest(): Buffer {
    const digest = this.end();
    writeFully(this.#fd, digest);
    return digest;
  }

  close(): void {
    closeSync(this.#fd);
  }

  #flush(): void {
    this.#put(this.#gathered.subarray(0, this.#filled));
    this.#filled = 0;
  }

  #put(bytes: Uint8Array): void {
    this.#hash.update(bytes);
    writeFully(this.#fd, bytes);
  }
}
