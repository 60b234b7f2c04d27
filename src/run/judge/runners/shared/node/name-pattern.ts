import { escapePattern, partsOf, plainName } from '../test-names.ts';

/**
 * A regular expression for the full names of tests as vitest and jest compare them: suites and name with a blank between.
 * Null: one of the ids is a whole file, all of which is wanted.
 */
export function fullNamePattern(ids: readonly string[]): string | null {
  const all = ids.map(partsOf);
  if (all.some(({ names }) => names.length === 0)) return null;
  const patterns = all.map(({ names }) => spellings(names).map((one) => one.map(escapePattern).join('(?: | > )')));
  return `^(?:${[...new Set(patterns.flat())].join('|')})$`;
}

/** `|project| ` stands before the file where a runner has several configurations. */
export function fileOfProject(id: string): string {
  return partsOf(id).file.replace(/^\|[^|]*\| /, '');
}

/** The second test of a name is called `name (2)`. */
function spellings(names: readonly string[]): readonly (readonly string[])[] {
  const plain = plainName(names.at(-1) ?? '');
  return plain === names.at(-1) ? [names] : [names, [...names.slice(0, -1), plain]];
}
