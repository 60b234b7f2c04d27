import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A project's files. `read` returns a file's text, or null if it does not exist. */
export interface Readers {
  /** Paths of all files, separated by `/`. */
  readonly paths: readonly string[];
  readonly read: (path: string) => string | null;
}

/** Reads only the regular files of a project; links are ignored, because they may lead out of it. */
export function projectFiles(root: string): Readers {
  let paths: readonly string[] | null = null;
  return {
    get paths() {
      paths ??= readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) => isFile(join(root, path)));
      return paths;
    },
    read: (path) => readPlain(root, path)?.toString('utf8') ?? null,
  };
}

/** Null: missing, not a regular file, or reached through a link. */
export function readPlain(root: string, path: string): Buffer | null {
  const parents = path.split('/').slice(0, -1);
  if (parents.some((_, depth) => !isDir(join(root, ...parents.slice(0, depth + 1))))) return null;
  let file: number;
  try {
    file = openSync(join(root, path), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return null;
  }
  try {
    return fstatSync(file).isFile() ? readFileSync(file) : null;
  } finally {
    closeSync(file);
  }
}

const isFile = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
const isDir = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
