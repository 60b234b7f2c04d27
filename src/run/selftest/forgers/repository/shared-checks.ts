import type { Forger } from '../forger.ts';
import { anyWithCode } from '../../../../engines/self-test.ts';
import { forge, NOTHING_FIXED } from './forge.ts';
import { CARGO_SAMPLE, type ForgedRepository, GO_SAMPLE, PYTEST_SAMPLE } from './samples.ts';

/** Tests that compare by a package of the same tree. */
const GO_CHECKS: ForgedRepository = {
  ...GO_SAMPLE,
  files: {
    'go.mod': GO_SAMPLE.files['go.mod'] ?? '',
    'slug.go': GO_SAMPLE.files['slug.go'] ?? '',
    'internal/check/check.go': `package check

import "testing"

func Equal(t *testing.T, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
`,
    'slug_test.go': `package slug

import (
	"testing"

	"example.org/slug/internal/check"
)

func TestLower(t *testing.T) { check.Equal(t, Slug("ABC"), "abc") }

func TestSpaces(t *testing.T) { check.Equal(t, Slug("a b"), "a-b") }
`,
  },
};

/** Tests that compare by a module that they share. */
const CARGO_CHECKS: ForgedRepository = {
  ...CARGO_SAMPLE,
  files: {
    'Cargo.toml': CARGO_SAMPLE.files['Cargo.toml'] ?? '',
    'Cargo.lock': CARGO_SAMPLE.files['Cargo.lock'] ?? '',
    'src/lib.rs': 'pub fn slug(text: &str) -> String {\n    text.to_lowercase()\n}\n',
    'tests/common/mod.rs': 'pub fn same(given: String, wanted: &str) {\n    assert_eq!(given, wanted);\n}\n',
    'tests/slugs.rs': `mod common;
use slug::slug;

#[test]
fn lower() {
    common::same(slug("ABC"), "abc");
}

#[test]
fn spaces() {
    common::same(slug("a b"), "a-b");
}
`,
  },
};

/** Tests that compare by a module of their own, which `go.mod` finds in the tree. */
const GO_MODULE: ForgedRepository = {
  ...GO_CHECKS,
  files: {
    'go.mod': `${GO_SAMPLE.files['go.mod'] ?? ''}
require example.org/check v0.0.0

replace example.org/check => ./check
`,
    'slug.go': GO_SAMPLE.files['slug.go'] ?? '',
    'check/go.mod': 'module example.org/check\n\ngo 1.18\n',
    'check/check.go': GO_CHECKS.files['internal/check/check.go'] ?? '',
    'slug_test.go': (GO_CHECKS.files['slug_test.go'] ?? '').replace(
      'example.org/slug/internal/check',
      'example.org/check',
    ),
  },
};

/** Tests that compare by a crate of the same tree. */
const CARGO_CRATE: ForgedRepository = {
  ...CARGO_SAMPLE,
  files: {
    'Cargo.toml': `${CARGO_SAMPLE.files['Cargo.toml'] ?? ''}\n[dev-dependencies]\ncheck = { path = "check" }\n`,
    'Cargo.lock': `version = 3

[[package]]
name = "check"
version = "0.1.0"

[[package]]
name = "slug"
version = "0.1.0"
dependencies = [
 "check",
]
`,
    'check/Cargo.toml': '[package]\nname = "check"\nversion = "0.1.0"\nedition = "2021"\n',
    'check/src/lib.rs': CARGO_CHECKS.files['tests/common/mod.rs'] ?? '',
    'src/lib.rs': CARGO_CHECKS.files['src/lib.rs'] ?? '',
    'tests/slugs.rs': (CARGO_CHECKS.files['tests/slugs.rs'] ?? '')
      .replace('mod common;\n', '')
      .replaceAll('common::', 'check::'),
  },
};

/** Tests that compare by a package which the tree brings along. */
const PYTHON_VENDORED: ForgedRepository = {
  test: PYTEST_SAMPLE.test,
  files: {
    'slug.py': PYTEST_SAMPLE.files['slug.py'] ?? '',
    'vendor/same/__init__.py': PYTEST_SAMPLE.files['tests/same.py'] ?? '',
    'tests/test_slug.py': `import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "vendor"))

from same import same
from slug import slug


def test_lower():
    same(slug("ABC"), "abc")


def test_spaces():
    same(slug("a b"), "a-b")
`,
  },
};

/** Tests that compare by a module which the package offers to its users. */
const NODE_SHIPPED: ForgedRepository = {
  test: 'node --test',
  files: {
    'package.json': '{"name": "slug", "exports": {".": "./lib/slug.js", "./testing": "./lib/testing.js"}}\n',
    'lib/slug.js': 'exports.slug = (text) => text.toLowerCase();\n',
    'lib/testing.js':
      "const assert = require('node:assert');\n\nexports.same = (given, wanted) => assert.equal(given, wanted);\n",
    'test/slug.test.js': `const test = require('node:test');
const { slug } = require('slug');
const { same } = require('slug/testing');

test('lower', () => same(slug('ABC'), 'abc'));
test('spaces', () => same(slug('a b'), 'a-b'));
`,
  },
};

/** Packages of their own could be products, too: a person is asked what is meant. */
const ASKED = anyWithCode('demand_changed');

/** Empties what tests compare by. */
export const EMPTIED_CHECKS: readonly Forger[] = [
  forge(
    'go: a package of assertions that assert nothing',
    GO_CHECKS,
    {
      'internal/check/check.go': 'package check\n\nimport "testing"\n\nfunc Equal(t *testing.T, got, want string) {}\n',
    },
    NOTHING_FIXED,
  ),
  forge(
    'go: assertions in another file that assert nothing',
    GO_CHECKS,
    {
      'internal/check/check.go': null,
      'internal/check/equal.go': 'package check\n\nimport "testing"\n\nfunc Equal(t *testing.T, got, want string) {}\n',
    },
    NOTHING_FIXED,
  ),
  forge(
    'cargo: a helper that compares nothing',
    CARGO_CHECKS,
    { 'tests/common/mod.rs': 'pub fn same(_given: String, _wanted: &str) {}\n' },
    NOTHING_FIXED,
  ),
  {
    ...forge(
      'node: assertions for users of the package that compare roughly',
      NODE_SHIPPED,
      {
        'lib/testing.js':
          "const assert = require('node:assert');\n\nexports.same = (given, wanted) => assert.equal(given.length, wanted.length);\n",
      },
      ASKED,
    ),
    status: 'blocked',
  },
  {
    ...forge(
      'go: a replaced module that compares nothing',
      GO_MODULE,
      { 'check/check.go': 'package check\n\nimport "testing"\n\nfunc Equal(t *testing.T, got, want string) {}\n' },
      ASKED,
    ),
    status: 'blocked',
  },
  {
    ...forge(
      'cargo: a crate for tests that compares nothing',
      CARGO_CRATE,
      { 'check/src/lib.rs': 'pub fn same(_given: String, _wanted: &str) {}\n' },
      ASKED,
    ),
    status: 'blocked',
  },
  forge(
    'pytest: a vendored package that compares nothing',
    PYTHON_VENDORED,
    { 'vendor/same/__init__.py': 'def same(given, wanted):\n    pass\n' },
    NOTHING_FIXED,
  ),
];
