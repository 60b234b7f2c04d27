import { fstatSync, ftruncateSync, writeSync } from 'node:fs';

/**
 * `writeSync` may write only part, for instance when the disk fills up; repeats until everything is written, or throws.
 */
export function writeFully(fd: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length;) done += writeSync(fd, bytes, done);
}

/** Appends everything or nothing: a disk that fills up midway must not corrupt existing or later content. */
export function appendWhole(fd: number, bytes: Buffer): void {
  const before = fstatSync(fd).size;
  try {
    writeFully(fd, bytes);
  } catch (error) {
    if (fstatSync(fd).size > before) ftruncateSync(fd, before);
    throw error;
  }
}
