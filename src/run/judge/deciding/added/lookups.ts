import type { BaseContext } from '../context.ts';
import { ecosystemOf } from '../languages.ts';
import { enclosingDirs, liesBelow, nameOf, stemOf } from '../path-parts.ts';
import { HEADERS } from '../table/outside-names.ts';
import { isDocument } from '../table/table.ts';
import { inTestDir, isSupportName, isTestName } from '../test-names.ts';
import type { AddedContext } from './context.ts';
import { isProductModule } from './siblings.ts';

/** Whether the base's run looked for a new file, or for a directory above it, in a way that makes the new file suspicious. */
export function wasLookedFor(path: string, context: AddedContext): boolean {
  const { base, names } = context;
  const exact = base.lookedFor.has(path);
  const above = enclosingDirs(path).some((dir) => base.lookedFor.has(dir) && !base.index.dirs.has(dir));
  if (!exact && !above) return false;
  if (isSnapshot(path) || isProductModule(path, names, base) || isNamedByFailingTest(path, context)) return false;
  // Cargo looks for a readme and for targets of every kind in every crate.
  if (base.uses('rust') && isCargoGuess(path, base)) return false;
  return exact || !(inTestDir(path) || isDocument(path) || isPlainSource(path, context));
}

/** Compilers look for source directories that do not exist yet; files in such a directory were not looked for one by one. */
function isPlainSource(path: string, { text }: AddedContext): boolean {
  const ecosystem = ecosystemOf(path, text);
  return (ecosystem === 'c' && !HEADERS.has(stemOf(path))) || ecosystem === 'java' || ecosystem === 'go';
}

/** Runners look for the snapshots of every test file. */
function isSnapshot(path: string): boolean {
  return (
    path.endsWith('.snap') ||
    enclosingDirs(path).some((dir) => /^(?:__snapshots__|__image_snapshots__|snapshots)$/.test(nameOf(dir)))
  );
}

function isCargoGuess(path: string, { index }: BaseContext): boolean {
  const crate = enclosingDirs(path).find((dir) => index.files.has(`${dir}/Cargo.toml`)) ?? '';
  const within = crate === '' ? path : path.slice(crate.length + 1);
  return (
    /^(?:README|LICENSE)(?:[.-]\w+)*$/i.test(within) ||
    /^(?:examples|benches)\//.test(within) ||
    (/^(?:src|tests)\//.test(within) && path.endsWith('.rs'))
  );
}

/** A program that a failing test of the base starts: the test was written before it. */
function isNamedByFailingTest(path: string, { base, text }: AddedContext): boolean {
  if (ecosystemOf(path, text) === null || isTestName(path) || inTestDir(path) || isSupportName(path)) return false;
  const name = nameOf(path);
  const lines = base.facts.failing.flatMap((test) => (base.base.read(test) ?? '').split('\n'));
  // A test that checks whether the file exists uses it as a flag, not as a program.
  return lines.some((line) => line.includes(name) && !/exists|is_?file|access|stat|skip/i.test(line));
}

/** The base file that imports a new file; null: none. Tests do not bring their own support. */
export function awaitedBy(path: string, { product }: BaseContext): string | null {
  if (inTestDir(path) || isTestName(path)) return null;
  const exact = product.awaited.get(path);
  if (exact !== undefined) return exact;
  for (const [wanted, from] of product.awaited) {
    if (wanted.endsWith('/') && liesBelow(path, wanted.slice(0, -1))) return from;
    if (wanted.startsWith('*/') && (path === wanted.slice(2) || path.endsWith(wanted.slice(1)))) return from;
  }
  return null;
}
