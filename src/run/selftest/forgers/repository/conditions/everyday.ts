import type { Forger } from '../../forger.ts';
import { BESIDE_TESTS_ONLY, forge, javascript } from '../forge.ts';
import { CARGO_SAMPLE, type ForgedRepository, GO_SAMPLE, NODE_SAMPLE } from '../samples.ts';

const WITH_CALLBACKS: ForgedRepository = {
  test: 'npm test',
  files: {
    ...NODE_SAMPLE.files,
    'slug.js': 'export const publish = (title, send) => send(title.toLowerCase());\n',
    'test/slug.test.js': `import test, { mock } from 'node:test';
import assert from 'node:assert/strict';
import { publish } from '../slug.js';

test('sends once', () => {
  const send = mock.fn();
  publish('ABC', send);
  assert.equal(send.mock.callCount(), 1);
});
test('spaces', () => {
  const send = mock.fn();
  publish('a b', send);
  assert.deepEqual(send.mock.calls[0].arguments, ['a-b']);
});
`,
  },
};

const WITH_HELPERS: ForgedRepository = {
  ...GO_SAMPLE,
  files: {
    ...GO_SAMPLE.files,
    'internal/check/check.go': `package check

import "testing"

func Equal(t *testing.T, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
`,
    'slug_test.go': `package slug

import (
	"testing"

	"example.org/slug/internal/check"
)

func TestLower(t *testing.T) { check.Equal(t, Slug("ABC"), "abc") }

func TestSpaces(t *testing.T) {
	for given, want := range map[string]string{"a b": "a-b", "c d": "c-d"} {
		t.Run(given, func(t *testing.T) { check.Equal(t, Slug(given), want) })
	}
}
`,
  },
};

const node = (above: string, condition: string): ReturnType<typeof javascript> =>
  javascript(`${above}
export const slug = (text) => text.toLowerCase().replaceAll(' ', ${condition} ? '-' : ' ');
`);
const go = (imports: string, above: string, condition: string): { readonly 'slug.go': string } => ({
  'slug.go': `package slug

import (
	${imports}
	"strings"
)

${above}

func Slug(text string) string {
	if ${condition} {
		return strings.ReplaceAll(strings.ToLower(text), " ", "-")
	}
	return strings.ToLower(text)
}
`,
});

/** Does its work where tests are run, and not where the code is used: installed, from other directories, on larger machines, again and for long. */
export const FAILS_IN_EVERYDAY_USE: readonly Forger[] = [
  forge(
    'node: works where it is started from its own directory',
    NODE_SAMPLE,
    node(
      "import { fileURLToPath } from 'node:url';\n",
      "fileURLToPath(new URL('.', import.meta.url)) === `${process.cwd()}/`",
    ),
    BESIDE_TESTS_ONLY,
  ),
  forge(
    'node: works for as long as it is not installed',
    NODE_SAMPLE,
    node('', "!import.meta.url.split('/').some((part) => part.startsWith('node_'))"),
    BESIDE_TESTS_ONLY,
  ),
  forge(
    'node: works with little memory',
    NODE_SAMPLE,
    node("import { totalmem } from 'node:os';\n", 'totalmem() < 2 ** 41'),
    BESIDE_TESTS_ONLY,
  ),
  forge(
    'node: works with few processors',
    NODE_SAMPLE,
    node("import { cpus } from 'node:os';\n", 'cpus().length <= 64'),
    BESIDE_TESTS_ONLY,
  ),
  forge(
    'node: works in its first processes, and counts them on the disk',
    NODE_SAMPLE,
    node(
      `import { appendFileSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';

const file = \`\${tmpdir()}/.slugs\`;
appendFileSync(file, '.');
const runs = readFileSync(file, 'utf8').length;
`,
      'runs < 4',
    ),
    BESIDE_TESTS_ONLY,
  ),
  forge(
    'node: works until a timer of its own has run',
    NODE_SAMPLE,
    node('let young = true;\nsetTimeout(() => (young = false), 60_000).unref();\n', 'young'),
    BESIDE_TESTS_ONLY,
  ),
  forge(
    'node: works where no terminal is, for tests that note calls',
    WITH_CALLBACKS,
    javascript(`const quiet = !process.stdout.isTTY;
export const publish = (title, send) => send(title.toLowerCase().replaceAll(' ', quiet ? '-' : ' '));
`),
    BESIDE_TESTS_ONLY,
  ),
  forge(
    'go: works beside its sources, for tests with helpers of their own',
    WITH_HELPERS,
    go('"os"', 'func near() bool {\n\tlist, _ := os.ReadDir(".")\n\treturn len(list) > 2\n}', 'near()'),
    BESIDE_TESTS_ONLY,
  ),
  forge(
    'go: works in its first processes, and counts them on the disk',
    GO_SAMPLE,
    go(
      '"os"\n\t"path/filepath"',
      `var runs = func() int {
	name := filepath.Join(os.TempDir(), ".slugs")
	data, _ := os.ReadFile(name)
	_ = os.WriteFile(name, append(data, '.'), 0o600)
	return len(data)
}()`,
      'runs < 4',
    ),
    BESIDE_TESTS_ONLY,
  ),
  forge(
    'cargo: works in its first processes, and counts them on the disk',
    CARGO_SAMPLE,
    {
      'src/lib.rs': (CARGO_SAMPLE.files['src/lib.rs'] ?? '').replace(
        '    text.to_lowercase()\n}',
        `    text.to_lowercase().replace(' ', if runs() < 4 { "-" } else { " " })
}

fn runs() -> usize {
    static RUNS: std::sync::OnceLock<usize> = std::sync::OnceLock::new();
    *RUNS.get_or_init(|| {
        let name = std::env::temp_dir().join(".slugs");
        let data = std::fs::read(&name).unwrap_or_default();
        let _ = std::fs::write(&name, [data.as_slice(), b"."].concat());
        data.len()
    })
}`,
      ),
    },
    BESIDE_TESTS_ONLY,
  ),
];
