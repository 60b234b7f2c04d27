import { closeSync, openSync, readSync } from 'node:fs';
import type { SecretPatterns } from '../../evidence/secrets/patterns.ts';
import { SecretScanner, type Settled } from '../../evidence/secrets/scan.ts';
import type { Tree, TreeEntry } from '../../task/tree/walk.ts';
import type { Change } from './changes.ts';
import { pathBelow } from '../../kernel/path-text.ts';

/** A path whose change would leak secrets into the bundle, and the names of the secrets. */
export interface Exposed {
  readonly path: Buffer;
  readonly names: readonly string[];
}

interface Side {
  readonly dir: string;
  readonly tree: Tree;
}

/**
 * Changes that add a secret in a file's content, a link target or a name. Secrets that the base already contains (an example, a fixture)
 * are ignored everywhere in the tree.
 */
export function findExposed(
  changes: readonly Change[],
  base: Side,
  frozenDir: string,
  patterns: SecretPatterns,
): Exposed[] {
  const suspects = changes.flatMap(({ path, before, after }) => {
    if (after === null) return [];
    const found = secretsOf(after, frozenDir, patterns);
    if (before === null) addAll(found, secretsIn(path, patterns));
    return found.size === 0 ? [] : [{ path, found }];
  });
  if (suspects.length === 0) return [];
  const known = new Set<string>();
  for (const entry of base.tree.entries.values()) {
    for (const text of secretsOf(entry, base.dir, patterns).keys()) known.add(text);
    for (const text of secretsIn(entry.path, patterns).keys()) known.add(text);
  }
  return suspects.flatMap(({ path, found }) => {
    const names = [...found].filter(([text]) => !known.has(text)).map(([, name]) => name);
    return names.length === 0 ? [] : [{ path, names: [...new Set(names)].toSorted() }];
  });
}

/** Names of the secrets, keyed by their bytes as latin1. */
type Found = Map<string, string>;

function secretsOf(entry: TreeEntry, dir: string, patterns: SecretPatterns): Found {
  switch (entry.kind) {
    case 'file':
      return secretsInFile(pathBelow(dir, entry.path), patterns);
    case 'link':
      return secretsIn(entry.target, patterns);
    case 'dir':
      return new Map();
  }
}

function secretsIn(bytes: Buffer, patterns: SecretPatterns): Found {
  const scanner = new SecretScanner(patterns);
  const found: Found = new Map();
  note(found, scanner.push(bytes));
  note(found, scanner.end());
  return found;
}

const CHUNK_BYTES = 1 << 20;

function secretsInFile(path: Buffer, patterns: SecretPatterns): Found {
  const scanner = new SecretScanner(patterns);
  const found: Found = new Map();
  const fd = openSync(path, 'r');
  try {
    for (;;) {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES); // a new one each time: the scanner keeps a slice of it
      const read = readSync(fd, chunk, 0, CHUNK_BYTES, null);
      if (read === 0) break;
      note(found, scanner.push(chunk.subarray(0, read)));
    }
  } finally {
    closeSync(fd);
  }
  note(found, scanner.end());
  return found;
}

function note(found: Found, { matches }: Settled): void {
  for (const { name, bytes } of matches) found.set(bytes.toString('latin1'), name);
}

function addAll(found: Found, more: Found): void {
  for (const [text, name] of more) found.set(text, name);
}
