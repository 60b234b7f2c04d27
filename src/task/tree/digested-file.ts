import { createHash, type Hash } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { writeFully } from '../../evidence/storage/write-fully.ts';

const GATHERED_BYTES = 64 * 1024;

/** A file that is written sequentially and hashed on the way. Buffers small writes. */
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

  /** Bytes written so far. */
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

  /** Writes the buffered rest and returns the digest. Nothing may be written afterwards. */
  end(): Buffer {
    this.#flush();
    return this.#hash.digest();
  }

  /** The same, and appends the digest to the file. */
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
