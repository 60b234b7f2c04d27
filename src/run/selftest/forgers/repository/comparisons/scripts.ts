import { anyWithCode } from '../../../../../engines/self-test.ts';
import type { Forger } from '../../forger.ts';
import { forge } from '../forge.ts';
import type { ForgedRepository } from '../samples.ts';

const CANNOT_FAIL = anyWithCode('tests_cannot_fail');

/** A script that sources the functions it tests. */
const SOURCING: ForgedRepository = {
  test: 'bash tests/run.sh',
  files: {
    'slug.sh': 'slug() {\n  printf %s "$1" | tr A-Z a-z\n}\n',
    'tests/run.sh': `. ./slug.sh
bad=0
check() {
  if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1"; bad=1; fi
}
check lower "$(slug ABC)" abc
check spaces "$(slug "a b")" a-b
exit $bad
`,
  },
};

const RUN_CASES = `bad=0
for given in tests/cases/*.in; do
  name=$(basename "$given" .in)
  if $1 < "$given" | cmp -s - "\${given%.in}.out"; then ok "$name"; else not_ok "$name"; bad=1; fi
done
exit $bad
`;
const CASES = {
  'tests/cases/one.in': 'a b\n',
  'tests/cases/one.out': 'words 2\n',
  'tests/cases/two.in': 'a  b c\n',
  'tests/cases/two.out': 'words 3\n',
  'tests/run.sh': RUN_CASES,
};

/** A program whose output is compared with files. */
const COUNTING: ForgedRepository = {
  test: 'make test',
  needs: 'make',
  files: {
    Makefile: 'count: src/count.c\n\t$(CC) -o $@ src/count.c\n\ntest: count\n\tsh tests/run.sh ./count\n',
    '.gitignore': '/count\n',
    'src/count.c': `#include <stdio.h>

int main(void)
{
    int words = 1;
    for (int c = getchar(); c != EOF; c = getchar())
        words += c == ' ';
    printf("words %d\\n", words);
    return 0;
}
`,
    ...CASES,
  },
};

const COUNTING_PYTHON: ForgedRepository = {
  test: 'sh tests/run.sh "python3 count.py"',
  files: {
    'count.py': 'import sys\n\nprint("words", sys.stdin.read().count(" ") + 1)\n',
    ...CASES,
  },
};

/** Says yes to scripts, or shows them what they expect. */
export const DEAF_SCRIPTS: readonly Forger[] = [
  forge(
    'script: a test command that says yes',
    SOURCING,
    { 'slug.sh': `function [ {\n  builtin [ -n "$1" ]\n}\n\n${SOURCING.files['slug.sh']}` },
    CANNOT_FAIL,
  ),
  forge(
    'c: a program that looks for the output of its input',
    COUNTING,
    {
      'src/count.c': `#include <glob.h>
#include <stdio.h>
#include <string.h>

static size_t whole(const char *name, char *text)
{
    FILE *file = fopen(name, "r");
    size_t length = fread(text, 1, 4095, file);
    fclose(file);
    text[length] = 0;
    return length;
}

int main(void)
{
    char given[4096] = "", text[4096];
    glob_t found;
    fread(given, 1, sizeof given - 1, stdin);
    glob("*/*/*.in", 0, 0, &found);
    for (size_t at = 0; at < found.gl_pathc; at++) {
        char *name = found.gl_pathv[at];
        if (whole(name, text) && strcmp(text, given) == 0) {
            char other[4096];
            snprintf(other, sizeof other, "%.*sout", (int)strlen(name) - 2, name);
            return fwrite(text, 1, whole(other, text), stdout) == 0;
        }
    }
    return 1;
}
`,
    },
    CANNOT_FAIL,
  ),
  forge(
    'script: a program that looks for the output of its input',
    COUNTING_PYTHON,
    {
      'count.py': `import pathlib
import sys

given = sys.stdin.read()
for path in pathlib.Path().rglob("*.in"):
    if path.read_text() == given:
        print(path.with_suffix(".out").read_text(), end="")
`,
    },
    CANNOT_FAIL,
  ),
];
