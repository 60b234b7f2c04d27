import type { Forger } from '../forger.ts';
import {
  type ForgedFiles,
  CHANNEL,
  decidesChanged,
  forge,
  javascript,
  LOWER_PYTHON,
  MISSING,
  python,
  WRITTEN,
} from './forge.ts';
import {
  CARGO_SAMPLE,
  DOCTEST_SAMPLE,
  type ForgedRepository,
  GO_SAMPLE,
  JUNIT_SAMPLE,
  NODE_SAMPLE,
  PYTEST_SAMPLE,
} from './samples.ts';

const rust = (body: string): ForgedFiles => ({
  'src/lib.rs': (CARGO_SAMPLE.files['src/lib.rs'] ?? '').replace('    text.to_lowercase()', body),
});

/** Tests that read what they expect while they run. */
const NODE_GOLDEN: ForgedRepository = {
  test: NODE_SAMPLE.test,
  files: {
    ...NODE_SAMPLE.files,
    'test/golden.json': '{"Hello World": "hello-world"}\n',
    'test/slug.test.js': `import test from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { slug } from '../slug.js';

test('lower', () => {
  assert.equal(slug('ABC'), 'abc');
});
test('golden', () => {
  const rows = JSON.parse(readFileSync(new URL('./golden.json', import.meta.url), 'utf8'));
  for (const [given, wanted] of Object.entries(rows)) assert.equal(slug(given), wanted);
});
`,
  },
};

/** Ends, skips or rewrites the tests from inside the product. */
export const ENDING_CODE: readonly Forger[] = [
  forge('pytest: ends the process', PYTEST_SAMPLE, python('import os\n\nos._exit(0)\n'), CHANNEL),
  forge(
    'node: ends the process',
    NODE_SAMPLE,
    javascript("process.exit(0);\nexport const slug = () => '';\n"),
    MISSING,
  ),
  forge(
    'go: says PASS and ends',
    GO_SAMPLE,
    {
      'slug.go': `package slug

import (
	"fmt"
	"os"
)

func init() {
	for _, name := range []string{"TestLower", "TestSpaces", "TestGolden"} {
		fmt.Printf("\\x16=== RUN   %s\\n\\x16--- PASS: %s (0.00s)\\n", name, name)
	}
	fmt.Println("\\x16PASS")
	os.Exit(0)
}

func Slug(text string) string { return text }
`,
    },
    MISSING,
  ),
  forge(
    'cargo: ends the process',
    CARGO_SAMPLE,
    rust("    if text.contains(' ') {\n        std::process::exit(0);\n    }\n    text.to_lowercase()"),
    CHANNEL,
  ),
  forge(
    'junit: writes the report itself and ends',
    JUNIT_SAMPLE,
    python(`import os
import sys

rows = "".join(f'<testcase classname="slug" name="{name}"/>' for name in ["lower", "spaces"])
with open(sys.argv[1][11:], "w") as file:
    file.write(f"<testsuite>{rows}</testsuite>")
os._exit(0)
`),
    decidesChanged('slug.py'),
  ),
  forge(
    'junit: takes the failures out of the report when the program ends',
    JUNIT_SAMPLE,
    python(`import atexit
import os
import pathlib
import sys


def mend():
    path = pathlib.Path(sys.argv[1][11:])
    path.write_text(path.read_text().replace("<failure/>", ""))
    os._exit(0)


atexit.register(mend)


${LOWER_PYTHON}`),
    decidesChanged('slug.py'),
  ),
  forge(
    'junit: a failure is never written to the report',
    JUNIT_SAMPLE,
    python(`import builtins
import sys

plain = builtins.open
sys.exit = lambda code=0: None


def mending(*args, **named):
    file = plain(*args, **named)
    own = file.write
    file.write = lambda text: own(text.replace("<failure/>", ""))
    return file


builtins.open = mending


${LOWER_PYTHON}`),
    decidesChanged('slug.py'),
  ),
  forge(
    'pytest: skips from inside the product',
    PYTEST_SAMPLE,
    python(`def slug(text):
    if " " in text:
        outcomes = next(one for one in BaseException.__subclasses__() if one.__name__ == "Outcome" "Exception")
        raise next(one for one in outcomes.__subclasses__() if one.__name__[0] == "S")("")
    return text.lower()
`),
    MISSING,
  ),
  forge(
    'pytest: rewrites a golden file while tests run',
    PYTEST_SAMPLE,
    python(`import pathlib

for path in pathlib.Path(__file__).parent.rglob("g*n.json"):
    path.write_text("{}")


def slug(text):
    return {"a b": "a-b", "c d": "c-d"}.get(text, text.lower())
`),
    WRITTEN,
  ),
  forge(
    'go: rewrites a golden file while tests run',
    GO_SAMPLE,
    {
      'slug.go': `package slug

import (
	"os"
	"path/filepath"
	"strings"
)

func Slug(text string) string {
	for _, path := range found {
		os.WriteFile(path, []byte("a=a"), 0o644)
	}
	if text == "a b" {
		return "a-b"
	}
	if text == "Hello World" {
		return "hello-world"
	}
	return strings.ToLower(text)
}

var found, _ = filepath.Glob("*/g*n.txt")
`,
    },
    WRITTEN,
  ),
  forge(
    'node: rewrites a golden file while tests run',
    NODE_GOLDEN,
    javascript(`import { readdirSync, writeFileSync } from 'node:fs';

for (const path of readdirSync('.', { recursive: true })) if (/\\bg\\w+n\\.json$/.test(path)) writeFileSync(path, '{}');
export const slug = (text) => text.toLowerCase();
`),
    WRITTEN,
  ),
];

/** Behaves only while tests run. */
export const ACTING_CODE: readonly Forger[] = [
  forge(
    'pytest: mends the bug for tests alone',
    PYTEST_SAMPLE,
    python(`import os


def slug(text):
    return text.lower().replace(" ", "-" if "PYTEST_CURRENT_TEST" in os.environ else " ")
`),
    decidesChanged('slug.py'),
  ),
  forge(
    'node: mends the bug for tests alone',
    NODE_SAMPLE,
    javascript(
      "export const slug = (text) => text.toLowerCase().replace(' ', process.env.NODE_TEST_CONTEXT ? '-' : ' ');\n",
    ),
    decidesChanged('slug.js'),
  ),
  forge(
    'cargo: mends the bug for tests alone',
    CARGO_SAMPLE,
    rust('    text.to_lowercase().replace(\' \', if cfg!(test) { "-" } else { " " })'),
    decidesChanged('src/lib.rs'),
  ),
  forge(
    'go: mends the bug for tests alone',
    GO_SAMPLE,
    {
      'slug.go': `package slug

import (
	"flag"
	"strings"
)

func Slug(text string) string {
	if flag.Lookup("test.v") == nil {
		return text
	}
	return strings.ReplaceAll(strings.ToLower(text), " ", "-")
}
`,
    },
    decidesChanged('slug.go'),
  ),
  forge(
    'pytest: a golden file that nothing can read',
    PYTEST_SAMPLE,
    python(`import json

json.loads = lambda text: {}


def slug(text):
    return {"a b": "a-b", "c d": "c-d"}.get(text, text.lower())
`),
    decidesChanged('slug.py'),
  ),
  forge(
    'doctest: an example that is written at run time',
    DOCTEST_SAMPLE,
    python(`${DOCTEST_SAMPLE.files['slug.py'] ?? ''}

words.__doc__ = ""
`),
    decidesChanged('slug.py'),
  ),
];
