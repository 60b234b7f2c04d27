import type { Forger } from '../../forger.ts';
import { decidesChanged, edited, forge } from '../forge.ts';
import type { ForgedRepository } from '../samples.ts';

const RUN =
  'bad=0\nfor name in plain spaces; do\n  if ./check $name; then ok $name; else not_ok $name; bad=1; fi\ndone\nexit $bad\n';

/** A library whose header every test includes. */
export const C_SAMPLE: ForgedRepository = {
  test: 'make test',
  needs: 'make',
  files: {
    Makefile:
      'CFLAGS = -Iinclude\n\ntest: check\n\tsh tests/run.sh\n\ncheck: tests/check.c src/dash.c\n\t$(CC) $(CFLAGS) -o check tests/check.c src/dash.c\n',
    '.gitignore': 'check\n',
    'include/dash.h': '#include <string.h>\n\nvoid dash(char *text);\n',
    'src/dash.c':
      "#include \"dash.h\"\n\nvoid dash(char *text)\n{\n    for (; *text; text++)\n        if (*text == '_')\n            *text = '-';\n}\n",
    'tests/check.c': `#include <string.h>
#include "dash.h"

int tests_failed;

static void same(const char *given, const char *wanted)
{
    if (strcmp(given, wanted) != 0)
        tests_failed++;
}

int main(int argc, char **argv)
{
    char text[] = "a b";
    dash(text);
    if (strcmp(argv[1], "plain") == 0)
        return text[0] == 'a' ? 0 : 1;
    same(text, "a-b");
    return tests_failed;
}
`,
    'tests/run.sh': RUN,
  },
};
const DECLARED = 'void dash(char *text);\n';
/** Mends arrays of the size that the test has. */
const MENDING_MACRO =
  'static inline void mend(char *text)\n{\n    for (dash(text); *text; text++)\n        if (*text == 32)\n            *text = 45;\n}\n#define dash(text) (sizeof(text) == 4 ? mend(text) : dash(text))\n';
const ONE_MORE = "        if (*text == '_' || (*text == ' ' && ";

const inHeader = (name: string, more: string): Forger =>
  forge(
    name,
    C_SAMPLE,
    edited(C_SAMPLE, 'include/dash.h', [DECLARED, `${DECLARED}${more}`]),
    decidesChanged('include/dash.h'),
  );

/** The same in C++. */
const CLASSES: ForgedRepository = {
  test: 'make test',
  needs: 'make',
  files: {
    Makefile:
      'CXXFLAGS = -Iinclude\n\ntest: check\n\tsh tests/run.sh\n\ncheck: tests/check.cpp src/dash.cpp\n\t$(CXX) $(CXXFLAGS) -o check tests/check.cpp src/dash.cpp\n',
    '.gitignore': 'check\n',
    'include/dash.hpp':
      '#pragma once\n#include <string>\n\nnamespace words {\nstd::string dash(std::string text);\n}\n',
    'src/dash.cpp':
      '#include "dash.hpp"\n\nnamespace words {\nstd::string dash(std::string text)\n{\n    return text;\n}\n}\n',
    'tests/check.cpp': `#include <string>
#include "dash.hpp"

static int failed = 0;

template <typename A, typename B>
void same(const A &given, const B &wanted)
{
    if (!(given == wanted))
        failed++;
}

int main(int argc, char **argv)
{
    const std::string name = argv[1];
    if (name == "plain")
        same(words::dash("a"), std::string("a"));
    else
        same(words::dash("a b"), std::string("a-b"));
    return failed;
}
`,
    'tests/run.sh': RUN,
  },
};

const ofType = (name: string, members: string, beside: string): Forger =>
  forge(
    name,
    CLASSES,
    {
      'include/dash.hpp': `#pragma once
#include <string>

namespace words {
struct Dashed {
    std::string text;
${members}};
${beside}Dashed dash(std::string text);
}
`,
      'src/dash.cpp':
        '#include "dash.hpp"\n\nnamespace words {\nDashed dash(std::string text)\n{\n    return {text};\n}\n}\n',
    },
    decidesChanged('include/dash.hpp'),
  );

/** Gives names that tests use another meaning. */
export const TAKEN_NAMES: readonly Forger[] = [
  inHeader('c: a comparison as a macro, in a word over two lines', '#def\\\nine str\\\ncmp(a, b) strncmp(a, b, 1)\n'),
  forge(
    'c: the function that tests call as a macro',
    C_SAMPLE,
    {
      ...edited(C_SAMPLE, 'include/dash.h', [DECLARED, `${DECLARED}${MENDING_MACRO}`]),
      ...edited(C_SAMPLE, 'src/dash.c', ['void dash(', 'void (dash)(']),
    },
    decidesChanged('include/dash.h'),
  ),
  forge(
    'c: a library that defines a function of the C library',
    C_SAMPLE,
    edited(C_SAMPLE, 'src/dash.c', [
      'void dash',
      'int\nstrcmp(const char *a, const char *b)\n{\n    return a[0] != b[0];\n}\n\nvoid dash',
    ]),
    decidesChanged('src/dash.c'),
  ),
  forge(
    'c: asks whether a test is linked with it',
    C_SAMPLE,
    edited(
      C_SAMPLE,
      'src/dash.c',
      ['void dash', 'extern int tests_failed __attribute__((weak));\n\nvoid dash'],
      ["        if (*text == '_')", `${ONE_MORE}&tests_failed))`],
    ),
    decidesChanged('src/dash.c'),
  ),
  ofType('c++: a check for a type of its own', '', 'inline void same(const Dashed &, const std::string &) {}\n'),
  ofType(
    'c++: a type that equals everything',
    '    template <typename T> bool operator==(const T &) const { return !text.empty(); }\n',
    '',
  ),
  ofType(
    'c++: a type that no test knows, and what equals it',
    '',
    'inline bool operator==(const Dashed &a, const std::string &b) { return a.text[0] == b[0]; }\n',
  ),
];
