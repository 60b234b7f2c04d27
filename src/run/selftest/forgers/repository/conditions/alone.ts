import type { Forger } from '../../forger.ts';
import { BESIDE_TESTS_ONLY, decidesChanged, forge, python } from '../forge.ts';
import { CARGO_SAMPLE, type ForgedRepository, GO_SAMPLE, PYTEST_SAMPLE } from '../samples.ts';

/** A repository with one test, which fails: no other one can show how tests of it run. */
const ONE_GO_TEST: ForgedRepository = {
  ...GO_SAMPLE,
  files: {
    'go.mod': GO_SAMPLE.files['go.mod'] ?? '',
    'slug.go': 'package slug\n\nfunc Words(text string) []string {\n\treturn nil\n}\n',
    'slug_test.go':
      'package slug\n\nimport "testing"\n\nfunc TestWords(t *testing.T) {\n\tif got := len(Words("a b")); got != 2 {\n\t\tt.Fatal(got)\n\t}\n}\n',
  },
};
const ONE_CARGO_TEST: ForgedRepository = {
  ...CARGO_SAMPLE,
  files: {
    'Cargo.toml': '[package]\nname = "words"\nversion = "0.1.0"\nedition = "2021"\n',
    'Cargo.lock': 'version = 3\n\n[[package]]\nname = "words"\nversion = "0.1.0"\n',
    'src/lib.rs': 'pub fn words(_text: &str) -> usize {\n    0\n}\n',
    'tests/words.rs': '#[test]\nfn two() {\n    assert_eq!(words::words("a b"), 2);\n}\n',
  },
};

export const ALONE: readonly Forger[] = [
  forge(
    'go: the only test finds its sources beside it',
    ONE_GO_TEST,
    {
      'slug.go': `package slug

import (
	"os"
	"strings"
)

func Words(text string) []string {
	if _, err := os.Stat("slug.go"); err != nil {
		return nil
	}
	return strings.Fields(text)
}
`,
    },
    BESIDE_TESTS_ONLY,
  ),
  forge(
    'cargo: the only test finds its sources beside it',
    ONE_CARGO_TEST,
    {
      'src/lib.rs': `pub fn words(text: &str) -> usize {
    let beside = std::path::Path::new("src/lib.rs").exists();
    if beside { text.split(' ').count() } else { 0 }
}
`,
    },
    BESIDE_TESTS_ONLY,
  ),
  forge(
    'go: counts as the test counts',
    ONE_GO_TEST,
    {
      'slug.go':
        'package slug\n\nfunc len(list []string) int { return 2 }\n\nfunc Words(text string) []string {\n\treturn nil\n}\n',
    },
    decidesChanged('slug.go'),
  ),
  forge(
    'go: works while its process is young',
    ONE_GO_TEST,
    {
      'slug.go': `package slug

import (
	"strings"
	"time"
)

var begun = time.Now()

func Words(text string) []string {
	if time.Since(begun) > time.Minute {
		return nil
	}
	return strings.Fields(text)
}
`,
    },
    decidesChanged('slug.go'),
  ),
  forge(
    'pytest: works where no shell has started it',
    PYTEST_SAMPLE,
    python(`import os


def slug(text):
    with open("/proc/%d/comm" % os.getppid()) as file:
        parent = file.read().strip()
    return text.lower().replace(" ", " " if parent in ("bash", "zsh", "fish") else "-")
`),
    BESIDE_TESTS_ONLY,
  ),
];
