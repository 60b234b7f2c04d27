import picomatch from 'picomatch';
import type { BaseFiles } from '../base-files.ts';
import { readPackage } from './package-json.ts';

/** A package of a workspace. */
export interface WorkspaceMember {
  readonly dir: string;
  readonly name: string;
}

/** The packages of the workspace that a directory is the root of, in the order of their directories. */
export function listMembers(files: BaseFiles, root: string): readonly WorkspaceMember[] {
  const { workspaces } = readPackage(files, root);
  const own = Array.isArray(workspaces) ? workspaces : (workspaces?.packages ?? []);
  const patterns = [...own, ...pnpmPatterns(files, root)].map(clean);
  const wanted = patterns.filter((pattern) => !pattern.startsWith('!'));
  const refused = patterns.filter((pattern) => pattern.startsWith('!')).map((pattern) => clean(pattern.slice(1)));
  const matches = (dir: string, list: readonly string[]): boolean => list.some((one) => picomatch.isMatch(dir, one));
  return files.dirsWith('package.json').flatMap((dir) => {
    const inside = belowRoot(dir, root);
    if (inside === null || !matches(inside, wanted) || matches(inside, refused)) return [];
    return [{ dir, name: readPackage(files, dir).name ?? inside }];
  });
}

/** Those that a name, a pattern of names or a path stands for; null: it means more than that (`a...`, `[main]`). */
export function selectMembers(
  members: readonly WorkspaceMember[],
  root: string,
  words: readonly string[],
): readonly WorkspaceMember[] | null {
  const chosen = new Set(words.every((word) => word.startsWith('!')) ? members : []);
  for (const word of words) {
    if (/\.{3}|[[\]{}^]/.test(word)) return null;
    const negated = word.startsWith('!');
    const wanted = clean(word.replace(/^!/, ''));
    const found = members.filter(({ dir, name }) => {
      const inside = belowRoot(dir, root) ?? dir;
      return (
        name === wanted || inside === wanted || inside.startsWith(`${wanted}/`) || matchesPattern(wanted, name, inside)
      );
    });
    if (found.length === 0 && !negated) return [];
    for (const member of found) chosen[negated ? 'delete' : 'add'](member);
  }
  return members.filter((member) => chosen.has(member));
}

function matchesPattern(pattern: string, name: string, inside: string): boolean {
  return pattern.includes('*') && (picomatch.isMatch(name, pattern) || picomatch.isMatch(inside, pattern));
}

/** `packages:` of pnpm-workspace.yaml, which is a list of texts. */
function pnpmPatterns(files: BaseFiles, root: string): readonly string[] {
  const text = files.command(root === '' ? 'pnpm-workspace.yaml' : `${root}/pnpm-workspace.yaml`) ?? '';
  const list = /^packages:[ \t]*(?:#.*)?\n((?:[ \t]*(?:-.*|#.*)?(?:\n|$))*)/m.exec(text)?.[1] ?? '';
  const listed = Array.from(list.matchAll(/^[ \t]*-[ \t]+(.+?)[ \t]*$/gm), ([, item = '']) => item);
  const inline = /^packages:[ \t]*\[(.*)\]/m.exec(text)?.[1]?.split(',') ?? [];
  return [...listed, ...inline]
    .map((item) => item.trim().replace(/^(['"])(.*)\1.*$/, '$2'))
    .filter((item) => item !== '');
}

function belowRoot(dir: string, root: string): string | null {
  if (root === '') return dir === '' ? null : dir;
  return dir.startsWith(`${root}/`) ? dir.slice(root.length + 1) : null;
}

const clean = (path: string): string => path.replace(/^\.\//, '').replace(/\/+$/, '');
