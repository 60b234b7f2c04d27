import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Confinement, Mount } from '../../confine/types.ts';
import { unpackTree } from '../../task/tree/unpack.ts';
import { laterEnvironment, PROVISION } from './environment.ts';
import { type EntryManifest, ENTRY } from './entry.ts';
import { isBelow } from './harvest.ts';
import type { SetupTools } from './tools.ts';
import { pathInside } from '../../confine/path-inside.ts';

/** The products of a setup, as engine and judge use them. */
export interface Products {
  /** All read-only: dependency directories, caches, and the tools that made them. */
  readonly mounts: readonly Mount[];
  readonly env: Readonly<Record<string, string>>;
  /** Directories to prepend to PATH. */
  readonly searched: readonly string[];
  /** Dependency directories, relative to the tree, with their places on this machine. */
  readonly dirs: ReadonlyMap<string, string>;
  /** All other new files, copied into every tree. */
  readonly files: readonly Buffer[];
  /** Makes those of them again that come from sources of the tree; null: there are none. */
  readonly rebuild: string | null;
  /** Holds those files. */
  readonly archive: string;
}

export function productsIn(
  dir: string,
  found: EntryManifest,
  tools: SetupTools,
  rebuild: string | null,
  confinement: Confinement,
): Products {
  const ro = (source: string, target: string): Mount => ({ source, target, mode: 'ro' });
  const caches = join(dir, ENTRY.caches);
  const mounts = [
    ...tools.mounts,
    ...found.folders.map((name) => ro(join(dir, ENTRY.tree, name), `/workspace/${name}`)),
    ...(existsSync(caches) ? [ro(caches, PROVISION)] : []),
  ];
  const environments = found.folders.filter((name) => existsSync(join(dir, ENTRY.tree, name, 'pyvenv.cfg')));
  return {
    mounts,
    env: laterEnvironment(pathInside(confinement, PROVISION, mounts), caches),
    searched: [...environments.map((name) => `/workspace/${name}/bin`), ...tools.dirs],
    dirs: new Map(found.folders.map((name) => [name, join(dir, ENTRY.tree, name)])),
    files: found.files.map((path) => Buffer.from(path, 'latin1')),
    archive: join(dir, ENTRY.files),
    rebuild,
  };
}

/** Copies the products into a tree, or makes the mount points for them. */
export function layProducts(products: Products, tree: string, confinement: Confinement): void {
  const { archive, dirs, files } = products;
  if (files.length > 0) unpackTree(archive, tree);
  for (const [dir, source] of dirs) {
    if (confinement.kind === 'none') {
      // Copying over files of a patch would leave some of them in place.
      rmSync(join(tree, dir), { recursive: true, force: true });
      cpSync(source, join(tree, dir), { recursive: true, verbatimSymlinks: true });
    } else {
      mkdirSync(join(tree, dir), { recursive: true });
    }
  }
}

/** Directories in which tools keep caches beside installed packages. */
const CACHES = ['.cache', '.vite', '.vitest'];
const HAS_CACHES = /(?:^|\/)node_modules$/;

/** Makes the mount points for caches: nothing can be made in what is mounted read-only. */
export function makeCachePlaces(dir: string): void {
  if (HAS_CACHES.test(dir)) for (const name of CACHES) mkdirSync(join(dir, name), { recursive: true });
}

/** Empty writable directories over the caches in dependency directories, for one command or one run. Their content is thrown away. */
export function openCaches({ dirs }: Products, dir: string, confinement: Confinement): Mount[] {
  if (confinement.kind === 'none') return [];
  const places = [...dirs]
    .filter(([name]) => HAS_CACHES.test(name))
    .flatMap(([holder, source]) =>
      CACHES.filter((name) => existsSync(join(source, name))).map((name) => `${holder}/${name}`),
    );
  return places.map((place, index) => {
    const own = join(dir, String(index));
    mkdirSync(own, { recursive: true });
    confinement.give(own);
    return { source: own, target: `/workspace/${place}`, mode: 'rw' };
  });
}

/** The paths of all products in a tree; directories end in a slash. */
export function placesOf({ dirs, files }: Products): Buffer[] {
  return [...[...dirs.keys()].map((dir) => Buffer.from(`${dir}/`)), ...files];
}

/** Hides these paths from the engine's git. */
export function excludeFromGit(paths: readonly Buffer[], gitDir: string): void {
  if (paths.length === 0) return;
  mkdirSync(join(gitDir, 'info'), { recursive: true });
  const lines = paths.map((path) => Buffer.concat([Buffer.from('/'), escapeIgnore(path), Buffer.from('\n')]));
  writeFileSync(join(gitDir, 'info', 'exclude'), Buffer.concat(lines));
}

function escapeIgnore(path: Buffer): Buffer {
  return Buffer.from(path.toString('latin1').replace(/[\\*?[\]! ]/g, '\\$&'), 'latin1');
}

/** Returns a test for whether a path belongs to the products. */
export function productPaths(products: Products | null): (path: Buffer) => boolean {
  const files = new Set(products?.files.map((path) => path.toString('latin1')));
  return (path) => files.has(path.toString('latin1')) || isBelow(path, [...(products?.dirs.keys() ?? [])]);
}
