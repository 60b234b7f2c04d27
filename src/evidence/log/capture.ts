import { closeSync, openSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { writeFailed } from '../storage/write-failed.ts';
import { writeFully } from '../storage/write-fully.ts';
import type { Masker } from '../secrets/mask.ts';
import { asError } from '../../kernel/errors.ts';

const MAX_LINE_BYTES = 1 << 20;

export interface CaptureOptions {
  readonly file: string;
  /** What comes after this many bytes is counted and dropped; the file says so. */
  readonly maxBytes: number;
  readonly mask: Masker;
  /** The lines that are kept, as many as came at once; what was not kept cannot be read again, so it counts for nothing. */
  readonly onLines: (lines: readonly string[]) => void;
}

/** Keeps a stream in a file, bounded, and hands on its lines. Resolves when the stream has ended; a failed write rejects at once. */
export async function captureStream(stream: Readable, options: CaptureOptions): Promise<{ bytes: number }> {
  try {
    return await capture(stream, options);
  } catch (error) {
    throw writeFailed(options.file, error);
  }
}

function capture(stream: Readable, { file, maxBytes, mask, onLines }: CaptureOptions): Promise<{ bytes: number }> {
  return new Promise((resolve, reject) => {
    const fd = openSync(file, 'w');
    const masked = mask.stream();
    let bytes = 0;
    let rest: Buffer = Buffer.alloc(0);
    const keep = (part: Buffer): void => {
      writeFully(fd, part);
      const taken = takeLines(Buffer.concat([rest, part]));
      rest = taken.rest;
      if (taken.lines.length > 0) onLines(taken.lines);
    };
    const finish = (error?: Error): void => {
      stream.removeAllListeners('data');
      if (error === undefined && bytes > maxBytes)
        writeFully(fd, Buffer.from(`\n[cut: ${bytes - maxBytes} more bytes were not kept]\n`));
      closeSync(fd);
      if (error === undefined) resolve({ bytes });
      else reject(error);
    };
    const failed = (error: unknown): void => {
      stream.removeListener('close', ended).destroy();
      finish(asError(error));
    };
    stream.on('data', (chunk: Buffer) => {
      const kept = chunk.subarray(0, Math.max(0, maxBytes - bytes));
      bytes += chunk.length;
      try {
        if (kept.length > 0) keep(masked.push(kept));
      } catch (error) {
        failed(error);
      }
    });
    const ended = (): void => {
      try {
        // What is held back of a stream that was cut may be half a secret.
        if (bytes <= maxBytes) keep(masked.end());
        if (rest.length > 0) onLines([rest.toString('utf8')]);
        finish();
      } catch (error) {
        failed(error);
      }
    };
    stream.once('close', ended);
    stream.on('error', () => {});
  });
}

function takeLines(buffer: Buffer): { readonly lines: readonly string[]; readonly rest: Buffer } {
  const end = buffer.lastIndexOf(10) + 1;
  const lines = end === 0 ? [] : buffer.toString('utf8', 0, end - 1).split('\n');
  const rest = buffer.subarray(end);
  return { lines, rest: rest.length > MAX_LINE_BYTES ? Buffer.alloc(0) : rest };
}
