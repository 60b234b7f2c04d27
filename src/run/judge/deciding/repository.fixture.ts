import { importsOf } from '../syntax/imports.ts';
import { classifyPatch } from './classify.ts';
import { traceCommand } from './command/trace-command.ts';
import type { FileDecision } from './decision.ts';
import type { BaseFacts, BaseTree, Ecosystem, PatchChange } from './facts.ts';
import { readPatchedImports } from './patch-changes.ts';
import { mapProduct } from './product/map-product.ts';

/** A repository as a test describes it. What is not said of the run is what an ordinary run would show. */
export interface SampleRepository extends Partial<Omit<BaseFacts, 'ecosystems' | 'runner'>> {
  readonly files: Readonly<Record<string, string>>;
  readonly links?: Readonly<Record<string, string>>;
  readonly runner: string;
  readonly ecosystem: Ecosystem | readonly Ecosystem[];
  readonly command?: string;
  /** Files that the run did not read; all others were. */
  readonly unread?: readonly string[];
}

/** A text: the new content; null: deleted; `link`: a link to there; `mode`: the executable bit. */
export type SamplePatch = Readonly<Record<string, string | null | { readonly link: string } | { readonly mode: true }>>;

export interface SampleOptions {
  readonly allow?: readonly string[];
  readonly protect?: readonly string[];
  readonly ignored?: readonly string[];
}

export async function decideSample(
  repository: SampleRepository,
  patch: SamplePatch,
  options: SampleOptions = {},
): Promise<readonly FileDecision[]> {
  const { base, facts, product } = await readBase(repository);
  const patched = (path: string): string | null => {
    const change = patch[path];
    return typeof change === 'string' ? change : null;
  };
  const changes = changesOf(patch, base);
  return classifyPatch({
    facts,
    base,
    product,
    changes,
    patched,
    patchedImports: await readPatchedImports(changes, patched, importsOf),
    options: {
      allowDeciding: options.allow ?? [],
      protectedFiles: options.protect ?? [],
      ignored: new Set(options.ignored),
    },
  });
}

interface ReadBase {
  readonly base: BaseTree;
  readonly facts: BaseFacts;
  readonly product: Awaited<ReturnType<typeof mapProduct>>;
}

const bases = new WeakMap<SampleRepository, Promise<ReadBase>>();

/** A repository that many tests change is parsed once. */
function readBase(repository: SampleRepository): Promise<ReadBase> {
  const read = bases.get(repository) ?? parseBase(repository);
  bases.set(repository, read);
  return read;
}

async function parseBase(repository: SampleRepository): Promise<ReadBase> {
  const base = treeOf(repository);
  const facts = factsOf(repository, base);
  return { base, facts, product: await mapProduct(base, facts, importsOf) };
}

/** Each changed path with its kind and reason, as `kind: reason`. */
export async function decisionsOf(
  ...asked: Parameters<typeof decideSample>
): Promise<Readonly<Record<string, string>>> {
  const decisions = await decideSample(...asked);
  return Object.fromEntries(decisions.map(({ path, kind, why }) => [path, `${kind}: ${why}`]));
}

export function treeOf({ files, links = {} }: SampleRepository): BaseTree {
  return {
    paths: [...Object.keys(files), ...Object.keys(links)],
    links: new Map(Object.entries(links)),
    read: (path) => files[path] ?? null,
  };
}

export function factsOf(repository: SampleRepository, base: BaseTree): BaseFacts {
  const { ecosystem, unread = [], command, files: _files, links: _links, ...given } = repository;
  const { starts, before, targets } =
    command === undefined ? { starts: [], before: [], targets: [] } : traceCommand(command, base);
  const documents = /\.(?:md|rst)$|^(?:LICENSE|docs\/|\.github\/)/;
  return {
    found_by: 'strace',
    ecosystems: typeof ecosystem === 'string' ? [ecosystem] : ecosystem,
    collected: [],
    failing: [],
    unloaded: [],
    doctested: given.runner === 'doctest' ? (given.collected ?? []).filter((path) => path.endsWith('.py')) : [],
    read:
      given.found_by === 'names' ? [] : base.paths.filter((path) => !unread.includes(path) && !documents.test(path)),
    looked_for: [],
    links_passed: [],
    dirs_listed: [],
    written: [],
    outside_modules: [],
    search_path: null,
    test_command: command ?? '',
    make_targets: targets,
    starts_runner: starts,
    before_runner: before,
    ...given,
  };
}

function changesOf(patch: SamplePatch, base: BaseTree): readonly PatchChange[] {
  return Object.entries(patch).map(([path, change]) => {
    const isObject = typeof change === 'object' && change !== null;
    const target = isObject && 'link' in change ? change.link : null;
    const isThere = base.paths.includes(path);
    const wasLink = base.links.has(path);
    if (change === null) return { path, kind: 'deleted', target };
    if (!isThere) return { path, kind: 'added', target };
    if (isObject && 'mode' in change) return { path, kind: 'mode', target };
    if (wasLink !== (target !== null)) return { path, kind: 'type', target };
    return { path, kind: wasLink ? 'link' : 'modified', target };
  });
}
