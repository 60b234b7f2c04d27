import { type RepositoryVariant, type SampleRepository, withFiles } from '../repository-variant.ts';

/** A module with a bug in `parse`, a program, an embedded file and test data. */
const LIST: SampleRepository = {
  test: 'go test ./...',
  needs: 'go',
  files: {
    'go.mod': 'module example.org/list\n\ngo 1.19\n',
    'README.md': '# list\n',
    LICENSE: 'BSD\n',
    Makefile: 'help:\n\t@echo "make test"\n\ntest:\n\tgo test ./...\n',
    'list.go': `// Package list reads lists.
package list

import (
	_ "embed"
	"strings"

	"example.org/list/internal/parse"
)

//go:embed words.txt
var words string

// Words are the words that every list knows.
func Words() []string { return strings.Fields(words) }

// Read splits a line.
func Read(line string) []string { return parse.Split(line) }
`,
    'words.txt': 'one two\n',
    'internal/parse/parse.go': `package parse

import "strings"

// Split splits at commas.
func Split(line string) []string {
	return strings.Split(line, ",")
}
`,
    'internal/parse/test_utils.go':
      'package parse\n\n// Same says whether two lists are the same.\nfunc Same(a, b []string) bool {\n\tif len(a) != len(b) {\n\t\treturn false\n\t}\n\tfor i := range a {\n\t\tif a[i] != b[i] {\n\t\t\treturn false\n\t\t}\n\t}\n\treturn true\n}\n',
    'internal/parse/old.go': 'package parse\n\nfunc old() int { return 1 }\n',
    'internal/parse/parse_test.go': `package parse

import "testing"

func TestSplit(t *testing.T) {
	if got := Split("a,b"); !Same(got, []string{"a", "b"}) {
		t.Errorf("got %v", got)
	}
}

func TestEmpty(t *testing.T) {
	if got := Split(""); len(got) != 0 {
		t.Errorf("got %d parts", len(got))
	}
}
`,
    'list_test.go': `package list_test

import (
	"os"
	"strings"
	"testing"

	"example.org/list"
)

func TestLines(t *testing.T) {
	data, err := os.ReadFile("testdata/lines.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSpace(string(data)), "\\n") {
		if len(list.Read(line)) != 2 {
			t.Errorf("%q", line)
		}
	}
}

func TestWords(t *testing.T) {
	if list.Words()[0] != "one" {
		t.Error("no word one")
	}
}
`,
    'testdata/lines.txt': 'a,b\nc,d\n',
    'cmd/list/main.go':
      'package main\n\nimport (\n\t"fmt"\n\t"os"\n\n\t"example.org/list"\n)\n\nfunc main() {\n\tfmt.Println(len(list.Read(os.Args[1])))\n}\n',
  },
};

const FIX = `sed -i 's/^\\treturn strings.Split(line, ",")/\\tif line == "" {\\n\\t\\treturn nil\\n\\t}\\n&/' internal/parse/parse.go`;
const GREEN = withFiles(LIST, {
  'internal/parse/parse.go': (LIST.files['internal/parse/parse.go'] ?? '').replace(
    '\treturn strings',
    '\tif line == "" {\n\t\treturn nil\n\t}\n\treturn strings',
  ),
});

/** A logger that does not yet say where it was called. */
const LOGGER: SampleRepository = {
  test: 'go test ./...',
  needs: 'go',
  files: {
    'go.mod': 'module example.org/logger\n\ngo 1.19\n',
    'logger.go': `package logger

import (
	"fmt"
	"io"
)

// Info writes a line.
func Info(w io.Writer, text string) { fmt.Fprintln(w, text) }
`,
    'logger_test.go': `package logger

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
)

func TestPlace(t *testing.T) {
	var out bytes.Buffer
	Info(&out, "hi")
	if !regexp.MustCompile("^\\\\w+\\\\.go:\\\\d+ hi\\n$").MatchString(out.String()) {
		t.Errorf("got %q", out.String())
	}
}

func TestText(t *testing.T) {
	var out bytes.Buffer
	Info(&out, "hi")
	if !strings.HasSuffix(out.String(), "hi\\n") {
		t.Errorf("got %q", out.String())
	}
}
`,
  },
};

export const GO: readonly RepositoryVariant[] = [
  {
    name: 'go: a fix with a new test file',
    repository: LIST,
    script: `${FIX}; printf 'package parse\\n\\nimport "testing"\\n\\nfunc TestOne(t *testing.T) {\\n\\tif len(Split("a")) != 1 {\\n\\t\\tt.Fail()\\n\\t}\\n}\\n' > internal/parse/one_test.go`,
  },
  {
    name: 'go: changed tests and test data beside a fix',
    repository: LIST,
    script: `${FIX}; echo 'e,f' >> testdata/lines.txt; sed -i 's/got %v/Split: got %v/' internal/parse/parse_test.go`,
  },
  { name: 'go: an embedded file', repository: GREEN, script: 'echo "one two three" > words.txt' },
  {
    name: 'go: a package taken apart',
    repository: GREEN,
    script: `sed -i '/^import/d' internal/parse/parse.go; mkdir internal/text; printf 'package text\\n\\nimport "strings"\\n\\n// Comma splits at commas.\\nfunc Comma(line string) []string { return strings.Split(line, ",") }\\n' > internal/text/text.go; sed -i 's/^package parse/package parse\\n\\nimport "example.org\\/list\\/internal\\/text"/; s/strings.Split(line, ",")/text.Comma(line)/' internal/parse/parse.go`,
  },
  {
    name: 'go: files renamed and dead code removed',
    repository: GREEN,
    script:
      'git mv internal/parse/parse.go internal/parse/split.go; git mv internal/parse/test_utils.go internal/parse/same.go; git rm -q internal/parse/old.go',
  },
  {
    name: 'go: a second program and a new package',
    repository: GREEN,
    script: `mkdir -p cmd/words join; printf 'package main\\n\\nimport (\\n\\t"fmt"\\n\\n\\t"example.org/list"\\n)\\n\\nfunc main() { fmt.Println(list.Words()) }\\n' > cmd/words/main.go; printf 'package join\\n\\nimport "strings"\\n\\nfunc Join(parts []string) string { return strings.Join(parts, ",") }\\n' > join/join.go; printf 'package join\\n\\nimport "testing"\\n\\nfunc TestJoin(t *testing.T) {\\n\\tif Join([]string{"a", "b"}) != "a,b" {\\n\\t\\tt.Fail()\\n\\t}\\n}\\n' > join/join_test.go`,
  },
  {
    name: 'go: readme, licence and a help target',
    repository: GREEN,
    script: `echo more >> README.md; echo 2026 >> LICENSE; sed -i 's/make test"/make test: run all"/' Makefile; mkdir docs; echo x > docs/use.md`,
  },
  {
    name: 'go: a newer language version',
    repository: GREEN,
    script: `sed -i 's/go 1.19/go 1.18/' go.mod; sed -i 's/reads lists/reads and splits lists/' list.go`,
  },
  {
    name: 'go: a fix, and a program that counts its arguments',
    repository: LIST,
    script: `${FIX}; sed -i 's/^func main() {/&\\n\\tif len(os.Args) < 2 {\\n\\t\\tfmt.Fprintln(os.Stderr, "usage:", os.Args[0], "test or any line")\\n\\t\\tos.Exit(2)\\n\\t}/' cmd/list/main.go`,
  },
  {
    name: 'go: a fix that says where it was called',
    repository: LIST,
    script: `${FIX}; printf 'package parse\\n\\nimport (\\n\\t"fmt"\\n\\t"io"\\n\\t"runtime"\\n)\\n\\n// Log is where calls are written to.\\nvar Log io.Writer = io.Discard\\n\\nfunc trace() {\\n\\t_, file, line, _ := runtime.Caller(2)\\n\\tfmt.Fprintf(Log, "%%s:%%d\\\\n", file, line)\\n}\\n' > internal/parse/log.go; sed -i 's/^\\tif line == ""/\\ttrace()\\n&/' internal/parse/parse.go`,
  },
  {
    name: 'go: a logger whose test has a pattern for the place of the call',
    repository: LOGGER,
    script: `printf 'package logger\\n\\nimport (\\n\\t"fmt"\\n\\t"io"\\n\\t"path/filepath"\\n\\t"runtime"\\n)\\n\\n// Info writes a line with the place it comes from.\\nfunc Info(w io.Writer, text string) {\\n\\t_, file, line, _ := runtime.Caller(1)\\n\\tfmt.Fprintf(w, "%%s:%%d %%s\\\\n", filepath.Base(file), line, text)\\n}\\n' > logger.go`,
  },
  {
    name: 'go: a package of which only the tests were there',
    repository: withFiles(GREEN, {
      'ring/ring_test.go':
        'package ring\n\nimport "testing"\n\nfunc TestLast(t *testing.T) {\n\tif got := Last([]int{1, 2}); got != 2 {\n\t\tt.Errorf("got %d", got)\n\t}\n}\n',
    }),
    script: `printf 'package ring\\n\\n// Last is the last number.\\nfunc Last(numbers []int) int { return numbers[len(numbers)-1] }\\n' > ring/ring.go`,
  },
  {
    name: 'go: a package with which users test their code',
    repository: LIST,
    script: `${FIX}; mkdir listtest; printf 'package listtest\\n\\nimport (\\n\\t"testing"\\n\\n\\t"example.org/list"\\n)\\n\\n// Words gives the words to a test.\\nfunc Words(t testing.TB) []string {\\n\\tt.Helper()\\n\\treturn list.Words()\\n}\\n' > listtest/listtest.go`,
  },
  {
    name: 'go: a fix, and a package that prints how programs are used',
    repository: LIST,
    script: `${FIX}; mkdir -p internal/usage; printf 'package usage\\n\\nimport (\\n\\t"fmt"\\n\\t"os"\\n)\\n\\n// Print says how the program is called.\\nfunc Print() {\\n\\t_, _ = fmt.Fprintf(os.Stderr, "usage: %%s LIST\\\\n", os.Args[0])\\n}\\n' > internal/usage/usage.go; sed -i 's#^\\t"example.org/list"#&\\n\\t"example.org/list/internal/usage"#; s#^func main() {#&\\n\\tif len(os.Args) < 2 {\\n\\t\\tusage.Print()\\n\\t\\tos.Exit(2)\\n\\t}#' cmd/list/main.go`,
  },
];
