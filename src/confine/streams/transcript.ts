import type { Readable } from 'node:stream';
import type { MaskedStream, Masker } from '../../evidence/secrets/mask.ts';

/** Output usually arrives in small chunks, which are masked together. */
const MASKED_AT_ONCE = 64 * 1024;

/** Program output with secrets masked: keeps the beginning and the end, and counts the bytes dropped in between. */
export class Transcript {
  readonly #mask: Masker;
  readonly #half: number;
  /** Of each stream that has printed something. */
  readonly #masked = new Map<Readable, MaskedStream>();
  /** Not masked yet, in order of arrival. */
  #waiting: { readonly stream: Readable; readonly chunk: Buffer }[] = [];
  #waitingBytes = 0;
  #head = Buffer.alloc(0);
  readonly #tail: Buffer[] = [];
  #tailBytes = 0;
  #dropped = 0;

  constructor(maxBytes: number, mask: Masker) {
    this.#half = Math.floor(maxBytes / 2);
    this.#mask = mask;
  }

  listen(stream: Readable): void {
    stream.on('data', (chunk: Buffer) => {
      this.#waiting.push({ stream, chunk });
      this.#waitingBytes += chunk.length;
      if (this.#waitingBytes >= MASKED_AT_ONCE) this.#maskWaiting();
    });
  }

  /** Call once, after the last write. */
  text(): string {
    this.#maskWaiting();
    for (const masked of this.#masked.values()) this.#add(masked.end());
    const gap = this.#dropped === 0 ? '' : `\n… ${this.#dropped} bytes left out …\n`;
    return this.#head.toString('utf8') + gap + Buffer.concat(this.#tail).toString('utf8');
  }

  #maskWaiting(): void {
    for (const { stream, chunk } of this.#waiting) {
      const masked = this.#masked.get(stream) ?? this.#mask.stream();
      this.#masked.set(stream, masked);
      this.#add(masked.push(chunk));
    }
    this.#waiting = [];
    this.#waitingBytes = 0;
  }

  #add(chunk: Buffer): void {
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
}
