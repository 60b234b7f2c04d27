import { lstatSync } from 'node:fs';

/** Whether two paths are names of one file now, whose contents are then the same. */
export function areOneFile(one: Buffer, other: Buffer): boolean {
  const [a, b] = [one, other].map((path) => lstatSync(path, { bigint: true, throwIfNoEntry: false }));
  return a !== undefined && b !== undefined && a.isFile() && a.ino === b.ino && a.dev === b.dev;
}
