import type { BaseContext, PatchInput } from '../context.ts';
import type { FileDecision } from '../decision.ts';
import { enclosingDirs, nameOf, parentOf } from '../path-parts.ts';
import { inTestDir, isTestName } from '../test-names.ts';
import { importedByProduct } from './imported.ts';
import { pythonRoots, scriptRoots } from './import-roots.ts';
import { indexModules, type ModuleNames } from './siblings.ts';

/** The facts that decisions about new files are made from. */
export interface AddedContext {
  readonly base: BaseContext;
  readonly names: ModuleNames;
  /** A file's text after the patch; '' where there is none. */
  readonly text: (path: string) => string;
  readonly deleted: ReadonlySet<string>;
  /** All new paths. */
  readonly added: ReadonlySet<string>;
  readonly ignored: ReadonlySet<string>;
  /** New files that changed product code imports. */
  readonly imported: ReadonlySet<string>;
  readonly pythonRoots: ReadonlySet<string>;
  readonly scriptRoots: ReadonlySet<string>;
  /** Directories that the base's run listed. */
  readonly listed: ReadonlySet<string>;
  /** The base's files by directory. */
  readonly filesIn: ReadonlyMap<string, readonly string[]>;
  /** The base's files and directories by case-folded name. */
  readonly byFold: ReadonlyMap<string, readonly string[]>;
  /** `.check.js`, where most of the collected files are named like `slug.check.js`. */
  readonly testEndings: ReadonlySet<string>;
}

export function openAddedContext(
  { changes, patched, patchedImports, options }: PatchInput,
  base: BaseContext,
  existing: ReadonlyMap<string, FileDecision>,
): AddedContext {
  const added = new Set(changes.map(({ path }) => path).filter((path) => !base.index.files.has(path)));
  // A new file named like a test is product only if other product code imports it.
  const product = [
    ...[...existing.values()]
      .filter(({ kind, why }) => kind === 'product' || why === 'inline_tests')
      .map(({ path }) => path),
    ...[...added].filter((path) => !isTestName(path) && !inTestDir(path)),
  ];
  const roots = once(() => pythonRoots(base));
  const names = once(() => indexModules(base.base.paths));
  const scripts = once(() => scriptRoots(base));
  const filesIn = once(() => grouped(base.base.paths, (path) => [parentOf(path)]));
  const byFold = once(() => grouped(base.base.paths, foldedPaths()));
  return {
    base,
    text: (path) => patched(path) ?? '',
    deleted: new Set(changes.filter(({ kind }) => kind === 'deleted').map(({ path }) => path)),
    added,
    ignored: options.ignored,
    imported: added.size === 0 ? added : importedByProduct(product, added, patchedImports, [...roots()]),
    listed: new Set(base.facts.dirs_listed),
    testEndings: endingsOfTests([...base.collected]),
    // Built lazily from all paths of the base.
    get names() {
      return names();
    },
    get pythonRoots() {
      return roots();
    },
    get scriptRoots() {
      return scripts();
    },
    get filesIn() {
      return filesIn();
    },
    get byFold() {
      return byFold();
    },
  };
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}

/** A path and the directories that it lies in, folded. */
function foldedPaths(): (path: string) => readonly string[] {
  const folded = new Map<string, readonly string[]>();
  const dirsOf = (path: string): readonly string[] => {
    const dir = parentOf(path);
    const known = folded.get(dir) ?? enclosingDirs(path).map(foldCase);
    folded.set(dir, known);
    return known;
  };
  return (path) => [foldCase(path), ...dirsOf(path)];
}

function grouped(
  paths: readonly string[],
  keysOf: (path: string) => readonly string[],
): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const path of paths)
    for (const key of keysOf(path)) {
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [path]);
      else group.push(path);
    }
  return groups;
}

function endingsOfTests(collected: readonly string[]): ReadonlySet<string> {
  const endings = collected.map(doubleEnding);
  const isCommon = (ending: string): boolean => endings.filter((one) => one === ending).length * 2 >= collected.length;
  return new Set(endings.filter((ending) => ending !== null).filter(isCommon));
}

/** A path as file systems see it that ignore case and compatible characters. */
export const foldCase = (path: string): string =>
  (/[\u0080-\uffff]/.test(path) ? path.normalize('NFKC') : path).toLowerCase();

export function doubleEnding(path: string): string | null {
  return /(?<=[^.])\.[^.]+\.[^.]+$/.exec(nameOf(path))?.[0] ?? null;
}
