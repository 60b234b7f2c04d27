import { parentOf } from '../../deciding/path-parts.ts';
import type { TestFiles } from '../../must-fail/locate/site.ts';
import { shellQuoted } from '../../sandbox/login-session.ts';
import type { ApartForm, PlainTest } from './form.ts';
import { OWN_NAME, programForm, RESULTS_FILE, tokenOf, PROGRAM_DIR } from './program.ts';

const HEADER = /^[ \t]*@test[ \t]+(["'])(.*)\1[ \t]*\{[ \t]*$/gm;

/** Bats tests as functions of a shell script, each run by its own shell. Null: one of them is not written in the usual form. */
export function batsForm(tests: readonly PlainTest[], files: TestFiles): ApartForm | null {
  const replace = new Map<string, string>();
  const start: string[] = [];
  const build: string[] = [];
  for (const [at, { id, file }] of tests.entries()) {
    const wanted = id.slice(id.indexOf('::') + 2);
    const text = files.read(file) ?? '';
    if (![...text.matchAll(HEADER)].some(([, , name]) => name === wanted)) return null;
    const functions = text.replaceAll(HEADER, (_all, _quote, name: string) =>
      name === wanted ? `${OWN_NAME}() {` : `${OWN_NAME}_other() {`,
    );
    const own = `${OWN_NAME}-${at}`;
    replace.set(own, `${prelude(file)}${functions}\n${EPILOGUE}`);
    build.push(`mv ${own} ${PROGRAM_DIR}/${own}`);
    // A failing command ends the script, as it ends a test, but only outside a condition.
    start.push(
      `bash ${PROGRAM_DIR}/${own}; case $? in 0) echo '${tokenOf(at)} ok';; 77) ;; *) echo '${tokenOf(at)} not';; esac >> ${RESULTS_FILE}`,
    );
  }
  return programForm({ tests, replace, remove: [], build, unneeded: [], start });
}

/** What tests may use from bats. Its variables are not passed to the programs that tests start. */
const prelude = (file: string): string => `set -eET
BATS_TEST_FILENAME="$PWD"/${shellQuoted(file)}
BATS_TEST_DIRNAME="$PWD"/${shellQuoted(parentOf(file) || '.')}
BATS_TEST_TMPDIR=$(mktemp -d)
BATS_TMPDIR=$BATS_TEST_TMPDIR
BATS_FILE_TMPDIR=$BATS_TEST_TMPDIR
skip() { exit 77; }
load() {
  local from=$1
  case $from in /*) ;; *) from=$BATS_TEST_DIRNAME/$from ;; esac
  if [ -f "$from.bash" ]; then from=$from.bash; fi
  source "$from"
}
run() {
  local wanted=
  while :; do
    case \${1-} in
      '!') wanted=fail; shift ;;
      -[0-9]*) wanted=\${1#-}; shift ;;
      --) shift; break ;;
      --*) exit 77 ;;
      *) break ;;
    esac
  done
  set +eE
  "$@" > "$BATS_TEST_TMPDIR/output" 2>&1
  status=$?
  set -eE
  output=$(cat "$BATS_TEST_TMPDIR/output")
  lines=()
  if [ -n "$output" ]; then while IFS= read -r line; do lines+=("$line"); done <<< "$output"; fi
  case $wanted in '') ;; fail) [ "$status" -ne 0 ] ;; *) [ "$status" -eq "$wanted" ] ;; esac
}
`;
const EPILOGUE = `if declare -F setup_file > /dev/null; then setup_file; fi
if declare -F setup > /dev/null; then setup; fi
${OWN_NAME}
`;
