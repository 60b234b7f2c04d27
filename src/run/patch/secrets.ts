import type { SecretPatterns } from '../../evidence/secrets/patterns.ts';
import { type FoundSecrets, secretsIn, secretsInFile } from '../../evidence/secrets/find.ts';
import type { Tree, TreeEntry } from '../../task/tree/walk.ts';
import type { Change } from '../../task/tree/compare.ts';
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
    const inside = secretsOf(after, frozenDir, patterns);
    const found = before === null ? new Map([...inside, ...secretsIn(path, patterns)]) : inside;
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

function secretsOf(entry: TreeEntry, dir: string, patterns: SecretPatterns): FoundSecrets {
  switch (entry.kind) {
    case 'file':
      return secretsInFile(pathBelow(dir, entry.path), patterns);
    case 'link':
      return secretsIn(entry.target, patterns);
    case 'dir':
      return new Map();
  }
}
