import { isRecord, parseToml, valueAt } from '../manifest-text.ts';
import { liesBelow, joinPaths, nameOf, parentOf, pathWithin, stemOf } from '../path-parts.ts';
import { isInstalled, packageDirs, packageOf } from './packages.ts';
import { doubtfulRole, productRole, type Role, supportRole, VENDORED } from './role.ts';
import type { Sources } from './sources.ts';

interface Crate {
  readonly dir: string;
  readonly isPublished: boolean;
  /** Paths of `[lib]` and `[[bin]]` outside `src`. */
  readonly targets: readonly string[];
  readonly dependencies: readonly string[];
  readonly devDependencies: readonly string[];
}

/** `src` of every crate without the modules that are compiled for tests only. */
export async function rustRoles(sources: Sources): Promise<Map<string, Role>> {
  const crates = packageDirs(sources, ['Cargo.toml']).flatMap((dir) => readCrate(sources, dir) ?? []);
  const dirs = crates.map(({ dir }) => dir);
  const roles = new Map<string, Role>();
  for (const path of sources.tree.paths) {
    if (sources.ecosystem(path) !== 'rust') continue;
    const crate = crates.find(({ dir }) => dir === packageOf(path, dirs));
    if (isInstalled(path)) roles.set(path, VENDORED);
    else if (crate !== undefined && isCrateSource(path, crate)) roles.set(path, crateRole(crate, crates));
  }
  for (const path of await testModules(sources, [...roles.keys()]))
    roles.set(path, supportRole('compiled for tests only'));
  return roles;
}

function readCrate(sources: Sources, dir: string): Crate | null {
  const manifest = parseToml(sources.text(joinPaths(dir, 'Cargo.toml') ?? ''));
  if (!isRecord(valueAt(manifest, ['package']))) return null;
  const bins = valueAt(manifest, ['bin']);
  const targets = [
    valueAt(manifest, ['lib', 'path']),
    ...(Array.isArray(bins) ? bins.map((bin: unknown) => valueAt(bin, ['path'])) : []),
  ];
  const pathsOf = (table: string): readonly string[] => {
    const entries = valueAt(manifest, [table]);
    const values: readonly unknown[] = isRecord(entries) ? Object.values(entries) : [];
    return texts(values.map((value) => valueAt(value, ['path']))).flatMap((path) => joinPaths(dir, path) ?? []);
  };
  return {
    dir,
    isPublished: valueAt(manifest, ['package', 'publish']) !== false,
    targets: texts(targets).flatMap((path) => joinPaths(dir, path) ?? []),
    dependencies: [...pathsOf('dependencies'), ...pathsOf('build-dependencies')],
    devDependencies: pathsOf('dev-dependencies'),
  };
}

const texts = (values: readonly unknown[]): readonly string[] => values.filter((value) => typeof value === 'string');

function isCrateSource(path: string, { dir, targets }: Crate): boolean {
  const within = pathWithin(path, dir);
  if (within === null) return false;
  return (
    within.startsWith('src/') ||
    targets.some(
      (target) => path === target || liesBelow(path, parentOf(target) === dir ? `${target}/` : parentOf(target)),
    )
  );
}

/** A crate that others of the tree use for their tests alone is test support, or, if it is published, perhaps a product. */
function crateRole({ dir, isPublished }: Crate, crates: readonly Crate[]): Role {
  const usedBy = (among: 'dependencies' | 'devDependencies'): boolean =>
    crates.some((crate) => crate[among].includes(dir));
  if (dir === '' || !usedBy('devDependencies') || usedBy('dependencies')) return productRole(true);
  return isPublished ? doubtfulRole('dev_only_package') : supportRole('a crate for tests only');
}

const BEFORE_MODULE = /#\[\s*cfg\s*\(([^\]]*)\)\s*\]\s*(?:(?:#\[[^\]]*\]|\/\/[^\n]*|\/\*[^]*?\*\/)\s*)*$/;

/** Files of `#[cfg(test)] mod x;`, with everything below them, and files that begin with `#![cfg(test)]`. */
async function testModules(sources: Sources, paths: readonly string[]): Promise<ReadonlySet<string>> {
  const found = new Set(
    paths.filter((path) =>
      /^\s*(?:\/\/[^\n]*\n\s*)*#!\[\s*cfg\s*\(\s*(?:test|all\s*\(\s*test)/.test(sources.text(path)),
    ),
  );
  for (const path of paths) {
    const text = sources.text(path);
    if (!text.includes('cfg') || !text.includes('test')) continue;
    for (const { kind, specifier, start } of await sources.imports(path)) {
      if (kind !== 'mod' && kind !== 'file') continue;
      const condition = BEFORE_MODULE.exec(text.slice(Math.max(0, start - 400), start))?.[1] ?? '';
      if (!/\btest\b/.test(condition) || /\bnot\s*\(\s*test/.test(condition)) continue;
      for (const file of rustModuleFiles(path, kind, specifier)) {
        const below = `${file.replace(/(?:\/mod)?\.rs$/, '')}/`;
        for (const one of paths) if (one === file || one.startsWith(below)) found.add(one);
      }
    }
  }
  return found;
}

/** Where the source of `mod x;` may be. */
export function rustModuleFiles(from: string, kind: string, specifier: string): readonly string[] {
  const dir = parentOf(from);
  if (kind === 'file') return [joinPaths(dir, specifier)].filter((path) => path !== null);
  const isRoot =
    ['mod.rs', 'lib.rs', 'main.rs'].includes(nameOf(from)) || /(?:^|\/)(?:tests|benches|examples|bin)$/.test(dir);
  const base = isRoot ? dir : joinPaths(dir, stemOf(from));
  const module = joinPaths(base ?? dir, specifier.replaceAll('::', '/').replaceAll('r#', ''));
  return module === null ? [] : [`${module}.rs`, `${module}/mod.rs`];
}
