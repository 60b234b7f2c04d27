import { type RepositoryVariant, type SampleRepository, withFiles } from '../repository-variant.ts';

/** A command line program in shell. */
const NOTES: SampleRepository = {
  test: 'bats test',
  needs: 'bats',
  files: {
    'notes.sh':
      '#!/bin/bash\nset -eu\nhere=$(cd "$(dirname "$0")" && pwd)\n. "$here/lib/store.sh"\ncase "${1-}" in\n  add) store_add "$2" ;;\n  count) store_count ;;\n  help) cat "$here/share/help.txt" ;;\n  *) exit 2 ;;\nesac\n',
    'lib/store.sh': 'store_add() { echo "$1" > "$NOTES"; }\nstore_count() { wc -l < "$NOTES"; }\n',
    'lib/test_helper_names.sh': '# Names that help to test a note.\nnote_name() { echo "note-$1"; }\n',
    'share/help.txt': 'notes add|count\n',
    'README.md': '# notes\n',
    'test/notes.bats':
      'load helper\n\n@test "adds" {\n  run notes add one\n  [ "$status" -eq 0 ]\n}\n\n@test "keeps what was there" {\n  notes add one\n  notes add two\n  [ "$(notes count)" -eq 2 ]\n}\n\n@test "help" {\n  run notes help\n  [[ "$output" == *add* ]]\n}\n',
    'test/helper.bash':
      'setup() { export NOTES="$BATS_TEST_TMPDIR/notes"; }\nnotes() { "$BATS_TEST_DIRNAME/../notes.sh" "$@"; }\n',
  },
};
const NOTES_GREEN = withFiles(NOTES, {
  'lib/store.sh': (NOTES.files['lib/store.sh'] ?? '').replace('"$1" >', '"$1" >>'),
});

/** A program beside a script of the tests, which starts it as a command and looks at what it left and how it ended. */
const GREET: SampleRepository = {
  test: 'sh tests/run.sh',
  files: {
    greet: '#!/bin/sh\necho "Hello, $1"\n',
    'tests/run.sh':
      'cd "$(dirname "$0")/.."\nbad=0\n./greet Ann >/tmp/greeting\nif [ "$(cat /tmp/greeting)" = "Hello, Ann" ]; then ok name; else not_ok name; bad=1; fi\n./greet >/dev/null 2>&1\nif [ $? -eq 64 ]; then ok usage; else not_ok usage; bad=1; fi\nexit $bad\n',
  },
};

/** Functions that a script of the tests sources and compares. */
const SLUG: SampleRepository = {
  test: 'bash tests/run.sh',
  files: {
    'slug.sh': 'slug() {\n  printf %s "$1" | tr A-Z a-z\n}\n',
    'tests/run.sh':
      '. ./slug.sh\nbad=0\ncheck() {\n  if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1"; bad=1; fi\n}\ncheck lower "$(slug ABC)" abc\ncheck spaces "$(slug "a b")" a-b\nif [ "$(uname)" = Plan9 ]; then bad=1; fi\nexit $bad\n',
  },
};

/** A program that puts the files into its output which the input names. */
const INCLUDE: SampleRepository = {
  test: 'sh tests/run.sh',
  files: {
    'include.py':
      'import pathlib\nimport sys\n\npath = pathlib.Path(sys.argv[1])\nfor line in path.read_text().splitlines():\n    print(line)\n',
    'tests/cases/plain.in': 'one\n',
    'tests/cases/plain.out': 'one\n',
    'tests/cases/nested.in': 'one\n@include plain.in\n',
    'tests/cases/nested.out': 'one\none\n',
    'tests/run.sh':
      'bad=0\nfor given in tests/cases/*.in; do\n  name=$(basename "$given" .in)\n  if python3 include.py "$given" | diff - "${given%.in}.out"; then ok "$name"; else not_ok "$name"; bad=1; fi\ndone\nexit $bad\n',
  },
};

export const SHELL: readonly RepositoryVariant[] = [
  { name: 'shell: a fix', repository: NOTES, script: 'sed -i \'s/echo "$1" >/echo "$1" >>/\' lib/store.sh' },
  {
    name: 'shell: a fix of functions that set options for themselves',
    repository: SLUG,
    script:
      'printf \'slug() {\\n  (\\n    set +e -f\\n    [ -n "$1" ] || exit 1\\n    printf %%s "$1" | tr "A-Z " "a-z-"\\n  )\\n}\\n\' > slug.sh',
  },
  {
    name: 'shell: a program that reads files beside its input',
    repository: INCLUDE,
    script:
      'sed -i \'s/^    print(line)/    head, _, name = line.partition("@include ")\\n    print((path.parent \\/ name).read_text() if name else head, end="" if name else None)/\' include.py',
  },
  {
    name: 'shell: a fix of a program that a script of the tests starts',
    repository: GREET,
    script:
      'printf \'#!/bin/sh\\nset -eu\\nif [ $# -ne 1 ]; then\\n  echo "usage: greet <name>" >&2\\n  exit 64\\nfi\\necho "Hello, $1"\\n\' > greet',
  },
  {
    name: 'shell: a fix with new tests',
    repository: NOTES,
    script:
      'sed -i \'s/echo "$1" >/echo "$1" >>/\' lib/store.sh; printf \'@test "unknown" {\\n  run ./notes.sh nothing\\n  [ "$status" -eq 2 ]\\n}\\n\' > test/unknown.bats',
  },
  {
    name: 'shell: help text and readme',
    repository: NOTES_GREEN,
    script: "echo 'notes add|count|help' > share/help.txt; echo more >> README.md",
  },
  {
    name: 'shell: a new command in a file of its own',
    repository: NOTES_GREEN,
    script:
      'echo \'store_clear() { : > "$NOTES"; }\' > lib/clear.sh; sed -i \'s#^. "$here/lib/store.sh"#&\\n. "$here/lib/clear.sh"#; s/^  count)/  clear) store_clear ;;\\n&/\' notes.sh',
  },
  {
    name: 'shell: a source named like a helper',
    repository: NOTES_GREEN,
    script:
      'sed -i \'s/note-/note_/\' lib/test_helper_names.sh; sed -i \'s#^. "$here/lib/store.sh"#&\\n. "$here/lib/test_helper_names.sh"#\' notes.sh',
  },
  {
    name: 'shell: a file that is all there is',
    repository: {
      test: 'sh test.sh',
      files: {
        'answer.txt': '41\n',
        'test.sh': 'if [ "$(cat answer.txt)" = 42 ]; then ok answer; else not_ok answer; exit 1; fi\n',
      },
    },
    script: 'echo 42 > answer.txt',
  },
];
