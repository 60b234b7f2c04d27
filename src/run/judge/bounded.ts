import type { Readable } from 'node:stream';

/** Keeps the beginning and the end of what may be endless, and says how much is gone between. */
export class BoundedText {
  readonly #half: number;
  #head = Buffer.alloc(0);
  readonly #tail: Buffer[] = [];
  #tailBytes = 0;
  #dropped = 0;

  constructor(maxBytes: number) {
    this.#half = Math.floor(maxBytes / 2);
  }

  add(chunk: Buffer): void {
    const room = this.#half - this.#head.length;
    if (room > 0) this.#head = Buffer.concat([this.#head, chunk.subarray(0, room)]);
    const rest = chunk.subarray(Math.max(room, 0));
    if (rest.length === 0) return;
    this.#tail.push(rest);
    this.#tailBytes += rest.length;
    while (this.#tailBytes - (this.#tail[0]?.length ?? 0) > this.#half) {
      const gone = this.#tail.shift()?.length ?? 0;
      this.#tailBytes -= gone;
      this.#dropped += gone;
    }
  }

  text(): string {
    const gap = this.#dropped === 0 ? '' : `\n… ${this.#dropped} bytes left out …\n`;
    return this.#head.toString('utf8') + gap + Buffer.concat(this.#tail).toString('utf8');
  }
}

/** All of a stream up to one byte more than `maxBytes`: a reader can tell that there was too much. Never rejects. */
export function collect(stream: Readable, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    stream.on('data', (chunk: Buffer) => {
      if (size > maxBytes) return;
      size += chunk.length;
      chunks.push(chunk);
    });
    const finish = (): void => resolve(Buffer.concat(chunks).subarray(0, maxBytes + 1));
    stream.once('end', finish).once('close', finish).once('error', finish);
  });
}
