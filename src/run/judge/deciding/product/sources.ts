import type { ImportSpec } from '../../syntax/imports/spec.ts';
import type { BaseFacts, BaseTree, Ecosystem } from '../facts.ts';
import { ecosystemOf } from '../languages.ts';
import { indexTree, type WholeIndex } from '../tree-index.ts';

/** As `importsOf` of the parser: null where no grammar reads the file. */
export type ImportReader = (path: string, text: string) => Promise<readonly ImportSpec[] | null>;

/** The base's sources, each read and parsed at most once. */
export interface Sources {
  readonly tree: BaseTree;
  readonly index: WholeIndex;
  readonly facts: BaseFacts;
  readonly collected: ReadonlySet<string>;
  readonly ecosystem: (path: string) => Ecosystem | null;
  readonly text: (path: string) => string;
  readonly imports: (path: string) => Promise<readonly ImportSpec[]>;
}

export function openSources(tree: BaseTree, facts: BaseFacts, importsOf: ImportReader): Sources {
  const ecosystems = new Map<string, Ecosystem | null>();
  const imports = new Map<string, Promise<readonly ImportSpec[]>>();
  return {
    tree,
    index: indexTree(tree),
    facts,
    collected: new Set(facts.collected),
    ecosystem: (path) => memoized(ecosystems, path, () => ecosystemOf(path, tree.read)),
    text: (path) => tree.read(path) ?? '',
    imports: (path) => memoized(imports, path, () => readImports(path, tree.read(path) ?? '', importsOf)),
  };
}

function memoized<T>(known: Map<string, T>, path: string, find: () => T): T {
  const found = known.get(path);
  if (found !== undefined) return found;
  const value = find();
  known.set(path, value);
  return value;
}

async function readImports(path: string, text: string, importsOf: ImportReader): Promise<readonly ImportSpec[]> {
  return (await importsOf(path, text)) ?? embeddedImports(text);
}

const EMBEDDED = /(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\s*\(\s*|<script[^>]{0,200}\bsrc\s*=\s*)(["'])([^"'\n]+)\1/g;

/** Of files that hold JavaScript among other things (Vue, Svelte, HTML): whatever reads like an import. */
function embeddedImports(text: string): readonly ImportSpec[] {
  return [...text.matchAll(EMBEDDED)].map((match) => ({
    kind: 'import',
    specifier: match[2] ?? '',
    names: [],
    typeOnly: false,
    whole: true,
    start: match.index,
    end: match.index + match[0].length,
  }));
}

/** Follows what `next` gives, from the first paths on. */
export async function closureOf(
  first: readonly string[],
  next: (path: string) => Promise<readonly string[]>,
): Promise<Set<string>> {
  const reached = new Set(first);
  const waiting = [...reached];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    for (const found of await next(path)) {
      if (reached.has(found)) continue;
      reached.add(found);
      waiting.push(found);
    }
  }
  return reached;
}
