import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Every executable file of that name, in PATH order. Relative PATH entries are skipped. */
export function findPrograms(name: string, path: string): string[] {
  const dirs = [...new Set(path.split(delimiter).filter((dir) => dir.startsWith('/')))];
  return dirs.map((dir) => join(dir, name)).filter(isExecutableFile);
}

export function findProgram(name: string, path: string): string | null {
  return findPrograms(name, path)[0] ?? null;
}

function isExecutableFile(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
