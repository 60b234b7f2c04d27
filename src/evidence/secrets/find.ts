import { closeSync, openSync, readSync } from 'node:fs';
import type { SecretPatterns } from './patterns.ts';
import { SecretScanner, type Settled } from './scan.ts';

/** Names of secrets, keyed by their bytes as latin1. */
export type FoundSecrets = ReadonlyMap<string, string>;

export function secretsIn(bytes: Buffer, patterns: SecretPatterns): FoundSecrets {
  return scanned([bytes], patterns);
}

export function secretsInFile(path: Buffer, patterns: SecretPatterns): FoundSecrets {
  const fd = openSync(path, 'r');
  try {
    return scanned(chunksOf(fd), patterns);
  } finally {
    closeSync(fd);
  }
}

const CHUNK_BYTES = 64 * 1024;

function* chunksOf(fd: number): Generator<Buffer> {
  for (;;) {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES); // a new one each time: the scanner keeps a slice of it
    const read = readSync(fd, chunk, 0, CHUNK_BYTES, null);
    if (read === 0) return;
    yield chunk.subarray(0, read);
  }
}

function scanned(chunks: Iterable<Buffer>, patterns: SecretPatterns): FoundSecrets {
  const scanner = new SecretScanner(patterns);
  const found = new Map<string, string>();
  const note = ({ matches }: Settled): void => {
    for (const { name, bytes } of matches) found.set(bytes.toString('latin1'), name);
  };
  for (const chunk of chunks) note(scanner.push(chunk));
  note(scanner.end());
  return found;
}
