import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { commonDir } from '../deciding/path-parts.ts';

/** Tests that are kept apart from the tree that they test. */
export interface TestsApart {
  /** A directory of their own, for the judge to show. */
  readonly dir: string;
  /** From there. */
  readonly files: readonly string[];
  /** The id of a test there. */
  readonly toApart: (id: string) => string;
}

const OF_TESTS = /(?:^|\/)(?:tests?|__tests__|specs?)(?:\/|$)/;

/** The directory that goes with test files; empty: they lie among other files, and go alone. */
export function movedDir(files: readonly string[]): string {
  const dir = commonDir(files);
  return OF_TESTS.test(dir) ? dir : '';
}

/**
 * Moves test files out of a tree. A directory of tests goes as a whole, with helpers and data; from among other files only the files
 * themselves do. Nothing of the tests stays where the code can see it.
 */
export function keepApart(workspace: string, files: readonly string[], target: string): TestsApart {
  const dir = movedDir(files);
  mkdirSync(target, { recursive: true });
  const moved = dir === '' ? files.map((file) => [file, file] as const) : [[dir, ''] as const];
  for (const [from, to] of moved) {
    mkdirSync(dirname(join(target, to)), { recursive: true });
    cpSync(join(workspace, from), join(target, to), { recursive: true, verbatimSymlinks: true });
    rmSync(join(workspace, from), { recursive: true });
  }
  // The commit in it holds the tests too.
  rmSync(join(workspace, '.git'), { recursive: true, force: true });
  const [path, module] = [dir === '' ? '' : `${dir}/`, dir === '' ? '' : `${dir.replaceAll('/', '.')}.`];
  return {
    dir: target,
    files: files.map((file) => within(file, path)),
    toApart: (id) => within(within(id, path), module),
  };
}

const within = (id: string, prefix: string): string => (id.startsWith(prefix) ? id.slice(prefix.length) : id);
