import { closeSync, openSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { writeFully } from '../../evidence/storage/write-fully.ts';
import type { Masker } from '../../evidence/secrets/mask.ts';
import { asError } from '../../kernel/errors.ts';

const MAX_LINE_BYTES = 1 << 20;

export interface CaptureOptions {
  readonly file: string;
  /** What comes after this many bytes is counted and dropped; the file says so. */
  readonly maxBytes: number;
  readonly mask: Masker;
  /** The lines that are kept; what was not kept cannot be read again, so it counts for nothing. */
  readonly onLine?: (line: string) => void;
}

/** Keeps a stream in a file, bounded, and hands on its lines. Resolves when the stream has ended; a failed write rejects at once. */
export function captureStream(
  stream: Readable,
  { file, maxBytes, mask, onLine }: CaptureOptions,
): Promise<{ bytes: number }> {
  return new Promise((resolve, reject) => {
    const fd = openSync(file, 'w');
    let bytes = 0;
    let rest: Buffer = Buffer.alloc(0);
    const masked = mask.stream();
    const keep = (part: Buffer): void => {
      writeFully(fd, part);
      if (onLine !== undefined) rest = emitLines(Buffer.concat([rest, part]), onLine);
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
        if (rest.length > 0) onLine?.(rest.toString('utf8'));
        finish();
      } catch (error) {
        failed(error);
      }
    };
    stream.once('close', ended);
    stream.on('error', () => {});
  });
}

function emitLines(buffer: Buffer, onLine: (line: string) => void): Buffer {
  let start = 0;
  for (let end = buffer.indexOf(10); end !== -1; end = buffer.indexOf(10, start)) {
    onLine(buffer.toString('utf8', start, end));
    start = end + 1;
  }
  const rest = buffer.subarray(start);
  return rest.length > MAX_LINE_BYTES ? Buffer.alloc(0) : rest;
}
