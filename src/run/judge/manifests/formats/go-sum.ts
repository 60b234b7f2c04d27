import { type Table, textOf, type Value } from '../value.ts';
import { type Format, type Reading } from './format.ts';

/** From `module version` to its hash. */
export const goSum: Format = { read: readGoSum, write: writeGoSum };

/** Larger ones are no project's. */
const MAX_LENGTH = 16 * 1024 * 1024;

function readGoSum(text: string): Reading {
  if (text.length > MAX_LENGTH) return { fault: `is larger than ${MAX_LENGTH} characters` };
  const hashes = new Map<string, Value>();
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue;
    const [path, version, hash, more] = line.trim().split(/\s+/);
    if (path === undefined || version === undefined || hash === undefined || more !== undefined) {
      return { fault: `line ${index + 1} is no line of a go.sum file` };
    }
    const key = `${path} ${version}`;
    if (hashes.has(key) && hashes.get(key) !== hash) return { fault: `has two hashes of ${key}` };
    hashes.set(key, hash);
  }
  return { table: hashes };
}

function writeGoSum(table: Table): string {
  return [...table].map(([key, hash]) => `${key} ${textOf(hash)}\n`).join('');
}
