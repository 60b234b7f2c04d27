import { lstatSync, readlinkSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { systemCode } from '../../../kernel/errors.ts';

/** As many as the kernel follows. */
const MAX_LINKS = 40;

/**
 * The target of a path below a tree, with links resolved. Null: it does not exist, or leads out of the tree. Unlike `realpath`, it does
 * not resolve the path of the tree itself, which only this process may be able to access.
 */
export function resolveWithin(tree: string, path: string): string | null {
  let todo = partsOf(path);
  let at = '';
  for (let links = 0; links <= MAX_LINKS;) {
    const [part, ...rest] = todo;
    if (part === undefined) return at;
    todo = rest;
    if (part === '..') {
      if (at === '') return null;
      at = dirname(at) === '.' ? '' : dirname(at);
      continue;
    }
    const next = at === '' ? part : `${at}/${part}`;
    const stat = lookAt(`${tree}/${next}`);
    if (stat === null) return null;
    if (!stat.isSymbolicLink()) {
      at = next;
      continue;
    }
    const target = readlinkSync(`${tree}/${next}`);
    if (target.startsWith('/')) return null;
    links += 1;
    todo = [...partsOf(target), ...rest];
  }
  return null;
}

function lookAt(path: string): Stats | null {
  try {
    return lstatSync(path);
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return null;
    throw error;
  }
}

const partsOf = (path: string): string[] => path.split('/').filter((part) => part !== '' && part !== '.');
