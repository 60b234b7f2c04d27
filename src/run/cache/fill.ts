import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { removeScratch } from '../../confine/remove-scratch.ts';
import { withLock } from '../../evidence/storage/lock.ts';

export interface CacheFill<T> {
  /** Where the entries of this kind lie. */
  readonly dir: string;
  readonly key: string;
  readonly signal?: AbortSignal;
  /** How long another process that makes the same entry is waited for. */
  readonly patienceMs: number;
  /** The entry of this key, if it is there and sound. */
  readonly find: () => Promise<T | null> | T | null;
  /** Makes the entry in an existing empty directory, and gives what it is under its own name. Null: it must not be cached. */
  readonly make: (dir: string) => Promise<T | null>;
}

/**
 * Makes an entry once: concurrent callers wait for the first one and use its entry. An entry appears atomically; a damaged one, and what
 * a killed process left unfinished, is removed. Null: it must not be cached.
 */
export function fillOnce<T>({
  dir,
  key,
  signal,
  patienceMs,
  find,
  make,
}: CacheFill<T>): Promise<{ readonly entry: T; readonly cached: boolean } | null> {
  const fill = async (): Promise<{ readonly entry: T; readonly cached: boolean } | null> => {
    signal?.throwIfAborted();
    const existing = await find();
    if (existing !== null) return { entry: existing, cached: true };
    for (const name of readdirSync(dir).filter((one) => one === key || one.startsWith(filling(key))))
      await removeScratch(join(dir, name));
    const unfinished = join(dir, `${filling(key)}${randomBytes(6).toString('hex')}`);
    mkdirSync(unfinished, { mode: 0o711 });
    try {
      const entry = await make(unfinished);
      if (entry === null) return null;
      renameSync(unfinished, join(dir, key));
      return { entry, cached: false };
    } finally {
      await removeScratch(unfinished);
    }
  };
  return withLock(join(dir, `${key}.lock`), fill, patienceMs, signal);
}

const filling = (key: string): string => `.filling-${key}-`;
