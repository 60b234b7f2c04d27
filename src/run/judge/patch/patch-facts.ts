import type { Tree } from '../../../task/tree/walk.ts';
import type { Change } from '../../../task/tree/compare.ts';
import { isNodeTestTool, isPythonTestTool } from './test-tools.ts';

/** Facts about the patch in a tree. Paths have one character per byte, like the keys of a `Tree`. */
export interface PatchFacts {
  readonly base: Tree;
  readonly changes: readonly Change[];
}

/** A path of the tree as `PatchFacts` has it. */
export const pathKey = (path: string): string => Buffer.from(path).toString('latin1');

const pathOf = ({ path }: Pick<Change, 'path'>): string => path.toString('latin1');
const isAtOrBelow = (path: string, dir: string): boolean => path === dir || path.startsWith(`${dir}/`);

/** The patch adds, changes or removes something there or below. */
export function isTouched({ changes }: PatchFacts, path: string): boolean {
  return changes.some((change) => isAtOrBelow(pathOf(change), path));
}

/** The patch adds something there or below, and before it there was nothing. */
export function isBrought({ base, changes }: PatchFacts, path: string): boolean {
  const added = changes.some((change) => change.after !== null && isAtOrBelow(pathOf(change), path));
  return added && ![...base.entries.keys()].some((known) => isAtOrBelow(known, path));
}

const IN_NODE_MODULES = /^((?:.*\/)?node_modules\/(?:\.bin\/)?((?:@[^/]+\/)?[^/]+))(?:\/|$)/;
const PYTHON_SOURCE = /\.(?:py|so)$/;
/** Says what a distribution plugs into; pytest loads plug-ins by it. */
const PYTHON_PLUGIN = /^((?:src\/)?[^/]+\.(?:dist|egg)-info)\/entry_points\.txt$/;

/** Test tools that only the patch brings: packages at any depth of node_modules, top-level modules of Python and their plug-ins. */
export function broughtTools(patch: PatchFacts): readonly string[] {
  const found = new Set<string>();
  for (const change of patch.changes.filter(({ after }) => after !== null)) {
    const path = pathOf(change);
    const isDirLink = change.after?.kind === 'link' && /(?:^|\/)node_modules$/.test(path);
    const [, nodePackage = path, nodeName = ''] = IN_NODE_MODULES.exec(path) ?? [];
    const [, plugin] = PYTHON_PLUGIN.exec(path) ?? [];
    if (isDirLink) found.add(path);
    if (isNodeTestTool(nodeName)) found.add(nodePackage);
    for (const module of pythonModules(path)) found.add(module);
    if (plugin !== undefined) found.add(plugin);
  }
  return [...found].filter((path) => isBrought(patch, path)).toSorted();
}

/** The test tools that a source file belongs to, at the top of the tree or one directory down. */
function pythonModules(path: string): readonly string[] {
  if (!PYTHON_SOURCE.test(path)) return [];
  const parts = path.split('/');
  const places = parts.slice(0, 2).map((_, index) => parts.slice(0, index + 1));
  const isTool = (place: readonly string[]): boolean => isPythonTestTool(moduleAt(place.at(-1) ?? '') ?? '');
  return places.filter(isTool).map((place) => place.join('/'));
}

/** Files at the top that would be taken for the directory of sealed tests: `tests.py` for `import tests`, `tests.js` for `require('../tests')`. */
export function broughtTestsFiles(patch: PatchFacts): readonly string[] {
  const names = patch.changes.filter(({ after }) => after !== null).map(pathOf);
  return names.filter((path) => /^tests\.[^/]+$/.test(path) && isBrought(patch, path));
}

const MODULE_NAME = /^[\p{ID_Start}_][\p{ID_Continue}]*$/u;

/** The module that Python would find in a file or directory at the top of a tree; null: none. */
export function moduleAt(name: string): string | null {
  const stem = /\.(?:py|so)$/.test(name) ? (name.split('.')[0] ?? '') : name;
  return MODULE_NAME.test(stem) ? stem : null;
}

/** Of these modules in directories of the tree, those that none of the directories had before the patch. */
export function newModules({ base }: PatchFacts, names: readonly string[], dirs: readonly string[]): readonly string[] {
  const starts = dirs.map((dir) => (dir === '' ? '' : `${pathKey(dir)}/`));
  const below = [...base.entries.keys()].flatMap((path) =>
    starts.flatMap((start) => (path.startsWith(start) ? [path.slice(start.length).split('/')[0] ?? ''] : [])),
  );
  const before = new Set(below.map((name) => moduleAt(Buffer.from(name, 'latin1').toString())));
  return names.filter((name) => !before.has(name));
}
