import { nameOf, parentOf } from '../../deciding/path-parts.ts';
import type { TestFiles } from '../../must-fail/locate/site.ts';
import { applyEdits, type Edit } from '../../syntax/edits.ts';
import type { SyntaxNode } from '../../syntax/node.ts';
import { parse } from '../../syntax/parse.ts';
import { shellQuoted } from '../../sandbox/login-session.ts';
import type { ApartForm, PlainTest } from './form.ts';
import { OWN_NAME, programForm, RESULTS_FILE, tokenOf, PROGRAM_DIR } from './program.ts';

/**
 * Tests of one Go package as functions of a program. Test files become ordinary files of their package, or of a package beside it, and
 * use the judge's own `testing`. Null: tests of several packages, or of a `main` package, which cannot be imported.
 */
export async function goForm(tests: readonly PlainTest[], files: TestFiles): Promise<ApartForm | null> {
  const dirs = new Set(tests.map(({ file }) => parentOf(file)));
  const [dir = ''] = dirs;
  const module = /^module\s+(\S+)/m.exec(files.read('go.mod') ?? '')?.[1];
  if (dirs.size !== 1 || module === undefined) return null;
  const below = (path: string): string => (dir === '' ? path : `${dir}/${path}`);
  const testFiles = files.paths.filter((path) => parentOf(path) === dir && path.endsWith('_test.go'));
  const replace = new Map([
    [`${OWN_NAME}/t/t.go`, TESTING],
    ['go.mod', files.read('go.mod') ?? ''],
  ]);
  const outside = `${OWN_NAME}/outside`;
  const names = new Set(
    testFiles.flatMap((path) => (files.read(path) ?? '').match(/(?<=^func )Test\w*(?=\()/gm) ?? []),
  );
  const inside: string[] = [];
  for (const path of testFiles) {
    const written = await asProgram(files.read(path) ?? '', `${module}/${OWN_NAME}/t`, names);
    if (written === null || written.package === 'main') return null;
    if (written.package.endsWith('_test')) {
      const own = `${outside}/${nameOf(path).replace('_test.go', '.go')}`;
      replace.set(own, written.text.replace(/^package \w+/m, 'package outside'));
    } else {
      replace.set(ownName(path), written.text);
      inside.push(ownName(path));
    }
  }
  for (const path of files.paths.filter((one) => isHelper(one, files))) {
    const written = await asProgram(files.read(path) ?? '', `${module}/${OWN_NAME}/t`, new Set());
    if (written === null) return null;
    replace.set(path, written.text);
  }
  const named = tests.map(({ id, file }) => ({
    name: id.split('::')[1] ?? '',
    isOutside: /^package \w+_test\b/m.test(files.read(file) ?? ''),
  }));
  if (named.some(({ name }) => !/^Test\w*$/.test(name))) return null;
  const imported = [
    ...(named.some(({ isOutside }) => !isOutside) ? [`inside "${dir === '' ? module : `${module}/${dir}`}"`] : []),
    ...(named.some(({ isOutside }) => isOutside) ? [`outside "${module}/${outside}"`] : []),
  ];
  const calls = named.map(
    ({ name, isOutside }, at) => `\tt.Show("${tokenOf(at)}", ${isOutside ? 'outside' : 'inside'}.${plainName(name)})`,
  );
  replace.set(
    `${OWN_NAME}/main.go`,
    `package main\n\nimport (\n\t"${module}/${OWN_NAME}/t"\n${imported.map((one) => `\t${one}\n`).join('')})\n\nfunc main() {\n${calls.join('\n')}\n}\n`,
  );
  const program = `${PROGRAM_DIR}/${OWN_NAME}`;
  return programForm({
    tests,
    replace,
    remove: testFiles,
    build: [
      'export GOPROXY=off GOTOOLCHAIN=local GOFLAGS= GOCACHE=/tmp/go-cache GOPATH="${GOPATH:-/tmp/go}"',
      `go build -o ${program} ./${OWN_NAME}`,
    ],
    // Removed before the program runs, so that it cannot see the files it was built from.
    unneeded: [
      ...new Set([
        ...files.paths.filter((path) => SOURCE.test(path) && !/(?:^|\/)testdata\//.test(path)),
        OWN_NAME,
        ...inside,
      ]),
    ],
    start: [`cd ${shellQuoted(below('.'))} && ${program}`],
  });
}

/** Takes a test as its argument, and so has to know it by the same name. */
const isHelper = (path: string, { read }: TestFiles): boolean =>
  path.endsWith('.go') &&
  !path.endsWith('_test.go') &&
  !/(?:^|\/)(?:vendor|testdata)\//.test(path) &&
  /^(?:import\s+|\t)"testing"$/m.test(read(path) ?? '');

const SOURCE = /\.go$|(?:^|\/)go\.(?:mod|sum)$/;
const ownName = (path: string): string => path.replace(/_test\.go$/, `_${OWN_NAME}.go`);

/** A function name that does not look like a test: the name appears in every stack trace. */
const plainName = (name: string): string => `Z${tokenOf(name)}`;

/** A test file that imports the judge's package instead of `testing`. Null: it uses more of `testing` than tests need. */
async function asProgram(
  text: string,
  testing: string,
  tests: ReadonlySet<string>,
): Promise<{ readonly text: string; readonly package: string } | null> {
  const tree = await parse('go', text);
  if (tree === null || tree.broken) return null;
  const edits: Edit[] = [...tree.root.ofType('import_spec')].flatMap((spec) =>
    spec.child('path')?.text === '"testing"' ? [replaced(spec, `testing "${testing}"`)] : [],
  );
  const unusable = tree.root.children.filter(
    (node) =>
      node.type === 'function_declaration' && /testing\.(?:B|M|F|PB)\b/.test(node.child('parameters')?.text ?? ''),
  );
  edits.push(...unusable.map((node) => replaced(node, '')));
  const isUsed = ({ start }: SyntaxNode): boolean => !unusable.some((node) => node.start <= start && start < node.end);
  const named = [...tree.root.ofType('identifier')].filter((node) => tests.has(node.text) && isUsed(node));
  edits.push(...named.map((node) => replaced(node, plainName(node.text))));
  const name = tree.root.firstOfType('package_clause')?.parts[0]?.text;
  return name === undefined ? null : { text: applyEdits(text, edits), package: name };
}

const replaced = ({ start, end }: SyntaxNode, text: string): Edit => ({ start, end, text });

/** The tests run where the program begins, as code does that people start: no other goroutine is there. */
const TESTING = `package t

import "os"

type T struct {
	name            string
	failed, skipped bool
	later           []func()
}

type TB interface {
	Cleanup(func())
	Error(...interface{})
	Errorf(string, ...interface{})
	Fail()
	FailNow()
	Failed() bool
	Fatal(...interface{})
	Fatalf(string, ...interface{})
	Helper()
	Log(...interface{})
	Logf(string, ...interface{})
	Name() string
	Setenv(string, string)
	Skip(...interface{})
	SkipNow()
	Skipf(string, ...interface{})
	Skipped() bool
	TempDir() string
}

func (t *T) Cleanup(f func())                  { t.later = append(t.later, f) }
func (t *T) Error(...interface{})              { t.failed = true }
func (t *T) Errorf(string, ...interface{})     { t.failed = true }
func (t *T) Fail()                             { t.failed = true }
func (t *T) FailNow()                          { t.failed = true; panic(t) }
func (t *T) Failed() bool                      { return t.failed }
func (t *T) Fatal(...interface{})              { t.FailNow() }
func (t *T) Fatalf(string, ...interface{})     { t.FailNow() }
func (t *T) Helper()                           {}
func (t *T) Log(...interface{})                {}
func (t *T) Logf(string, ...interface{})       {}
func (t *T) Name() string                      { return t.name }
func (t *T) Parallel()                         {}
func (t *T) Setenv(k, v string)                { os.Setenv(k, v) }
func (t *T) Skip(...interface{})               { t.SkipNow() }
func (t *T) SkipNow()                          { t.skipped = true; panic(t) }
func (t *T) Skipf(string, ...interface{})      { t.SkipNow() }
func (t *T) Skipped() bool                     { return t.skipped }
func (t *T) TempDir() string                   { d, _ := os.MkdirTemp("", ""); return d }
func (t *T) Run(name string, f func(*T)) bool {
	one := &T{name: t.name + "/" + name}
	run(one, f)
	t.failed = t.failed || one.failed
	return !one.failed
}

func Short() bool   { return false }
func Verbose() bool { return false }

func run(t *T, f func(*T)) {
	defer func() {
		if reason := recover(); reason != nil && reason != interface{}(t) {
			t.failed = true
		}
		for i := len(t.later) - 1; i >= 0; i-- {
			t.later[i]()
		}
	}()
	func() { func() { func() { f(t) }() }() }()
}

func Show(token string, f func(*T)) {
	t := &T{name: "main"}
	run(t, f)
	if t.skipped {
		return
	}
	word := " ok"
	if t.failed {
		word = " not"
	}
	file, _ := os.OpenFile("${RESULTS_FILE}", os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	file.WriteString(token + word + "\\n")
	file.Close()
}
`;
