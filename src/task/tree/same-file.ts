import { type BigIntStats, lstatSync } from 'node:fs';
import { systemCode } from '../../kernel/errors.ts';

/** Whether two paths are names of one file now, whose contents are then the same. */
export function areOneFile(one: Buffer, other: Buffer): boolean {
  const [a, b] = [one, other].map(statOf);
  return a !== undefined && b !== undefined && a.isFile() && a.ino === b.ino && a.dev === b.dev;
}

/** Undefined: nothing is there. Where a directory became a file, paths below it lead nowhere either. */
function statOf(path: Buffer): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    if (systemCode(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}
