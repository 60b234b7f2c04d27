import { Duplex } from 'node:stream';

const HEAD_BYTES = 4096;

/**
 * Sits between a command's pipe and its reader. Applies backpressure while the reader is slow, continues without
 * a reader that has been destroyed, and can drain the pipe after the command has ended.
 */
export class Relay extends Duplex {
  /** The first bytes received. */
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
   * Call when the other side has ended: reads to the end, with or without a reader. At most one pipe buffer is
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

  /** Makes a pending `takeOver` resolve. */
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
