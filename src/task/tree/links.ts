export interface TreeLink {
  readonly kind: 'link';
  readonly path: Buffer;
  readonly target: Buffer;
}

/** The entries of a tree, keyed by path as latin1. */
type Entries = ReadonlyMap<string, TreeLink | { readonly kind: 'file' | 'dir' }>;

const MAX_HOPS = 40;

/**
 * Follows a link through the entries of its tree, as the kernel would. Returns the path relative to the root, as latin1, whether
 * or not it exists. `seenAs` is the root that absolute links refer to. Null: the link leads out of the tree, or is circular.
 */
export function resolveLink(link: TreeLink, entries: Entries, seenAs?: string): string | null {
  const top = seenAs?.split('/').slice(1);
  let at = partsOf(link.path).slice(0, -1);
  let rest: readonly string[] = [];
  const enter = (target: Buffer): boolean => {
    const parts = partsOf(target);
    if (parts[0] !== '') rest = [...parts, ...rest];
    else if (top === undefined || !top.every((part, index) => parts[index + 1] === part)) return false;
    else {
      at = [];
      rest = [...parts.slice(top.length + 1), ...rest];
    }
    return true;
  };
  if (!enter(link.target)) return null;
  for (let hops = 0; rest.length > 0;) {
    const part = rest[0] ?? '';
    rest = rest.slice(1);
    if (part === '' || part === '.') continue;
    if (part === '..') {
      if (at.length === 0) return null;
      at = at.slice(0, -1);
      continue;
    }
    const entry = entries.get([...at, part].join('/'));
    if (entry?.kind !== 'link') at = [...at, part];
    else if (++hops > MAX_HOPS || !enter(entry.target)) return null;
  }
  return at.join('/');
}

const partsOf = (path: Buffer): string[] => path.toString('latin1').split('/');
