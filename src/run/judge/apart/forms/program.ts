import type { ApartForm, PlainTest } from './form.ts';

/** A name that no file of a tree has by chance, and that says nothing of tests. */
export const OWN_NAME = 'zq7main';
/** Where a program writes what came of its functions: a line for each, by its number. */
const RESULTS = `/tmp/${OWN_NAME}.out`;

/** A line for each function that has run to its end: `1 ok`, `2 not`. */
export const RESULTS_FILE = RESULTS;

interface ProgramParts {
  readonly tests: readonly PlainTest[];
  readonly replace: ReadonlyMap<string, string>;
  readonly remove: readonly string[];
  /** Shell lines that make the program. */
  readonly build: readonly string[];
  /** Directories and files that only building needs. */
  readonly unneeded: readonly string[];
  /** Shell lines that start it. */
  readonly start: readonly string[];
}

/**
 * Tests as functions of an ordinary program: no runner, no arguments, no variables or descriptors of one. The script around it says
 * what came of them.
 */
export function programForm({ tests, replace, remove, build, unneeded, start }: ProgramParts): ApartForm {
  const cases = tests.flatMap(({ id }, at) => [
    `"${at} ok") ok ${shellQuoted(id)};;`,
    `"${at} not") not_ok ${shellQuoted(id)};;`,
  ]);
  const lines = [
    ...build.map((line) => `${line} || exit 1`),
    `rm -rf ${['.git', ...unneeded].map(shellQuoted).join(' ')}`,
    ...start.map((line) => `( ${line} ) 3>&- 4>&- </dev/null >/dev/null 2>&1`),
    `while IFS= read -r line; do case $line in ${cases.join(' ')} esac; done < ${RESULTS}`,
    'exit 0',
  ];
  return { command: lines.join('\n'), plain: true, replace, remove, nameOf: (id) => id };
}

export const shellQuoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
