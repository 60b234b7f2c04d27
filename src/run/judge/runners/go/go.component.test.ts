import { reason } from '../../../../evidence/reasons/catalogue.ts';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test, type TestContext } from 'vitest';
import { someOf } from '../../../../kernel/some-of.fixture.ts';
import { findProgram } from '../../../../confine/tools/find-program.ts';
import { type Content, judgeCopies } from '../../judge-copies.fixture.ts';
import type { JudgeRequest, JudgeResult } from '../../types.ts';
import { workingProgram } from '../../working-program.fixture.ts';

const TIMEOUT = { timeout: 180_000 };
const go = workingProgram('go', 'version');

const MODULE = { 'go.mod': 'module example.org/slug\n\ngo 1.18\n' };
const HONEST = `package slug

import "strings"

func Slugify(text string) string {
	fields := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !(r >= 'a' && r <= 'z') })
	return strings.Join(fields, "-")
}
`;
const BASE = 'package slug\n\nfunc Slugify(text string) string { return text }\n';
const TESTS = {
  'slug_test.go': `package tests

import (
	"testing"

	"example.org/slug"
)

func TestWords(t *testing.T) {
	if got := slug.Slugify("Hello World"); got != "hello-world" {
		t.Fatalf("got %q", got)
	}
}

func TestOdd(t *testing.T) {
	for _, title := range []string{"a, b", "a - b!"} {
		t.Run("title "+title, func(t *testing.T) {
			if got := slug.Slugify(title); got != "a-b" {
				t.Fatalf("got %q", got)
			}
		})
	}
}
`,
};
const EXPECTED = ['TestWords', 'TestOdd', 'TestOdd/title_a,_b', 'TestOdd/title_a_-_b!'].map(
  (name) => `example.org/slug/tests::${name}`,
);

function judgeTree(
  context: TestContext,
  tree: Readonly<Record<string, string>>,
  terms: Partial<JudgeRequest> = {},
  tests: Content | null = TESTS,
  kind: 'bubblewrap' | 'none' = 'bubblewrap',
): Promise<JudgeResult> {
  if (go === null) context.skip('there is no go on this machine');
  return judgeCopies(
    { tree: { ...MODULE, ...tree }, tests },
    { testCommand: 'go test ./...', isolation: 'in_process', timeoutMs: 150_000, ...terms },
    kind,
  );
}

describe('sealed tests', () => {
  test('a correct patch passes, every test by its name', TIMEOUT, async (context) => {
    const result = await judgeTree(context, { 'slug.go': HONEST }, { expectedTests: EXPECTED });
    expect(result, result.output).toMatchObject({ verdict: 'pass', faults: [], exitCode: 0, runner: 'go' });
    expect(result.seen.map(({ id }) => id).sort()).toEqual([...EXPECTED].sort());
    expect(result.toolchain[0]).toMatchObject({ name: 'go', version: expect.stringMatching(/^\d+\.\d+/) });
    expect(result.output).not.toContain('"Action"');
  });

  test('judged without confinement too', TIMEOUT, async (context) => {
    const result = await judgeTree(context, { 'slug.go': HONEST }, { expectedTests: EXPECTED }, TESTS, 'none');
    expect(result, result.output).toMatchObject({ verdict: 'pass', faults: [] });
  });

  test('the base fails, and the output says why', TIMEOUT, async (context) => {
    const result = await judgeTree(context, { 'slug.go': BASE }, { expectedTests: EXPECTED });
    expect(result, result.output).toMatchObject({ verdict: 'fail', faults: [{ code: 'tests_failed' }], exitCode: 1 });
    expect(result.output).toContain('got "Hello World"');
  });

  test('code that does not compile fails with what the compiler says', TIMEOUT, async (context) => {
    const result = await judgeTree(context, { 'slug.go': 'package slug\n\nfunc Slugify( {\n' });
    expect(result, result.output).toMatchObject({ verdict: 'fail', faults: [{ code: 'tests_failed' }] });
    expect(result.output).toContain('syntax error');
  });

  test.for(
    someOf(
      Object.entries({
        'os.Exit(0) in init': {
          'slug.go': `${BASE}\nfunc init() { os.Exit(0) }\n`.replace('slug\n', 'slug\n\nimport "os"\n'),
        },
        'syscall.Exit(0) in a call': {
          'slug.go':
            'package slug\n\nimport "syscall"\n\nfunc Slugify(text string) string { syscall.Exit(0); return text }\n',
        },
        'a result that is printed by the code': {
          'slug.go': `package slug

import (
	"fmt"
	"syscall"
)

func Slugify(text string) string { fmt.Println("PASS"); syscall.Exit(0); return text }
`,
        },
        'TestMain that runs nothing': {
          'slug.go': BASE,
          'main_test.go':
            'package slug\n\nimport (\n"os"\n"testing"\n)\n\nfunc TestMain(m *testing.M) { os.Exit(0) }\n',
        },
        'tests of its own in the place of sealed ones': {
          'slug.go': BASE,
          'tests/slug_test.go': 'package tests\n\nimport "testing"\n\nfunc TestWords(t *testing.T) {}\n',
        },
      }),
    ),
  )('$0 does not pass', TIMEOUT, async ([, tree], context) => {
    for (const expectedTests of [EXPECTED, null]) {
      const result = await judgeTree(context, tree, { expectedTests });
      expect(result, result.output).toMatchObject({ verdict: 'fail', passed: false });
    }
  });

  test('a package that does not compile is told among others that pass', TIMEOUT, async (context) => {
    const broken = { ...TESTS, 'more/more_test.go': 'package more\n\nfunc TestMore( {\n' };
    const result = await judgeTree(context, { 'slug.go': HONEST }, {}, broken);
    expect(result, result.output).toMatchObject({ verdict: 'fail', faults: [{ code: 'tests_failed' }] });
    expect(result.seen).toContainEqual({
      id: 'example.org/slug/tests/more',
      outcome: 'error',
      file: 'tests/more/more_test.go',
    });
    expect(result.seen).toContainEqual({
      id: 'example.org/slug/tests::TestWords',
      outcome: 'passed',
      file: 'tests/slug_test.go',
    });
  });

  test('of the words of a command those count that name sealed tests', TIMEOUT, async (context) => {
    const one = await judgeTree(context, { 'slug.go': BASE }, { testCommand: 'go test -v -run Nothing ./tests/...' });
    expect(one, one.output).toMatchObject({ verdict: 'fail', faults: [{ code: 'no_tests_ran' }] });
    const none = await judgeTree(context, { 'slug.go': BASE }, { testCommand: 'go test ./slug' });
    expect(none).toMatchObject({ verdict: 'blocked' });
    expect(none.faults[0]).toMatchObject({ code: 'missing_test_command' });
  });
});

describe('tests of the tree', () => {
  const tree = {
    'slug.go': HONEST,
    'slug_test.go': `package slug

import (
	"fmt"
	"testing"
)

func TestNoise(t *testing.T) { fmt.Print("no end of line") }
func TestSkipped(t *testing.T) { t.Skip("not here") }
func TestParallel(t *testing.T) {
	for _, name := range []string{"a", "b"} {
		t.Run(name, func(t *testing.T) { t.Parallel(); fmt.Println("--- PASS: TestGhost (0.00s)") })
	}
}
func ExampleSlugify() {
	fmt.Println(Slugify("A b"))
	// Output: a-b
}
`,
    'empty/empty.go': 'package empty\n',
  };

  test('skips, examples, parallel ones and packages without tests are told apart', TIMEOUT, async (context) => {
    const result = await judgeTree(context, tree, {}, null);
    expect(result, result.output).toMatchObject({ verdict: 'pass', faults: [] });
    const outcomes = Object.fromEntries(result.seen.map(({ id, outcome }) => [id.replace(/^.*::/, ''), outcome]));
    expect(outcomes).toEqual({
      TestNoise: 'passed',
      TestSkipped: 'skipped',
      TestParallel: 'passed',
      'TestParallel/a': 'passed',
      'TestParallel/b': 'passed',
      ExampleSlugify: 'passed',
    });
  });

  test('a package that leaves early spoils the others, recorded ids or not', TIMEOUT, async (context) => {
    const left = {
      ...tree,
      'empty/left_test.go':
        'package empty\n\nimport (\n"os"\n"testing"\n)\n\nfunc init() { os.Exit(0) }\nfunc TestA(t *testing.T) {}\n',
    };
    const result = await judgeTree(context, left, {}, null);
    expect(result, result.output).toMatchObject({
      verdict: 'fail',
      faults: [reason('test_channel_tampered', { how: 'the runner ended without saying so' })],
    });
    expect(result.output).toContain('example.org/slug/empty ended before its tests did');
  });
});

test('what newer versions of go say is understood too', async () => {
  const name = 'example.org/slug/tests';
  const said = [
    { ImportPath: 'example.org/slug', Action: 'build-output', Output: './slug.go:3:15: syntax error\n' },
    { ImportPath: 'example.org/slug', Action: 'build-fail' },
    { Action: 'start', Package: name },
    { Action: 'output', Package: name, Output: `FAIL\t${name} [build failed]\n` },
    { Action: 'fail', Package: name, FailedBuild: 'example.org/slug' },
  ];
  const lines = said.map((event) => `echo '${JSON.stringify(event)}'`).join('\n');
  const dir = mkdtempSync(join(tmpdir(), 'go-'));
  try {
    mkdirSync(join(dir, 'bin'));
    writeFileSync(
      join(dir, 'bin/go'),
      `#!/bin/sh\ncase $1 in\nversion) echo 'go version go1.24.0 linux/amd64'; exit 0 ;;\nenv) echo '${dir}'; exit 0 ;;\nlist) exit 0 ;;\nesac\n${lines.replaceAll('\\', '\\\\')}\nexit 1\n`,
    );
    chmodSync(join(dir, 'bin/go'), 0o755);
    chmodSync(dir, 0o755);
    const tools = { path: `${join(dir, 'bin')}:${process.env['PATH'] ?? ''}`, cacheDir: null };
    const terms = { testCommand: 'go test ./...', isolation: 'in_process', tools } as const;
    const result = await judgeCopies({ tree: MODULE, tests: null }, terms);
    expect(result, result.output).toMatchObject({ verdict: 'fail', faults: [{ code: 'tests_failed' }] });
    expect(result.seen).toEqual([{ id: name, outcome: 'error', file: null }]);
    expect(result.output).toContain('./slug.go:3:15: syntax error');
  } finally {
    rmSync(dir, { recursive: true });
  }
});

test('a machine without go cannot judge by it', async (context) => {
  if (findProgram('go', '/usr/bin') !== null) context.skip('go belongs to the system here, so that it is always found');
  const terms = { testCommand: 'go test ./...', isolation: 'in_process', tools: { path: '', cacheDir: null } } as const;
  const result = await judgeCopies({ tree: MODULE, tests: null }, terms);
  expect(result).toMatchObject({ verdict: 'blocked', faults: [reason('not_installed', { program: 'go' })] });
});
