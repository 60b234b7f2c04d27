import { Duplex } from 'node:stream';

const HEAD_BYTES = 4096;

/**
 * Stands between a pipe to a command and its reader. Holds the command back while the reader is slow, goes on without
 * a reader that has left, and can be told to take over all that is still in the pipe once the command is gone.
 */
export class Relay extends Duplex {
  /** The first bytes that came through. */
  head = '';
  readonly #pipe: Duplex;
  readonly #direction: 'read' | 'both';
  #takeAll = false;
  #finished = false;

  constructor(pipe: Duplex, direction: 'read' | 'both', onBytes: (count: number) => void = () => {}) {
    super({ allowHalfOpen: true });
    this.#pipe = pipe;
    this.#direction = direction;
    pipe.pause();
    pipe.on('data', (chunk: Buffer) => {
      onBytes(chunk.length);
      if (this.head.length < HEAD_BYTES) this.head += chunk.toString('utf8', 0, HEAD_BYTES - this.head.length);
      if (this.destroyed) return;
      if (!this.push(chunk) && !this.#takeAll) pipe.pause();
    });
    pipe.on('error', () => pipe.destroy());
    pipe.once('end', () => this.#finish());
    pipe.once('close', () => this.#finish());
    this.on('error', () => {});
    if (direction === 'read') this.end();
  }

  /**
   * For when the other side is gone: reads on to the end whether or not anyone wants it; at most a pipe's content is
   * left.
   */
  takeOver(): Promise<void> {
    this.#takeAll = true;
    return new Promise((resolve) => {
      if (this.#pipe.readableEnded || this.#pipe.destroyed) return resolve();
      this.#pipe.once('end', resolve);
      this.#pipe.once('close', resolve);
      this.#pipe.resume();
    });
  }

  /** Ends what `takeOver` waits for. */
  cutOff(): void {
    this.#pipe.destroy();
  }

  override _read(): void {
    this.#pipe.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    if (this.#pipe.writable) this.#pipe.write(chunk, () => done());
    else done();
  }

  override _final(done: () => void): void {
    if (this.#direction === 'both') this.#pipe.end();
    done();
  }

  override _destroy(_error: Error | null, done: (error: Error | null) => void): void {
    this.#takeAll = true;
    this.#pipe.resume();
    if (this.#direction === 'both') this.#pipe.end();
    done(null);
  }

  #finish(): void {
    if (this.#finished || this.destroyed) return;
    this.#finished = true;
    this.push(null);
  }
}
