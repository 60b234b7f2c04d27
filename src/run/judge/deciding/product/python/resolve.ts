import type { ImportSpec } from '../../../syntax/imports/spec.ts';
import { joinPaths, parentOf } from '../../path-parts.ts';

/** The files that an import loads or may load: the packages on the way, the module, and modules among its names. */
export function pythonCandidates(
  from: string,
  { specifier, names }: Pick<ImportSpec, 'specifier' | 'names'>,
  roots: readonly string[],
): readonly string[] {
  const dots = /^\.*/.exec(specifier)?.[0].length ?? 0;
  const parts = specifier
    .slice(dots)
    .split('.')
    .filter((part) => part !== '');
  const starts = dots === 0 ? [...roots, parentOf(from)] : [up(parentOf(from), dots - 1)];
  return starts.flatMap((start) => {
    if (start === null) return [];
    const chain = parts.map((_part, at) => parts.slice(0, at + 1).join('/'));
    const modules = [...chain, ...names.filter((name) => name !== '*').map((name) => [...parts, name].join('/'))];
    const paths = modules.flatMap((module) => joinPaths(start, module) ?? []);
    return [...(dots > 0 ? [start] : []), ...paths].flatMap(moduleFiles);
  });
}

function moduleFiles(path: string): readonly string[] {
  const init = path === '' ? '__init__.py' : `${path}/__init__.py`;
  return path === '' ? [init] : [`${path}.py`, init];
}

function up(dir: string, levels: number): string | null {
  return levels === 0 ? dir : joinPaths(dir, '../'.repeat(levels));
}
