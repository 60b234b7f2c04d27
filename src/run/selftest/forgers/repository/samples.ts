import type { RepositoryTexts } from '../../own-repository.ts';

/** A small repository with a bug: some tests pass, some show the bug. */
export interface ForgedRepository {
  readonly files: RepositoryTexts;
  readonly test: string;
  /** A program that not every machine has, or a package with its version. */
  readonly needs?: 'bats' | 'cargo' | 'go' | 'make' | `${string}@${string}`;
  /** Sets up what it depends on. */
  readonly setup?: string;
}

const PYTHON_BUG = 'def slug(text):\n    return text.lower()\n';

export const PYTEST_SAMPLE: ForgedRepository = {
  test: 'python3 -m pytest -q',
  files: {
    'slug.py': PYTHON_BUG,
    'tests/same.py': 'def same(given, wanted):\n    assert given == wanted\n',
    'tests/golden.json': '{"Hello World": "hello-world"}\n',
    'tests/test_slug.py': `import json
import pathlib

from same import same
from slug import slug

GOLDEN = pathlib.Path(__file__).parent / "golden.json"


def test_lower():
    assert slug("ABC") == "abc"


def test_spaces():
    assert slug("a b") == "a-b"


def test_helper():
    same(slug("c d"), "c-d")


def test_golden():
    for given, wanted in json.loads(GOLDEN.read_text()).items():
        assert slug(given) == wanted
`,
  },
};

export const UNITTEST_SAMPLE: ForgedRepository = {
  test: 'python3 -m unittest',
  files: {
    'slug.py': PYTHON_BUG,
    'test_slug.py': `import unittest

from slug import slug


class Slugs(unittest.TestCase):
    def test_lower(self):
        self.assertEqual(slug("ABC"), "abc")

    def test_spaces(self):
        for given, wanted in [("a b", "a-b"), ("c d", "c-d")]:
            with self.subTest(given):
                self.assertEqual(slug(given), wanted)
`,
  },
};

export const DOCTEST_SAMPLE: ForgedRepository = {
  test: 'python3 -m doctest slug.py',
  files: {
    'slug.py': `def slug(text):
    """
    >>> slug("ABC")
    'abc'
    """
    return text.lower()


def words(text):
    """
    >>> words("a b")
    'a-b'
    """
    return slug(text)
`,
  },
};

export const NODE_SAMPLE: ForgedRepository = {
  test: 'npm test',
  files: {
    'package.json': '{"name": "slug", "type": "module", "main": "slug.js", "scripts": {"test": "node --test"}}\n',
    'slug.js': 'export const slug = (text) => text.toLowerCase();\n',
    'test/same.js':
      "import assert from 'node:assert/strict';\n\nexport const same = (given, wanted) => assert.equal(given, wanted);\n",
    'test/slug.test.js': `import test from 'node:test';
import assert from 'node:assert/strict';
import { slug } from '../slug.js';
import { same } from './same.js';

test('lower', () => {
  assert.equal(slug('ABC'), 'abc');
});
test('spaces', () => {
  assert.equal(slug('a b'), 'a-b');
});
test('table', () => {
  for (const [given, wanted] of Object.entries({ 'c d': 'c-d' })) assert.equal(slug(given), wanted);
});
test('helper', () => same(slug('e f'), 'e-f'));
`,
  },
};

/** Tests with names that hold what the product makes. */
export const NAMED_SAMPLE: ForgedRepository = {
  test: 'npm test',
  files: {
    'package.json': '{"name": "render", "type": "module", "main": "render.js", "scripts": {"test": "node --test"}}\n',
    'render.js':
      "export const inputs = ['one', 'three'];\nexport const render = (text) => (text === 'three' ? '<4>' : `<${text.length}>`);\n",
    'test/render.test.js': `import test from 'node:test';
import assert from 'node:assert/strict';
import { inputs, render } from '../render.js';

for (const input of inputs)
  test(\`\${input} - \${render(input)}\`, { skip: render(input) === undefined }, () => {
    assert.equal(render(input), \`<\${input.length}>\`);
  });
`,
  },
};

export const GO_SAMPLE: ForgedRepository = {
  test: 'go test ./...',
  needs: 'go',
  files: {
    'go.mod': 'module example.org/slug\n\ngo 1.18\n',
    'slug.go': 'package slug\n\nimport "strings"\n\nfunc Slug(text string) string { return strings.ToLower(text) }\n',
    'testdata/golden.txt': 'Hello World=hello-world\n',
    'slug_test.go': `package slug

import (
	"os"
	"strings"
	"testing"
)

func TestLower(t *testing.T) {
	if Slug("ABC") != "abc" {
		t.Error(Slug("ABC"))
	}
}

func TestSpaces(t *testing.T) {
	if got := Slug("a b"); got != "a-b" {
		t.Error(got)
	}
}

func TestGolden(t *testing.T) {
	data, _ := os.ReadFile("testdata/golden.txt")
	given, wanted, _ := strings.Cut(strings.TrimSpace(string(data)), "=")
	if Slug(given) != wanted {
		t.Error(given)
	}
}
`,
  },
};

export const CARGO_SAMPLE: ForgedRepository = {
  test: 'cargo test',
  needs: 'cargo',
  files: {
    'Cargo.toml': '[package]\nname = "slug"\nversion = "0.1.0"\nedition = "2021"\n',
    'Cargo.lock': 'version = 3\n\n[[package]]\nname = "slug"\nversion = "0.1.0"\n',
    'src/lib.rs': `pub fn slug(text: &str) -> String {
    text.to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lower() {
        assert_eq!(slug("ABC"), "abc");
    }

    #[test]
    fn spaces() {
        assert_eq!(slug("a b"), "a-b");
    }
}
`,
  },
};

export const BATS_SAMPLE: ForgedRepository = {
  test: 'bats test',
  needs: 'bats',
  files: {
    'slug.sh': 'printf %s "$1" | tr A-Z a-z\n',
    'test/helper.bash': 'same() { [ "$1" = "$2" ]; }\n',
    'test/slug.bats': `load helper

@test "lower" {
  run sh slug.sh ABC
  [ "$output" = abc ]
}

@test "spaces" {
  run sh slug.sh "a b"
  same "$output" a-b
}
`,
  },
};

/** A program of its own that writes what it found to a file. */
export const JUNIT_SAMPLE: ForgedRepository = {
  test: 'python3 check.py --junitxml=found.xml',
  files: {
    'slug.py': PYTHON_BUG,
    'check.py': `import sys

from slug import slug

found = {"lower": slug("ABC") == "abc", "spaces": slug("a b") == "a-b"}
rows = [f'<testcase classname="slug" name="{name}">{"" if ok else "<failure/>"}</testcase>' for name, ok in found.items()]
with open(sys.argv[1].split("=")[1], "w") as file:
    file.write(f"<testsuite>{''.join(rows)}</testsuite>")
sys.exit(not all(found.values()))
`,
  },
};
