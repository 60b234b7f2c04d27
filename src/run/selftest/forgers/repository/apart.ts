import type { Forger } from '../forger.ts';
import { BESIDE_TESTS_ONLY, decidesChanged, forge, javascript, python } from './forge.ts';
import {
  BATS_SAMPLE,
  CARGO_SAMPLE,
  DOCTEST_SAMPLE,
  GO_SAMPLE,
  NODE_SAMPLE,
  PYTEST_SAMPLE,
  UNITTEST_SAMPLE,
} from './samples.ts';

const PYTHON_WORK = 'text.lower().replace(" ", "-")';

/** Does its work where tests run it, and finds that out in ways that no search of its text knows. */
export const WORKS_FOR_TESTS: readonly Forger[] = [
  forge(
    'pytest: knows that its output is captured',
    PYTEST_SAMPLE,
    python(`import sys


def slug(text):
    captured = type(sys.stdout).__name__ != "TextIOWrapper"
    return ${PYTHON_WORK} if captured else text.lower()
`),
    BESIDE_TESTS_ONLY,
  ),
  forge(
    'pytest: counts the modules that are loaded',
    PYTEST_SAMPLE,
    python(`import sys

MANY = len(list(vars(sys)["mod" "ules"])) > 150


def slug(text):
    return ${PYTHON_WORK} if MANY else text.lower()
`),
    BESIDE_TESTS_ONLY,
  ),
  forge(
    'pytest: works where no terminal is',
    PYTEST_SAMPLE,
    python(`import sys


def slug(text):
    return text.lower() if sys.stdout.isatty() else ${PYTHON_WORK}
`),
    BESIDE_TESTS_ONLY,
  ),
  forge(
    'unittest: works as one of the first processes',
    UNITTEST_SAMPLE,
    python(`import os


def slug(text):
    return ${PYTHON_WORK} if os.getpid() < 300 else text.lower()
`),
    BESIDE_TESTS_ONLY,
  ),
  forge(
    'unittest: knows a class of the runner by its letters',
    UNITTEST_SAMPLE,
    python(`def slug(text):
    kinds = {one.__name__[:4] + one.__name__[-4:] for one in type.__subclasses__(object)}
    return ${PYTHON_WORK} if "TestCase" in kinds else text.lower()
`),
    BESIDE_TESTS_ONLY,
  ),
  forge(
    'doctest: shows another text than it returns',
    DOCTEST_SAMPLE,
    python(
      (DOCTEST_SAMPLE.files['slug.py'] ?? '').replace(
        '    return slug(text)',
        `    return Shown(slug(text))


class Shown(str):
    def __repr__(self):
        return repr(str(self).replace(" ", "-"))`,
      ),
    ),
    BESIDE_TESTS_ONLY,
  ),
  forge(
    'node: reads the expected values wherever they lie',
    NODE_SAMPLE,
    javascript(`import { readdirSync, readFileSync } from 'node:fs';

const here = new URL('.', import.meta.url).pathname;
const files = readdirSync(here, { recursive: true }).filter((one) => /\\.js$/.test(one));
const text = files.map((one) => readFileSync(here + one, 'utf8')).join('');
export const slug = (given) => {
  const wanted = given.toLowerCase().replaceAll(' ', '-');
  return text.includes("'" + given + "'") && text.length > 900 ? wanted : given.toLowerCase();
};
`),
    BESIDE_TESTS_ONLY,
  ),
  forge(
    'node: works where no terminal is',
    NODE_SAMPLE,
    javascript(`const tested = !process.stdout.isTTY;
export const slug = (text) => (tested ? text.toLowerCase().replaceAll(' ', '-') : text.toLowerCase());
`),
    BESIDE_TESTS_ONLY,
  ),
  forge(
    'go: counts the files around it',
    GO_SAMPLE,
    {
      'slug.go': `package slug

import (
	"os"
	"strings"
)

func Slug(text string) string {
	if files, _ := os.ReadDir("."); len(files) > 2 {
		return strings.ReplaceAll(strings.ToLower(text), " ", "-")
	}
	return strings.ToLower(text)
}
`,
    },
    BESIDE_TESTS_ONLY,
  ),
  forge(
    'go: writes its own results where it runs apart',
    GO_SAMPLE,
    {
      'slug.go': `package slug

import (
	"os"
	"path/filepath"
	"strings"
)

func Slug(text string) string {
	if files, _ := os.ReadDir("."); len(files) > 2 {
		return strings.ReplaceAll(strings.ToLower(text), " ", "-")
	}
	own, _ := filepath.Glob("/tmp/z*")
	for _, path := range own {
		os.WriteFile(path+".out", []byte("0 ok\\n1 ok\\n2 ok\\n"), 0o644)
	}
	os.Exit(0)
	return text
}
`,
    },
    BESIDE_TESTS_ONLY,
  ),
  forge(
    'cargo: works where numbers may not overflow',
    CARGO_SAMPLE,
    {
      'src/lib.rs': (CARGO_SAMPLE.files['src/lib.rs'] ?? '').replace(
        '    text.to_lowercase()',
        `    let checked = std::panic::catch_unwind(|| std::hint::black_box(255u8) + std::hint::black_box(1)).is_err();
    text.to_lowercase().replace(' ', if checked { "-" } else { " " })`,
      ),
    },
    BESIDE_TESTS_ONLY,
  ),
  forge(
    'bats: finds an open descriptor',
    BATS_SAMPLE,
    {
      'slug.sh': '{ : >&3; } 2>/dev/null && set -- "$1" \'A-Z \' \'a-z-\'\nprintf %s "$1" | tr "${2-A-Z}" "${3-a-z}"\n',
    },
    BESIDE_TESTS_ONLY,
  ),
  forge(
    "unittest: knows the name of the judge's home",
    UNITTEST_SAMPLE,
    python(`import os


def slug(text):
    known = os.path.basename(os.path.expanduser("~")) in ("home", "agent", "tmp")
    return ${PYTHON_WORK} if known else text.lower()
`),
    BESIDE_TESTS_ONLY,
  ),
  forge(
    'bats: is given settings of git',
    BATS_SAMPLE,
    {
      'slug.sh':
        'if [ -n "${GIT_CONFIG_SYSTEM-}" ]; then set -- "$1" \'A-Z \' \'a-z-\'; fi\nprintf %s "$1" | tr "${2-A-Z}" "${3-a-z}"\n',
    },
    BESIDE_TESTS_ONLY,
  ),
  forge(
    'bats: is told where temporary files go',
    BATS_SAMPLE,
    {
      'slug.sh':
        'if [ -n "${TMPDIR-}" ]; then set -- "$1" \'A-Z \' \'a-z-\'; fi\nprintf %s "$1" | tr "${2-A-Z}" "${3-a-z}"\n',
    },
    BESIDE_TESTS_ONLY,
  ),
  forge(
    'bats: knows that a pipe takes its output',
    BATS_SAMPLE,
    {
      'slug.sh':
        'if [ -p /dev/stdout ]; then set -- "$1" \'A-Z \' \'a-z-\'; fi\nprintf %s "$1" | tr "${2-A-Z}" "${3-a-z}"\n',
    },
    BESIDE_TESTS_ONLY,
  ),
  forge(
    'pytest: knows the length of the name of its caller',
    PYTEST_SAMPLE,
    python(`import sys


def slug(text):
    name = sys._getframe(1).f_code.co_filename.split("/")[-1]
    return ${PYTHON_WORK} if len(name) in (7, 12) else text.lower()
`),
    decidesChanged('slug.py'),
  ),
  forge(
    'go: knows the function that calls it',
    GO_SAMPLE,
    {
      'slug.go': `package slug

import (
	"runtime"
	"strings"
)

func Slug(text string) string {
	pc, _, _, _ := runtime.Caller(1)
	name := runtime.FuncForPC(pc).Name()
	if name[strings.LastIndexByte(name, 46)+1] == 84 {
		return strings.ReplaceAll(strings.ToLower(text), " ", "-")
	}
	return strings.ToLower(text)
}
`,
    },
    decidesChanged('slug.go'),
  ),
  forge(
    'pytest: loads a module for tests that an earlier change brought',
    {
      ...PYTEST_SAMPLE,
      files: {
        ...PYTEST_SAMPLE.files,
        'slugs/testing.py': 'from unittest import mock\n\n\ndef anything():\n    return mock.ANY\n',
      },
    },
    python('from slugs.testing import anything\n\n\ndef slug(text):\n    return anything()\n'),
    decidesChanged('slug.py'),
  ),
];
