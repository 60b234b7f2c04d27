import type { Readable } from 'node:stream';

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
