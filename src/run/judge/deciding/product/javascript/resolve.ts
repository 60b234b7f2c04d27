import { stringsIn } from '../../manifest-text.ts';
import { joinPaths, parentOf } from '../../path-parts.ts';
import type { JavaScriptPackage } from './package.ts';
import { packageOf } from '../packages.ts';

export const MODULE_EXTENSIONS = [
  'ts',
  'tsx',
  'mts',
  'cts',
  'js',
  'mjs',
  'cjs',
  'jsx',
  'd.ts',
  'd.mts',
  'json',
  'vue',
  'svelte',
  'node',
];
/** TypeScript writes the name of the output and means the source. */
const SOURCE_OF: Readonly<Record<string, readonly string[]>> = {
  js: ['ts', 'tsx', 'jsx'],
  mjs: ['mts'],
  cjs: ['cts'],
  jsx: ['tsx'],
};

/** Every path that a module name without links or packages can stand for. */
function candidatesFor(path: string): readonly string[] {
  const ending = /\.([cm]?jsx?)$/.exec(path)?.[1] ?? '';
  const swapped = (SOURCE_OF[ending] ?? []).map((other) => `${path.slice(0, -ending.length)}${other}`);
  return [
    path,
    ...swapped,
    ...MODULE_EXTENSIONS.map((extension) => `${path}.${extension}`),
    ...MODULE_EXTENSIONS.map((extension) => `${path}/index.${extension}`),
  ];
}

export function filesNamed(path: string, files: ReadonlySet<string>): readonly string[] {
  return candidatesFor(path).filter((candidate) => files.has(candidate));
}

export interface JavaScriptTree {
  readonly files: ReadonlySet<string>;
  /** The deepest directory first. */
  readonly packages: readonly JavaScriptPackage[];
  readonly entriesOf: (one: JavaScriptPackage) => readonly string[];
}

export interface ResolvedImport {
  readonly found: readonly string[];
  /** Where it would be looked for; empty for packages from outside. */
  readonly candidates: readonly string[];
}

const OUTSIDE: ResolvedImport = { found: [], candidates: [] };

export function resolveJavaScript(from: string, written: string, tree: JavaScriptTree): ResolvedImport {
  const specifier = written.replace(/[?#](?!\/).*$/, (tail) => (written.startsWith('#') ? tail : ''));
  const dirs = tree.packages.map((one) => one.dir);
  const own = tree.packages.find((one) => one.dir === packageOf(from, dirs)) ?? null;
  if (/^\.\.?(?:\/|$)/.test(specifier)) return look([joinPaths(parentOf(from), specifier)], tree);
  if (specifier.startsWith('/')) return look([joinPaths(own?.dir ?? '', specifier)], tree);
  if (own !== null && specifier.startsWith('#')) return look(targetsOf(own.imports, specifier, own.dir), tree);
  const aliased = own === null ? [] : aliasTargets(own, specifier);
  const throughAlias = look(aliased, tree);
  if (throughAlias.found.length > 0) return throughAlias;
  const owner = tree.packages.find(
    ({ name }) => name !== null && (specifier === name || specifier.startsWith(`${name}/`)),
  );
  if (owner !== undefined) return inPackage(owner, specifier, tree);
  return aliased.length > 0 ? throughAlias : OUTSIDE;
}

function look(paths: readonly (string | null)[], { files }: JavaScriptTree): ResolvedImport {
  const candidates = paths.flatMap((path) => (path === null ? [] : candidatesFor(path)));
  return { found: candidates.filter((candidate) => files.has(candidate)), candidates };
}

/** The package of the tree that is meant by its name: all its entries, or what it has under the rest of the name. */
function inPackage(owner: JavaScriptPackage, specifier: string, tree: JavaScriptTree): ResolvedImport {
  const rest = specifier.slice((owner.name ?? '').length + 1);
  const entries = tree.entriesOf(owner);
  if (rest === '') return { found: entries, candidates: [] };
  const exported = look(
    [
      ...targetsOf(owner.exports, `./${rest}`, owner.dir),
      joinPaths(owner.dir, rest),
      joinPaths(owner.dir, `src/${rest}`),
    ],
    tree,
  );
  return exported.found.length > 0 ? exported : { found: entries, candidates: [] };
}

/** `imports` and `exports` of a manifest: exact keys, and patterns with one `*`. */
function targetsOf(table: unknown, key: string, dir: string): readonly (string | null)[] {
  if (typeof table !== 'object' || table === null) return [];
  return Object.entries(table).flatMap(([pattern, value]) => {
    const [prefix = '', suffix] = pattern.split('*');
    const exact = suffix === undefined && pattern === key;
    const fits =
      suffix !== undefined &&
      key.startsWith(prefix) &&
      key.endsWith(suffix) &&
      key.length > prefix.length + suffix.length - 1;
    if (!exact && !fits) return [];
    const middle = fits ? key.slice(prefix.length, key.length - suffix.length) : '';
    return stringsIn(value).map((target) =>
      joinPaths(
        dir,
        target.replaceAll('*', () => middle),
      ),
    );
  });
}

function aliasTargets({ aliases, baseUrl, dir }: JavaScriptPackage, specifier: string): readonly (string | null)[] {
  const named = aliases.flatMap(({ prefix, suffix, targets }) => {
    if (suffix === '\0') return specifier === prefix ? targets : [];
    if (!specifier.startsWith(prefix) || !specifier.endsWith(suffix)) return [];
    const middle = specifier.slice(prefix.length, specifier.length - suffix.length);
    return targets.map((target) => target.replace('*', () => middle));
  });
  // Bundlers have aliases of their own, in configuration that is code; these two are customary.
  const rest = /^[@~]\/(.*)/.exec(specifier)?.[1];
  const customary = rest === undefined ? [] : [joinPaths(dir, `src/${rest}`), joinPaths(dir, rest)];
  return [...named, ...customary, ...(baseUrl === null ? [] : [joinPaths(baseUrl, specifier)])];
}
