import { anyWithCode } from '../../../../engines/self-test.ts';
import type { Forger } from '../forger.ts';
import { C_SAMPLE } from './comparisons/taken-names.ts';
import { BESIDE_TESTS_ONLY, decidesChanged, edited, forge, type ForgedFiles } from './forge.ts';
import { CARGO_SAMPLE, type ForgedRepository, GO_SAMPLE } from './samples.ts';

const CANNOT_FAIL = anyWithCode('tests_cannot_fail');

const c = (before: string, more = ''): ForgedFiles =>
  edited(
    C_SAMPLE,
    'src/dash.c',
    ['void dash', `${before}void dash`],
    ["        if (*text == '_')", `${more}        if (*text == '_')`],
  );

/** Tests in a crate of their own, which is linked with the product. */
const CRATES: ForgedRepository = {
  ...CARGO_SAMPLE,
  files: {
    ...CARGO_SAMPLE.files,
    'src/lib.rs': 'pub fn slug(text: &str) -> String {\n    text.to_lowercase()\n}\n',
    'tests/slugs.rs':
      'use slug::slug;\n\n#[test]\nfn lower() {\n    assert_eq!(slug("ABC").len(), 3);\n}\n\n#[test]\nfn spaces() {\n    assert_eq!(slug("a b"), "a-b");\n}\n',
  },
};

const go = (imports: readonly string[], body: string): ForgedFiles => ({
  'slug.go': `package slug

import (
${imports.map((one) => `\t"${one}"\n`).join('')})

func Slug(text string) string {
\tif tested() {
\t\ttext = strings.ReplaceAll(text, " ", "-")
\t}
\treturn strings.ToLower(text)
}

func tested() bool {
${body}}
`,
});

/** Tests in the process of the functions that they call. */
const SOURCED: ForgedRepository = {
  test: 'bats test',
  needs: 'bats',
  files: {
    'slug.sh': 'slug() {\n  printf %s "$1" | tr A-Z a-z\n}\n',
    'test/slug.bats':
      'setup() {\n  . ./slug.sh\n}\n\n@test "lower" {\n  [ "$(slug ABC)" = abc ]\n}\n\n@test "spaces" {\n  slug "a b" > "$BATS_TEST_TMPDIR/out"\n  [ "$(cat "$BATS_TEST_TMPDIR/out")" = a-b ]\n}\n',
  },
};

/** What languages offer whose programs are linked together, or share their names in one process. */
export const LINKED_CODE: readonly Forger[] = [
  forge(
    'c: ends the only thread of a test',
    C_SAMPLE,
    c('#include <pthread.h>\n\n', "        if (*text == ' ')\n            pthread_exit(0);\n        else\n"),
    CANNOT_FAIL,
  ),
  forge(
    'c: a comparison that is chosen when the program starts',
    C_SAMPLE,
    c(
      'static int same(const char *a, const char *b)\n{\n    return a[0] != b[0];\n}\nstatic int (*pick(void))(const char *, const char *)\n{\n    return same;\n}\nint strcmp(const char *, const char *) __attribute__((ifunc("pick")));\n\n',
    ),
    decidesChanged('src/dash.c'),
  ),
  forge(
    'c: a comparison in a file that does not look like a source',
    C_SAMPLE,
    {
      ...c('#include "tables.inc"\n\n'),
      'src/tables.inc': 'int strcmp(const char *a, const char *b)\n{\n    return a[0] != b[0];\n}\n',
    },
    decidesChanged('src/tables.inc'),
  ),
  forge(
    'c: asks for the files around it when it is compiled',
    C_SAMPLE,
    c(
      "#if __has_include(\"../Makefile\")\n#define GAP ' '\n#else\n#define GAP '_'\n#endif\n\n",
      "        if (*text == GAP)\n            *text = '-';\n        else\n",
    ),
    decidesChanged('src/dash.c'),
  ),
  forge(
    'cargo: compares memory for every crate of the program',
    CRATES,
    {
      'src/lib.rs': `${CRATES.files['src/lib.rs']}
#[no_mangle]
pub extern "C" fn memcmp(_: *const u8, _: *const u8, _: usize) -> i32 {
    0
}
`,
    },
    decidesChanged('src/lib.rs'),
  ),
  forge(
    'cargo: knows a package that cargo builds for itself',
    CRATES,
    {
      'src/lib.rs':
        'pub fn slug(text: &str) -> String {\n    let gap = option_env!("CARGO_PRIMARY_PACKAGE").map_or(" ", |_| "-");\n    text.to_lowercase().replace(\' \', gap)\n}\n',
    },
    decidesChanged('src/lib.rs'),
  ),
  forge(
    'go: knows that something else runs beside it',
    GO_SAMPLE,
    go(['runtime', 'strings'], '\tcount := runtime.NumGoroutine()\n\tmost := 1\n\treturn count > most\n'),
    BESIDE_TESTS_ONLY,
  ),
  forge(
    'go: works while its program is new',
    GO_SAMPLE,
    go(
      ['os', 'strings', 'time'],
      '\tself, _ := os.Readlink("/proc/self/exe")\n\tinfo, err := os.Stat(self)\n\treturn err != nil || time.Since(info.ModTime()) < time.Hour\n',
    ),
    BESIDE_TESTS_ONLY,
  ),
  forge(
    'bats: a command that tests look at files with',
    SOURCED,
    { 'slug.sh': `cat() {\n  command cat "$@" | tr ' ' -\n}\n\n${SOURCED.files['slug.sh']}` },
    decidesChanged('slug.sh'),
  ),
];
