import { closeSync, openSync, readSync } from 'node:fs';
import { writeFully } from '../../../evidence/storage/write-fully.ts';
import { reportingWrite } from '../../../evidence/storage/write-failed.ts';
import type { Masker } from '../../../evidence/secrets/mask.ts';
import { visitFilesNoFollow } from '../../../task/tree/visit-files.ts';

const MAX_BYTES = 16 * 1024 * 1024;
const CHUNK_BYTES = 64 * 1024;

export interface LogTailOptions {
  readonly workspace: string;
  readonly dir: string;
  /** Where it is kept. */
  readonly file: string;
  readonly mask: Masker;
  readonly onLine: (line: string) => void;
}

/** Follows the log that an engine writes in its workspace: whole lines, masked, kept, in the order in which they were seen. */
export class LogTail {
  readonly #options: LogTailOptions;
  readonly #fd: number;
  readonly #read = new Map<string, { at: number; rest: Buffer }>();
  #bytes = 0;

  constructor(options: LogTailOptions) {
    this.#options = options;
    this.#fd = openSync(options.file, 'w');
  }

  /** Takes what is new. */
  look(): void {
    const { workspace, dir } = this.#options;
    visitFilesNoFollow(workspace, dir, (name, fd) => {
      if (!name.endsWith('.jsonl')) return;
      const seen = this.#read.get(name) ?? { at: 0, rest: Buffer.alloc(0) };
      this.#read.set(name, seen);
      const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
      while (this.#bytes < MAX_BYTES) {
        const count = readSync(fd, buffer, 0, buffer.length, seen.at);
        if (count === 0) return;
        seen.at += count;
        this.#bytes += count;
        seen.rest = this.#takeLines(Buffer.concat([seen.rest, buffer.subarray(0, count)]));
      }
    });
  }

  close(): void {
    this.look();
    closeSync(this.#fd);
  }

  #takeLines(bytes: Buffer): Buffer {
    const end = bytes.lastIndexOf(10);
    if (end === -1) return bytes;
    const text = this.#options.mask.text(bytes.toString('utf8', 0, end + 1));
    reportingWrite(this.#options.file, () => writeFully(this.#fd, Buffer.from(text)));
    for (const line of text.split('\n')) if (line !== '') this.#options.onLine(line);
    return bytes.subarray(end + 1);
  }
}
