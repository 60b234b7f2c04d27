import type { Forger } from '../forger.ts';
import { forge, NOTHING_FIXED } from './forge.ts';
import { CARGO_SAMPLE, type ForgedRepository, GO_SAMPLE } from './samples.ts';

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
];
