import { createHmac, randomBytes } from 'node:crypto';
import { IS_MACHINE } from '../../sandbox/lived-in.ts';
import { someWord } from '../../sandbox/random-words.ts';
import { shellQuoted, startedByHand } from '../../sandbox/started-by-hand.ts';
import type { ApartForm, PlainTest } from './form.ts';

/**
 * A name that no file of a tree has by chance, and that says nothing of tests. Another one in each process: code that knew it would behave
 * where it sees it.
 */
export const OWN_NAME = `z${randomBytes(6).toString('hex')}`;

/** Where a program writes what came of its functions: a line for each that has run to its end, `<token> ok` or `<token> not`. */
export const RESULTS_FILE = `/tmp/${OWN_NAME}.out`;

const DIR_VARIABLE = `${someWord()}_ROOT`.toUpperCase();
/** Where programs lie, for the shell: not where compilers put what they only try. */
export const PROGRAM_DIR = `"$${DIR_VARIABLE}"`;
const MAKE_PROGRAM_DIR = `if ${IS_MACHINE}; then ${DIR_VARIABLE}=/home/${someWord()}/.local/${someWord()}; else ${DIR_VARIABLE}=/tmp/${OWN_NAME}-programs; fi; export ${DIR_VARIABLE}; mkdir -p ${PROGRAM_DIR}`;

const KEY = randomBytes(32);

/** Stands for a test in the results. Not to be guessed from the lines of other tests: code that ends its test cannot write the line itself. */
export const tokenOf = (at: number | string): string =>
  createHmac('sha256', KEY).update(String(at)).digest('hex').slice(0, 24);

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
  /** The place where it was built is gone when it runs, as for those who only have the program. */
  readonly leavesItsPlace?: boolean;
}

const [BUILT_IN, RUN_IN] = [`${OWN_NAME}-built`, `${OWN_NAME}-run`];

/** Into a directory of its own, which can be renamed. Where something is mounted in the tree, it stays as it is. */
const MOVE_IN = `if ! grep -qF " $PWD/" /proc/mounts; then
mkdir ${BUILT_IN}
for one in * .[!.]*; do
if [ "$one" != ${BUILT_IN} ] && { [ -e "$one" ] || [ -L "$one" ]; }; then mv "$one" ${BUILT_IN}/ || exit 1; fi
done
cd ${BUILT_IN}
fi`;
const MOVE_ON = `case $PWD in */${BUILT_IN}) cd .. && mv ${BUILT_IN} ${RUN_IN} && cd ${RUN_IN} || exit 1;; esac`;

/**
 * Tests as functions of an ordinary program: no runner, no arguments, no variables or descriptors of one. The script around it says
 * what came of them.
 */
export function programForm(parts: ProgramParts): ApartForm {
  const { tests, replace, remove, build, unneeded, start, leavesItsPlace = false } = parts;
  const cases = tests.flatMap(({ id }, at) => [
    `"${tokenOf(at)} ok") ok ${shellQuoted(id)};;`,
    `"${tokenOf(at)} not") not_ok ${shellQuoted(id)};;`,
  ]);
  const lines = [
    `${MAKE_PROGRAM_DIR} || exit 1`,
    ...(leavesItsPlace ? [MOVE_IN] : []),
    ...build.map((line) => `${line} || exit 1`),
    `rm -rf ${['.git', ...unneeded].map(shellQuoted).join(' ')}`,
    ...(leavesItsPlace ? [MOVE_ON] : []),
    ...start.map((line) => `( ${startedByHand(line)} ) 3>&- 4>&- </dev/null >/dev/null 2>&1`),
    `while IFS= read -r line; do case $line in ${cases.join(' ')} esac; done < ${RESULTS_FILE}`,
    'exit 0',
  ];
  return { command: lines.join('\n'), plain: true, replace, remove, nameOf: (id) => id };
}
