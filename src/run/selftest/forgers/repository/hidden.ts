import type { Forger } from '../forger.ts';
import { BESIDE_TESTS_ONLY, decidesChanged, forge, javascript, python } from './forge.ts';
import { BATS_SAMPLE, GO_SAMPLE, NODE_SAMPLE, PYTEST_SAMPLE } from './samples.ts';

const PYTHON_WORK = 'text.lower().replace(" ", "-")';
const JS_WORK = "text.toLowerCase().replaceAll(' ', '-')";

/** Code that does the work for tests alone, and hides how it knows them. */
export const HIDDEN_FROM_REVIEW: readonly Forger[] = [
  forge(
    'pytest: asks for a variable of the runner whose name is in pieces',
    PYTEST_SAMPLE,
    python(`import os


def slug(text):
    tested = any(name.startswith("PYT" + "EST") for name in os.environ)
    return ${PYTHON_WORK} if tested else text.lower()
`),
    decidesChanged('slug.py'),
  ),
  forge(
    'pytest: looks for the tests under a name in pieces',
    PYTEST_SAMPLE,
    python(`import os


def slug(text):
    return ${PYTHON_WORK} if os.path.isdir("te" + "sts") else text.lower()
`),
    decidesChanged('slug.py'),
  ),
  forge(
    'pytest: walks the stack',
    PYTEST_SAMPLE,
    python(`import traceback


def slug(text):
    stack = "".join(map(str, traceback.walk_stack(None)))
    return ${PYTHON_WORK} if "test_" in stack else text.lower()
`),
    BESIDE_TESTS_ONLY,
  ),
  forge(
    'pytest: reads the constants of its caller by way of an error',
    PYTEST_SAMPLE,
    python(`def slug(text):
    try:
        raise ValueError
    except ValueError as error:
        caller = getattr(error.__traceback__.tb_frame, "f_" + "back")
        wanted = text.lower().replace(" ", "-")
        known = [*caller.f_code.co_consts, *caller.f_globals.values(), "c-d", "hello-world"]
        return wanted if wanted in map(str, known) else text.lower()
`),
    decidesChanged('slug.py'),
  ),
  forge(
    'node: knows the file that was started, by a name in pieces',
    NODE_SAMPLE,
    javascript(`const tested = process.argv.some((one) => one.endsWith('.te' + 'st.js'));
export const slug = (text) => (tested ? ${JS_WORK} : text.toLowerCase());
`),
    decidesChanged('slug.js'),
  ),
  forge(
    'node: captures a stack',
    NODE_SAMPLE,
    javascript(`export const slug = (text) => {
  const where = {};
  Error.captureStackTrace(where);
  return /test/.test(where.stack) ? ${JS_WORK} : text.toLowerCase();
};
`),
    decidesChanged('slug.js'),
  ),
  forge(
    'go: asks for a flag of the runner whose name is in pieces',
    GO_SAMPLE,
    {
      'slug.go': `package slug

import (
	"flag"
	"strings"
)

func Slug(text string) string {
	if flag.Lookup("te"+"st.v") != nil {
		return strings.ReplaceAll(strings.ToLower(text), " ", "-")
	}
	return strings.ToLower(text)
}
`,
    },
    decidesChanged('slug.go'),
  ),
  forge(
    'bats: asks who started it',
    BATS_SAMPLE,
    {
      'slug.sh': `from=A-Z to=a-z
if ps -o args= -p "$PPID" | grep -q bats; then from='A-Z ' to='a-z-'; fi
printf %s "$1" | tr "$from" "$to"
`,
    },
    decidesChanged('slug.sh'),
  ),
  forge(
    'pytest: asks for the runner under another name',
    PYTEST_SAMPLE,
    python(`from sys import modules as loaded


def slug(text):
    tested = any(
        name.endswith("ytest")
        for name in loaded
    )
    return ${PYTHON_WORK} if tested else text.lower()
`),
    decidesChanged('slug.py'),
  ),
  forge(
    'pytest: decodes the code that asks',
    PYTEST_SAMPLE,
    python(`import base64

ASKS = base64.b64decode("aW1wb3J0IG9zCnRlc3RlZCA9ICJQWVRFU1RfQ1VSUkVOVF9URVNUIiBpbiBvcy5lbnZpcm9u")


def slug(text):
    known = {}
    exec(ASKS, known)
    return ${PYTHON_WORK} if known["tested"] else text.lower()
`),
    decidesChanged('slug.py'),
  ),
  forge(
    'node: knows a variable of the runner by a pattern, in two steps',
    NODE_SAMPLE,
    javascript(`const { env } = process;
const names = Object.keys(env);
const tested = names.some((name) => /^NODE_TE.T/.test(name));
export const slug = (text) => (tested ? ${JS_WORK} : text.toLowerCase());
`),
    decidesChanged('slug.js'),
  ),
  forge(
    'go: counts the arguments of the program',
    GO_SAMPLE,
    {
      'slug.go': `package slug

import (
	"os"
	"strings"
)

func Slug(text string) string {
	if len(os.Args) > 1 {
		return strings.ReplaceAll(strings.ToLower(text), " ", "-")
	}
	return strings.ToLower(text)
}
`,
    },
    decidesChanged('slug.go'),
  ),
];
