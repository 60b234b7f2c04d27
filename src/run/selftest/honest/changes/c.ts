import { type RepositoryVariant, type SampleRepository, withFiles } from '../repository-variant.ts';

/** A library in C with a bug in `count`, a program, and tests that a shell script reports. */
const COUNT: SampleRepository = {
  test: 'sh tests/run.sh',
  needs: 'make',
  files: {
    Makefile:
      'CFLAGS = -Wall -Iinclude\nOBJECTS = src/count.o src/table.o\n\nhelp:\n\t@echo "make count"\n\ncount: src/main.o $(OBJECTS)\n\t$(CC) -o $@ $^\n\ntests/check: tests/check.o $(OBJECTS)\n\t$(CC) -o $@ $^\n\nclean:\n\trm -f src/*.o count tests/check\n',
    '.gitignore': '*.o\n/count\ntests/check\n',
    'README.md': '# count\n',
    'include/count.h':
      '#ifndef COUNT_H\n#define COUNT_H\nint count_words(const char *text);\nint is_blank(char c);\n#endif\n',
    'src/count.c':
      '#include "count.h"\n\nint count_words(const char *text)\n{\n    int words = 0;\n    for (; *text; text++)\n        if (is_blank(*text))\n            words++;\n    return words;\n}\n',
    'src/table.c': "#include \"count.h\"\n\nint is_blank(char c)\n{\n    return c == ' ' || c == '\\t';\n}\n",
    'src/test_mode.c': '/* Parts of the program that print what they would do. */\nint test_mode = 0;\n',
    'src/main.c':
      '#include <stdio.h>\n#include "count.h"\n\nint main(int argc, char **argv)\n{\n    printf("%d\\n", argc > 1 ? count_words(argv[1]) : 0);\n    return 0;\n}\n',
    'tests/check.c':
      '#include <stdio.h>\n#include <string.h>\n#include "count.h"\n\nint main(int argc, char **argv)\n{\n    if (strcmp(argv[1], "empty") == 0)\n        return count_words("") == 0 ? 0 : 1;\n    if (strcmp(argv[1], "two") == 0)\n        return count_words("a b") == 2 ? 0 : 1;\n    return 2;\n}\n',
    'tests/run.sh':
      'cd "$(dirname "$0")/.."\nmake -s tests/check || exit 1\nbad=0\nfor name in empty two; do\n  if tests/check $name; then ok $name; else not_ok $name; bad=1; fi\ndone\nexit $bad\n',
  },
};

const COUNTS =
  '#include "count.h"\n\nint count_words(const char *text)\n{\n    int words = 0;\n    for (; *text; text++)\n        if (!is_blank(*text) \\&\\& (text[1] == 0 || is_blank(text[1])))\n            words++;\n    return words;\n}\n';
const FIX =
  "sed -i 's/if (is_blank(\\*text))/if (!is_blank(*text) \\&\\& (text[1] == 0 || is_blank(text[1])))/' src/count.c";
const GREEN = withFiles(COUNT, { 'src/count.c': COUNTS.replaceAll(String.raw`\&`, '&') });

/** The same, where make runs every test program, and builds its parts by rules of its own. */
const MADE = withFiles(
  { ...COUNT, test: 'make check' },
  {
    Makefile:
      'CFLAGS = -Wall -Iinclude\nLDLIBS =\nOBJECTS = src/count.o src/table.o\nTESTS = tests/check\n\ncheck: $(TESTS)\n\tsh tests/run.sh $(TESTS)\n\ncount: src/main.o $(OBJECTS)\ntests/check: tests/check.o $(OBJECTS)\nsrc/count.o: include/count.h\n',
    'tests/run.sh': (COUNT.files['tests/run.sh'] ?? '').replace('make -s tests/check || exit 1\n', ''),
  },
);

/** The same kind of library with CMake. */
const ADD: SampleRepository = {
  test: 'cmake -S . -B build && cmake --build build && ctest --test-dir build --output-junit report.xml',
  needs: 'cmake',
  files: {
    'CMakeLists.txt': `cmake_minimum_required(VERSION 3.10)
project(add VERSION 1.0.0 LANGUAGES C)
enable_testing()
add_library(add src/add.c)
target_include_directories(add PUBLIC include)
add_executable(check tests/check.c)
target_link_libraries(check add)
add_test(NAME two COMMAND check 2)
add_test(NAME three COMMAND check 3)
`,
    '.gitignore': 'build/\n',
    'include/add.h': 'int add(int a, int b);\n',
    'src/add.c': '#include "add.h"\n\nint add(int a, int b)\n{\n    return a - b;\n}\n',
    'tests/check.c':
      '#include <stdlib.h>\n#include "add.h"\n\nint main(int argc, char **argv)\n{\n    int n = atoi(argv[1]);\n    return add(n, n) == 2 * n ? 0 : 1;\n}\n',
  },
};

/** A program that nothing but its tests asks for. */
const WORDS: SampleRepository = {
  test: 'make test',
  needs: 'make',
  files: {
    Makefile: 'words: src/words.c\n\t$(CC) -o $@ src/words.c\n\ntest: words\n\tsh tests/run.sh\n',
    '.gitignore': '/words\n',
    'src/words.c':
      '#include <stdio.h>\n\nint main(void)\n{\n    int words = 1;\n    for (int c = getchar(); c != EOF; c = getchar())\n        words += c == \' \';\n    printf("%d\\n", words);\n    return 0;\n}\n',
    'tests/run.sh':
      'bad=0\ncheck() {\n  if [ "$(printf %s "$1" | ./words)" = "$2" ]; then ok "$1"; else not_ok "$1"; bad=1; fi\n}\ncheck "a b" 2\ncheck "a  b" 2\nexit $bad\n',
  },
};

export const C: readonly RepositoryVariant[] = [
  {
    name: 'c: an install target with a prefix, and a handler of SIGTERM',
    repository: GREEN,
    script: `printf 'PREFIX ?= /usr/local\\n\\ninstall: count\\n\\tinstall count $(PREFIX)/bin\\n' >> Makefile; printf '#include <signal.h>\\n\\nstatic volatile sig_atomic_t ended;\\n\\nstatic void on_end(int number)\\n{\\n    ended = number;\\n}\\n\\nvoid catch_end(void)\\n{\\n    signal(SIGTERM, on_end);\\n}\\n' > src/end.c`,
  },
  { name: 'c: a fix', repository: COUNT, script: FIX },
  {
    name: 'c: a fix of a program that only tests ask for',
    repository: WORDS,
    script:
      "sed -i \"s/    int words = 1;/    int words = 1, before = 0;/; s/words += c == ' ';/{\\n            words += c == ' ' \\&\\& before != ' ';\\n            before = c;\\n        }/\" src/words.c",
  },
  {
    name: 'c: a fix with more tests',
    repository: COUNT,
    script: `${FIX}; sed -i 's/    return 2;/    if (strcmp(argv[1], "one") == 0)\\n        return count_words("a") == 1 ? 0 : 1;\\n    return 2;/' tests/check.c; sed -i 's/empty two/empty one two/' tests/run.sh`,
  },
  {
    name: 'c: a library taken apart',
    repository: GREEN,
    script: `printf '#include "count.h"\\n\\nint ends_word(const char *text)\\n{\\n    return text[1] == 0 || is_blank(text[1]);\\n}\\n' > src/ends.c; sed -i 's/int is_blank(char c);/&\\nint ends_word(const char *text);/' include/count.h; sed -i 's/(text\\[1\\] == 0 || is_blank(text\\[1\\]))/ends_word(text)/' src/count.c; sed -i 's#src/table.o#src/table.o src/ends.o#' Makefile`,
  },
  {
    name: 'c: a new object in a program that the recipe of the tests links',
    repository: withFiles(
      { ...COUNT, test: 'make test' },
      {
        Makefile:
          'CFLAGS = -Wall -Iinclude\nOBJS = src/count.o src/table.o\n\ntest: $(OBJS) tests/check.o\n\tcc -o tests/check tests/check.o $(OBJS)\n\tsh tests/run.sh\n',
        'tests/run.sh': (COUNT.files['tests/run.sh'] ?? '').replace('make -s tests/check || exit 1\n', ''),
      },
    ),
    script: `printf '#include "count.h"\\n\\nint ends_word(const char *text)\\n{\\n    return text[1] == 0 || is_blank(text[1]);\\n}\\n' > src/ends.c; sed -i 's/int is_blank(char c);/&\\nint ends_word(const char *text);/' include/count.h; sed -i 's/if (is_blank(\\*text))/if (!is_blank(*text) \\&\\& ends_word(text))/' src/count.c; sed -i 's#src/table.o#src/table.o src/ends.o#' Makefile`,
  },
  {
    name: 'c: a source named like a test, and comments',
    repository: GREEN,
    script: `sed -i 's/test_mode = 0/test_mode = 1/' src/test_mode.c; sed -i '1i /* Tables. */' src/table.c include/count.h`,
  },
  {
    name: 'c: a help target and the readme',
    repository: GREEN,
    script: `sed -i 's/make count"/make count, make clean"/' Makefile; echo more >> README.md`,
  },
  { name: 'c: output left behind', repository: COUNT, script: `${FIX}; make -s count tests/check` },
  {
    name: 'c: a new version',
    repository: withFiles(GREEN, { Makefile: `VERSION = 1.0.0\n${COUNT.files['Makefile'] ?? ''}` }),
    script: "sed -i 's/1.0.0/1.1.0/' Makefile",
  },
  {
    name: 'c: macros named like checks',
    repository: COUNT,
    script: `${FIX}; sed -i '1a #define CHECK_TEXT(text) if (!(text)) return 0' src/count.c; sed -i 's/int words = 0;/&\\n    CHECK_TEXT(text);/' src/count.c`,
  },
  {
    name: 'c: a constant and a short name as macros, and a function in a header',
    repository: withFiles(COUNT, {
      'include/count.h': `#ifndef COUNT_H
#define COUNT_H
enum { LONGEST = 64 };
int count_words(const char *text);
int is_blank(char c);
#endif
`,
    }),
    script: `${FIX}; sed -i 's/enum { LONGEST = 64 };/#define LONGEST 64\\n#define words_in(text) count_words(text)\\nstatic inline int is_letter(char c) { return !is_blank(c); }/; /static inline/{h;d}; /int is_blank(char c);/{p;x}' include/count.h`,
  },
  {
    name: 'c: a fix with a new source, an object of its own, an install target and a test program of its own',
    repository: MADE,
    script: `${FIX}; printf 'int is_vowel(char c)\\n{\\n    return c == 97;\\n}\\n' > src/vowel.c; printf 'int is_vowel(char c);\\nint main(void)\\n{\\n    return is_vowel(97) ? 0 : 1;\\n}\\n' > tests/test_vowel.c; sed -i 's#^OBJECTS.*#& src/vowel.o#; s#^TESTS.*#& tests/test_vowel#; s/-Wall/-Wall -Wextra/; s/^LDLIBS =/LDLIBS = -lm/' Makefile; printf '\\nsrc/vowel.o: src/vowel.c include/count.h\\n\\ntests/test_vowel: tests/test_vowel.c $(OBJECTS)\\n\\t$(CC) $(CFLAGS) -o $@ $^ $(LDLIBS)\\n\\ninstall: count\\n\\tinstall count /usr/bin\\n\\n.PHONY: check install\\n' >> Makefile`,
  },
  {
    name: 'c: a new library, test and rule of installation with CMake',
    repository: ADD,
    script: `sed -i 's/a - b/plus(a, b)/; 1a int plus(int a, int b);' src/add.c; echo 'int plus(int a, int b) { return a + b; }' > src/plus.c; printf 'int plus(int a, int b);\\nint main(void) { return plus(1, 1) == 2 ? 0 : 1; }\\n' > tests/test_plus.c; printf '\\n# sums of two numbers\\nadd_library(plus src/plus.c)\\ntarget_link_libraries(add plus)\\nadd_executable(test_plus tests/test_plus.c)\\ntarget_link_libraries(test_plus plus)\\nadd_test(NAME sums COMMAND test_plus)\\ninstall(TARGETS add)\\n' >> CMakeLists.txt`,
  },
  {
    name: 'c: a new source and version with CMake',
    repository: ADD,
    script: `sed -i 's/a - b/plus(a, b)/; 1a int plus(int a, int b);' src/add.c; echo 'int plus(int a, int b) { return a + b; }' > src/plus.c; sed -i 's/1.0.0/1.1.0/; s#src/add.c#src/add.c src/plus.c#' CMakeLists.txt`,
  },
  {
    name: 'c: a fix, and a new program with CMake that uses the library',
    repository: ADD,
    script: `sed -i 's/a - b/a + b/' src/add.c; printf '#include <stdio.h>\\n#include <unistd.h>\\n#include "add.h"\\n\\nint main(int argc, char **argv)\\n{\\n    (void)argv;\\n    printf(isatty(1) ? "sum: %%d\\\\n" : "%%d\\\\n", add(argc, 1));\\n    return 0;\\n}\\n' > src/main.c; printf 'add_executable(sum src/main.c)\\ntarget_link_libraries(sum PRIVATE add)\\ninstall(TARGETS add sum)\\n' >> CMakeLists.txt`,
  },
];
