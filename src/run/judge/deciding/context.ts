import { matchGlobs } from '../../patch/changes.ts';
import type { ImportSpec } from '../syntax/imports/spec.ts';
import type { BaseFacts, BaseTree, DecidingOptions, Ecosystem, PatchChange, TreeIndex } from './facts.ts';
import { ecosystemOf } from './languages.ts';
import { enclosingDirs, parentOf } from './path-parts.ts';
import type { ProductMap, Role } from './product/role.ts';
import { indexTree, resolvePath } from './tree-index.ts';

/** Everything a decision is made from. */
export interface PatchInput {
  readonly facts: BaseFacts;
  readonly base: BaseTree;
  readonly product: ProductMap;
  readonly changes: readonly PatchChange[];
  /** A file's text after the patch; null where there is none. */
  readonly patched: (path: string) => string | null;
  /** Imports of the files that the patch adds or modifies. */
  readonly patchedImports: ReadonlyMap<string, readonly ImportSpec[]>;
  readonly options: DecidingOptions;
}

/** The base and its facts, indexed. Independent of the patch. */
export interface BaseContext {
  readonly facts: BaseFacts;
  readonly base: BaseTree;
  readonly index: TreeIndex;
  readonly product: ProductMap;
  readonly isProtected: (path: string) => boolean;
  readonly collected: ReadonlySet<string>;
  readonly read: ReadonlySet<string>;
  readonly lookedFor: ReadonlySet<string>;
  readonly written: ReadonlySet<string>;
  readonly linksPassed: ReadonlySet<string>;
  readonly starts: ReadonlySet<string>;
  readonly before: ReadonlySet<string>;
  /** Whether reads were observed. */
  readonly seesReads: boolean;
  /** Whether failed lookups were observed. */
  readonly seesLookups: boolean;
  /** Directories that directly contain files which are certainly product code. */
  readonly productDirs: ReadonlySet<string>;
  readonly role: (path: string) => Role | null;
  readonly ecosystem: (path: string) => Ecosystem | null;
  readonly uses: (ecosystem: Ecosystem) => boolean;
  /** Whether a directory or its subdirectories contain tests, test support, product or what starts the runner. */
  readonly governs: (dir: string) => boolean;
}

export function openContext({
  facts,
  base,
  product,
  options,
}: Omit<PatchInput, 'changes' | 'patched' | 'patchedImports'>): BaseContext {
  const index = base.index ?? indexTree(base);
  const read = throughLinks(facts.read, index);
  const collected = throughLinks(facts.collected, index);
  const starts = throughLinks(facts.starts_runner, index);
  const lookedFor = throughLinks(facts.looked_for, index);
  const roles = [...product.roles];
  // Test support counts too: it is loaded with the tests.
  const weighty = new Set([...collected.paths, ...starts.paths, ...product.roles.keys()]);
  const heavyDirs = new Set<string>(['']);
  for (const path of weighty) for (const dir of enclosingDirs(path)) heavyDirs.add(dir);
  const ecosystem = (path: string): Ecosystem | null => ecosystemOf(path, base.read);
  // The reads show what a script starts; without them, it may be anything.
  const isUnknown = facts.ecosystems.length === 0 || (facts.runner === 'script' && facts.found_by === 'names');
  const seen = new Set<Ecosystem>(facts.ecosystems);
  for (const path of [...collected.paths, ...read.paths]) {
    const one = ecosystem(path);
    if (one !== null) seen.add(one);
  }
  return {
    facts,
    base,
    index,
    product,
    isProtected: matchGlobs(options.protectedFiles),
    collected: collected.paths,
    read: read.paths,
    lookedFor: lookedFor.paths,
    written: new Set(facts.written),
    linksPassed: new Set([...facts.links_passed, ...read.links, ...collected.links, ...starts.links]),
    starts: starts.paths,
    before: new Set(facts.before_runner),
    seesReads: facts.found_by !== 'names',
    seesLookups: facts.found_by === 'strace',
    productDirs: new Set(
      roles.filter(([, role]) => role.kind === 'product' && role.certain).map(([path]) => parentOf(path)),
    ),
    role: (path) => product.roles.get(path) ?? null,
    ecosystem,
    uses: (one) => isUnknown || seen.has(one),
    governs: (dir) => heavyDirs.has(dir),
  };
}

/** Paths as named, their targets without links, and the links on the way. */
function throughLinks(
  paths: readonly string[],
  index: TreeIndex,
): { readonly paths: Set<string>; readonly links: Set<string> } {
  const all = new Set(paths);
  const links = new Set<string>();
  for (const path of paths) {
    const resolved = resolvePath(path, index);
    for (const link of resolved.passed) links.add(link);
    if (resolved.path !== null) all.add(resolved.path);
  }
  return { paths: all, links };
}

/** Whether a parent directory of the path, except the root, contains product code. */
export function isNearProduct(path: string, { productDirs }: BaseContext): boolean {
  return enclosingDirs(path).some((dir) => productDirs.has(dir));
}
