import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { removeScratch } from '../../confine/remove-scratch.ts';
import type { HarnessKey } from '../../evidence/bundle/keys.ts';
import { withLock } from '../../evidence/storage/lock.ts';
import { SeatrialError } from '../../kernel/errors.ts';
import {
  type EntryManifest,
  digestProducts,
  entryFingerprint,
  readEntryManifest,
  signedBy,
  writeEntryManifest,
} from './entry.ts';
import { SETUP_TIMEOUT_MS } from './setup.ts';

export interface Found {
  readonly dir: string;
  readonly about: EntryManifest;
}

/** Which cache entries to accept. */
export type Trust =
  /** Entries signed by this key and unchanged since. */
  | { readonly kind: 'signed'; readonly key: HarnessKey }
  /** Entries with exactly these products, regardless of the signature. */
  | { readonly kind: 'digest'; readonly sha256: string };

/** The trusted entry of a key, or null. Reads only. */
export function findEntry(cacheDir: string, key: string, trust: Trust): Found | null {
  const dir = join(cacheDir, key);
  const about = readEntryManifest(dir, trust.kind === 'signed' ? signedBy(trust.key) : () => true);
  if (about === null || about.key !== key) return null;
  const sound =
    trust.kind === 'signed' ? entryFingerprint(dir) === about.marks_sha256 : digestProducts(dir) === trust.sha256;
  return sound ? { dir, about } : null;
}

export interface Fill {
  readonly cacheDir: string;
  readonly key: string;
  readonly signWith: HarnessKey;
  readonly signal: AbortSignal;
  /** Makes the products in an existing empty directory. Null if they must not be cached. */
  readonly make: (dir: string) => Promise<EntryManifest | null>;
}

/**
 * Makes an entry once: concurrent callers wait for the first one and use its entry. An entry appears atomically; what a
 * killed process left unfinished is removed by the next. Null if the products must not be cached.
 */
export async function fillEntry({
  cacheDir,
  key,
  signWith,
  signal,
  make,
}: Fill): Promise<(Found & { cached: boolean }) | null> {
  const trust: Trust = { kind: 'signed', key: signWith };
  const fill = async (): Promise<(Found & { cached: boolean }) | null> => {
    signal.throwIfAborted();
    const existing = findEntry(cacheDir, key, trust);
    if (existing !== null) return { ...existing, cached: true };
    for (const name of readdirSync(cacheDir).filter((one) => one === key || one.startsWith(filling(key))))
      await removeScratch(join(cacheDir, name));
    const dir = join(cacheDir, `${filling(key)}${randomBytes(6).toString('hex')}`);
    mkdirSync(dir, { mode: 0o711 });
    try {
      const about = await make(dir);
      if (about === null) return null;
      writeEntryManifest(dir, about, signWith);
      renameSync(dir, join(cacheDir, key));
      return { dir: join(cacheDir, key), about, cached: false };
    } finally {
      await removeScratch(dir);
    }
  };
  return withLock(join(cacheDir, `${key}.lock`), fill, 2 * SETUP_TIMEOUT_MS, signal).catch((error: unknown) => {
    if (error instanceof SeatrialError && error.code === 'evidence')
      throw new SeatrialError('blocked', error.message, error);
    throw error;
  });
}

const filling = (key: string): string => `.filling-${key}-`;
