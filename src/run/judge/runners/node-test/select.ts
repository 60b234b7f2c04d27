import { escapePattern, partsOf, plainName } from '../shared/test-names.ts';

/**
 * Options that leave out what is not asked for. Node compares a pattern with the name of each test and suite alone, and
 * skips what is below one that does not match: so every name on the way to a test gets a pattern. More may run than was
 * asked for, never less.
 */
export function namePatterns(ids: readonly string[] | undefined): readonly string[] {
  const all = (ids ?? []).map(partsOf);
  // The id of a whole file: it did not load, and now may hold anything.
  if (all.some(({ names }) => names.length === 0)) return [];
  const names = new Set(all.flatMap((parts) => parts.names.flatMap((name) => [name, plainName(name)])));
  return Array.from(names, (name) => `--test-name-pattern=/^${escapePattern(name)}$/`);
}
