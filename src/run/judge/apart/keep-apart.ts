import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { commonDir } from '../deciding/path-parts.ts';

/** Tests that were moved out of the tree they test. */
export interface TestsApart {
  /** The directory they were moved to, which the judge mounts. */
  readonly dir: string;
  /** Relative to `dir`. */
  readonly files: readonly string[];
  /** Converts a test id to its id in `dir`. */
  readonly toApart: (id: string) => string;
}

const TEST_DIR = /(?:^|\/)(?:tests?|__tests__|specs?)(?:\/|$)/;

/** The test directory that moves together with its test files; empty: the files are among other files, and move alone. */
export function movedDir(files: readonly string[]): string {
  const dir = commonDir(files);
  return TEST_DIR.test(dir) ? dir : '';
}

/**
 * Moves test files out of a tree, so that the code cannot see them. A test directory moves as a whole, with helpers and data; test
 * files among other files move alone.
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
  // The commit in .git contains the tests too.
  rmSync(join(workspace, '.git'), { recursive: true, force: true });
  const [path, module] = [dir === '' ? '' : `${dir}/`, dir === '' ? '' : `${dir.replaceAll('/', '.')}.`];
  return {
    dir: target,
    files: files.map((file) => within(file, path)),
    toApart: (id) => within(within(id, path), module),
  };
}

const within = (id: string, prefix: string): string => (id.startsWith(prefix) ? id.slice(prefix.length) : id);
