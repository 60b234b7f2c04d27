import { createHmac, randomBytes, randomInt } from 'node:crypto';
import { IS_MACHINE } from '../../sandbox/used-machine.ts';
import { someWord } from '../../sandbox/random-words.ts';
import { shellQuoted, startedByHand } from '../../sandbox/login-session.ts';
import type { ApartForm, PlainTest } from './form.ts';

/**
 * A random name that does not mention tests and that no file of the tree has. Drawn anew in each process, so that code cannot recognise
 * it.
 */
export const OWN_NAME = `z${randomBytes(6).toString('hex')}`;

/** Where a program writes its results: for each function that ran to its end, a line `<token> ok` or `<token> not`. */
export const RESULTS_FILE = `/tmp/${OWN_NAME}.out`;

const DIR_VARIABLE = `${someWord()}_ROOT`.toUpperCase();
/** The directory of the programs, for the shell: not one that compilers use for temporary programs. */
export const PROGRAM_DIR = `"$${DIR_VARIABLE}"`;
const MAKE_PROGRAM_DIR = `if ${IS_MACHINE}; then ${DIR_VARIABLE}=/home/${someWord()}/.local/${someWord()}; else ${DIR_VARIABLE}=/tmp/${OWN_NAME}-programs; fi; export ${DIR_VARIABLE}; mkdir -p ${PROGRAM_DIR}`;

const KEY = randomBytes(32);

/**
 * Identifies a test in the results. It cannot be guessed from other tests' lines, so code that ends its test cannot write the line
 * itself.
 */
export const tokenOf = (at: number | string): string =>
  createHmac('sha256', KEY).update(String(at)).digest('hex').slice(0, 24);

interface ProgramParts {
  readonly tests: readonly PlainTest[];
  readonly replace: ReadonlyMap<string, string>;
  readonly remove: readonly string[];
  /** Shell lines that build the program. */
  readonly build: readonly string[];
  /** Directories and files that only the build needs. */
  readonly unneeded: readonly string[];
  /** Shell lines that start it. */
  readonly start: readonly string[];
  /** The build directory is gone when the program runs, as for users who only have the program. */
  readonly leavesItsPlace?: boolean;
  /** Runs for up to two seconds; false: only twice. */
  readonly often?: boolean;
}

const [BUILT_IN, RUN_IN] = [`${OWN_NAME}-built`, `${OWN_NAME}-run`];

/** Moves the tree into a new directory that can be renamed, unless something is mounted in the tree. */
const MOVE_IN = `if ! grep -qF " $PWD/" /proc/mounts; then
mkdir ${BUILT_IN}
for one in * .[!.]*; do
if [ "$one" != ${BUILT_IN} ] && { [ -e "$one" ] || [ -L "$one" ]; }; then mv "$one" ${BUILT_IN}/ || exit 1; fi
done
cd ${BUILT_IN}
fi`;
const MOVE_ON = `case $PWD in */${BUILT_IN}) cd .. && mv ${BUILT_IN} ${RUN_IN} && cd ${RUN_IN} || exit 1;; esac`;

/** People start programs that were built days or months ago. */
const LOOK_OLD = `find ${PROGRAM_DIR} -exec touch -d @$(($(date +%s) - ${randomInt(10, 300)} * 86400)) {} +`;

const KEPT_RESULTS = `${RESULTS_FILE}.kept`;

const OFTEN =
  '[ $n -lt 2 ] || { [ $n -lt 6 ] && [ "$(date +%s)" -lt $((began+6)) ]; } || { [ $n -lt 40 ] && [ "$(date +%s)" -lt $((began+2)) ]; }';

/** Runs a program several times in one place, as people do. What earlier runs left on the disk is there; only the last run counts. */
const runRepeatedly = (
  line: string,
  often: boolean,
): string => `touch ${RESULTS_FILE}; cp ${RESULTS_FILE} ${KEPT_RESULTS}
n=0; began=$(date +%s)
while ${often ? OFTEN : '[ $n -lt 2 ]'}; do
n=$((n+1)); cp ${KEPT_RESULTS} ${RESULTS_FILE}; ( ${line} )
done`;

/**
 * Tests as functions of an ordinary program: no runner, and none of a runner's arguments, variables or descriptors. The script around
 * the program reports the results.
 */
export function programForm(parts: ProgramParts): ApartForm {
  const { tests, replace, remove, build, unneeded, start, leavesItsPlace = false, often = true } = parts;
  const cases = tests.flatMap(({ id }, at) => [
    `"${tokenOf(at)} ok") ok ${shellQuoted(id)};;`,
    `"${tokenOf(at)} not") not_ok ${shellQuoted(id)};;`,
  ]);
  const lines = [
    `${MAKE_PROGRAM_DIR} || exit 1`,
    ...(leavesItsPlace ? [MOVE_IN] : []),
    ...build.map((line) => `${line} || exit 1`),
    LOOK_OLD,
    `rm -rf ${['.git', ...unneeded].map(shellQuoted).join(' ')}`,
    ...(leavesItsPlace ? [MOVE_ON] : []),
    ...start.map((line) => `( ${startedByHand(runRepeatedly(line, often))} ) 3>&- 4>&- </dev/null >/dev/null 2>&1`),
    `while IFS= read -r line; do case $line in ${cases.join(' ')} esac; done < ${RESULTS_FILE}`,
    'exit 0',
  ];
  return { command: lines.join('\n'), plain: true, replace, remove, nameOf: (id) => id };
}
