import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Confinement, Mount } from '../../confine/types.ts';
import { unpackTree } from '../../task/tree/unpack.ts';
import { laterEnvironment, PROVISION } from './environment.ts';
import { type EntryManifest, ENTRY } from './entry.ts';
import { isBelow } from './harvest.ts';
import type { SetupTools } from './tools.ts';

/** The products of a setup, as engine and judge use them. */
export interface Products {
  /** All read-only: dependency directories, caches, and the tools that made them. */
  readonly mounts: readonly Mount[];
  readonly env: Readonly<Record<string, string>>;
  /** Directories to prepend to PATH. */
  readonly searched: readonly string[];
  /** Dependency directories, relative to the tree, with their places on this machine. */
  readonly folders: ReadonlyMap<string, string>;
  /** All other new files, copied into every tree. */
  readonly files: readonly Buffer[];
  /** Holds those files. */
  readonly archive: string;
}

export function productsIn(dir: string, found: EntryManifest, tools: SetupTools, confinement: Confinement): Products {
  const ro = (source: string, target: string): Mount => ({ source, target, mode: 'ro' });
  const caches = join(dir, ENTRY.caches);
  const mounts = [
    ...tools.mounts,
    ...found.folders.map((folder) => ro(join(dir, ENTRY.tree, folder), `/workspace/${folder}`)),
    ...(existsSync(caches) ? [ro(caches, PROVISION)] : []),
  ];
  const environments = found.folders.filter((folder) => existsSync(join(dir, ENTRY.tree, folder, 'pyvenv.cfg')));
  return {
    mounts,
    env: laterEnvironment(confinement.pathInside(PROVISION, mounts), caches),
    searched: [...environments.map((folder) => `/workspace/${folder}/bin`), ...tools.folders],
    folders: new Map(found.folders.map((folder) => [folder, join(dir, ENTRY.tree, folder)])),
    files: found.files.map((path) => Buffer.from(path, 'latin1')),
    archive: join(dir, ENTRY.files),
  };
}

/** Copies the products into a tree, or makes the mount points for them. */
export function layProducts(products: Products, tree: string, confinement: Confinement): void {
  const { archive, folders, files } = products;
  if (files.length > 0) unpackTree(archive, tree);
  for (const [folder, source] of folders) {
    if (confinement.kind === 'none') {
      // Copying over files of a patch would leave some of them in place.
      rmSync(join(tree, folder), { recursive: true, force: true });
      cpSync(source, join(tree, folder), { recursive: true, verbatimSymlinks: true });
    } else {
      mkdirSync(join(tree, folder), { recursive: true });
    }
  }
}

/** The paths of all products in a tree; directories end in a slash. */
export function placesOf({ folders, files }: Products): Buffer[] {
  return [...[...folders.keys()].map((folder) => Buffer.from(`${folder}/`)), ...files];
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
  return (path) => files.has(path.toString('latin1')) || isBelow(path, [...(products?.folders.keys() ?? [])]);
}
