import { join } from 'node:path';
import type { HarnessKey } from '../../evidence/bundle/keys.ts';
import { SeatrialError } from '../../kernel/errors.ts';
import { fillOnce } from '../cache/fill.ts';
import { signedBy } from '../cache/signed-manifest.ts';
import {
  type EntryManifest,
  digestProducts,
  entryFingerprint,
  readEntryManifest,
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

/** Makes an entry once, see `fillOnce`. Null if the products must not be cached. */
export async function fillEntry({
  cacheDir,
  key,
  signWith,
  signal,
  make,
}: Fill): Promise<(Found & { cached: boolean }) | null> {
  const filled = await fillOnce({
    dir: cacheDir,
    key,
    signal,
    patienceMs: 2 * SETUP_TIMEOUT_MS,
    find: () => findEntry(cacheDir, key, { kind: 'signed', key: signWith }),
    make: async (dir) => {
      const about = await make(dir);
      if (about === null) return null;
      writeEntryManifest(dir, about, signWith);
      return { dir: join(cacheDir, key), about };
    },
  }).catch((error: unknown) => {
    if (error instanceof SeatrialError && error.code === 'evidence')
      throw new SeatrialError('blocked', error.message, error);
    throw error;
  });
  return filled === null ? null : { ...filled.entry, cached: filled.cached };
}
