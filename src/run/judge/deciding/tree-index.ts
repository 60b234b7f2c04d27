import type { BaseTree, TreeIndex } from './facts.ts';
import { enclosingDirs, joinPaths } from './path-parts.ts';

/** An index for very many questions. */
export interface WholeIndex extends TreeIndex {
  readonly files: ReadonlySet<string>;
}

export function indexTree({ paths, links }: Pick<BaseTree, 'paths' | 'links'>): WholeIndex {
  const dirs = new Set<string>(['']);
  for (const path of paths) for (const dir of enclosingDirs(path)) dirs.add(dir);
  return { files: new Set(paths), dirs, links };
}

export interface ResolvedPath {
  /** The path without links; null: it leads out of the tree or in circles. */
  readonly path: string | null;
  readonly passed: readonly string[];
}

const MAX_LINKS = 40;

/** Follows the tree's own links, as the kernel would. */
export function resolvePath(path: string, { links }: Pick<TreeIndex, 'links'>): ResolvedPath {
  const passed: string[] = [];
  let at = '';
  let rest = path.split('/');
  while (rest.length > 0) {
    const [part = '', ...after] = rest;
    const next = joinPaths(at, part);
    if (next === null) return { path: null, passed };
    const target = links.get(next);
    rest = after;
    if (target === undefined || part === '..') {
      at = next;
      continue;
    }
    passed.push(next);
    if (passed.length > MAX_LINKS || target.startsWith('/')) return { path: null, passed };
    rest = [...target.split('/'), ...after];
  }
  return { path: at, passed };
}
