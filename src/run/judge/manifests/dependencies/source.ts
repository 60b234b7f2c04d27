import { posix } from 'node:path';
import { isTable, textAt, type Value } from '../value.ts';

/** Where a dependency comes from. All but the first three are fetched or read past the registry. */
export type Source =
  | { readonly kind: 'registry' }
  /** From the registry, under another name. */
  | { readonly kind: 'alias'; readonly of: string }
  /** A directory of the tree itself: a sibling in a workspace. */
  | { readonly kind: 'tree'; readonly at: string }
  | { readonly kind: 'path' | 'git' | 'url' | 'other'; readonly at: string };

const REGISTRY: Source = { kind: 'registry' };

/** `dir`: the directory of the manifest, from the root of the tree. */
export function npmSource(spec: string, dir: string): Source {
  const text = spec.trim();
  const protocol = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1]?.toLowerCase();
  const rest = protocol === undefined ? text : text.slice(protocol.length + 1);
  switch (protocol) {
    case undefined:
      if (/^(?:\.{1,2}(?:\/|$)|\/|~\/)/.test(text)) return dirSource(text, dir);
      // `user/repository`; a range or a tag has no slash.
      return text.includes('/') || text.includes('@') ? { kind: 'git', at: text } : REGISTRY;
    case 'npm':
      return { kind: 'alias', of: /^(@?[^@]*)/.exec(rest)?.[1] ?? rest };
    case 'catalog':
      return REGISTRY;
    case 'workspace':
      return { kind: 'tree', at: rest };
    case 'file':
    case 'link':
    case 'portal':
      return dirSource(rest, dir);
    case 'http':
    case 'https':
      return /\.git(?:#|$)/.test(text) ? { kind: 'git', at: text } : { kind: 'url', at: text };
    case 'git':
    case 'ssh':
    case 'github':
    case 'gitlab':
    case 'bitbucket':
    case 'gist':
      return { kind: 'git', at: text };
    default:
      return protocol.startsWith('git+') ? { kind: 'git', at: text } : { kind: 'other', at: text };
  }
}

/** A requirement as pip reads it: `name @ url` past the registry, else from it. */
export function pythonSource(requirement: string, dir: string): Source {
  const url = /^[^;@#<>=!~]*@\s*([^;\s]+)/.exec(requirement)?.[1];
  if (url === undefined) return REGISTRY;
  if (/^(?:git|hg|svn|bzr)\+/.test(url)) return { kind: 'git', at: url };
  return url.startsWith('file:') ? dirSource(url.slice(5), dir) : { kind: 'url', at: url };
}

/** A dependency as a table: Cargo's, Poetry's and uv's keys. */
export function tableSource(spec: Value | undefined, dir: string): Source {
  if (!isTable(spec)) return REGISTRY;
  const path = textAt(spec, 'path');
  if (path !== null) return dirSource(path, dir);
  for (const kind of ['git', 'url'] as const) {
    const at = textAt(spec, kind);
    if (at !== null) return { kind, at };
  }
  for (const key of ['registry', 'registry-index', 'source', 'index']) {
    const at = textAt(spec, key);
    if (at !== null) return { kind: 'other', at };
  }
  const alias = textAt(spec, 'package');
  return alias === null ? REGISTRY : { kind: 'alias', of: alias };
}

/** A directory inside of the tree; an archive, or a place outside of it, is not the repository's own package. */
export function dirSource(path: string, dir: string): Source {
  const plain = path.replace(/^\/\/(?=[./])/, '');
  const at = posix.normalize(posix.join(dir === '' ? '.' : dir, plain));
  const isOutside = plain.startsWith('/') || plain.startsWith('~') || plain.includes('\\') || /^\.\.(?:\/|$)/.test(at);
  const isArchive = /\.(?:tgz|tar|tar\.\w+|zip|whl|crate)$/i.test(plain);
  return isOutside || isArchive ? { kind: 'path', at: path } : { kind: 'tree', at };
}
