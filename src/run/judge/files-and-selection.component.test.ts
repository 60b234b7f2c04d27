import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, test } from 'vitest';
import { judgeCopies } from './judge-copies.fixture.ts';
import type { JudgeRequest, JudgeResult } from './types.ts';
import { workingProgram } from './working-program.fixture.ts';

const TIMEOUT = { timeout: 180_000 };
type Files = Readonly<Record<string, string>>;

const nodeModules = {
  source: fileURLToPath(new URL('../../../node_modules', import.meta.url)),
  target: '/workspace/node_modules',
  mode: 'ro',
} as const;

function judgeTree(tree: Files, testCommand: string, terms: Partial<JudgeRequest> = {}): Promise<JudgeResult> {
  return judgeCopies({ tree, tests: null }, { testCommand, isolation: 'in_process', timeoutMs: 150_000, ...terms });
}
const outcomes = ({ seen }: JudgeResult): Record<string, string> =>
  Object.fromEntries(seen.map(({ id, outcome, file }) => [id, `${outcome} in ${file ?? 'no file'}`]));

interface Suite {
  readonly command: string;
  readonly tree: Files;
  readonly terms?: Partial<JudgeRequest>;
  /** What a run of everything reports. */
  readonly all: Readonly<Record<string, string>>;
  readonly collected: readonly string[];
  /** Two ids that pass, of which the command alone would run more. */
  readonly only: readonly [string, string];
}

const SUITES: Readonly<Record<string, Suite>> = {
  pytest: {
    command: 'pytest -q tests',
    tree: {
      'tests/a/test_a.py':
        'import pytest\n@pytest.mark.parametrize("n", [1, 2])\ndef test_n(n):\n    assert n\nclass TestB:\n    def test_b(self):\n        pass\ndef test_c():\n    assert 0\n',
      'tests/test_empty.py': 'X = 1\n',
      'tests/test_first.py': 'import not_written_yet\n',
    },
    all: {
      'tests/a/test_a.py::test_n[1]': 'passed in tests/a/test_a.py',
      'tests/a/test_a.py::test_n[2]': 'passed in tests/a/test_a.py',
      'tests/a/test_a.py::TestB::test_b': 'passed in tests/a/test_a.py',
      'tests/a/test_a.py::test_c': 'failed in tests/a/test_a.py',
      'tests/test_first.py': 'error in tests/test_first.py',
    },
    collected: ['tests/a/test_a.py', 'tests/test_empty.py', 'tests/test_first.py'],
    only: ['tests/a/test_a.py::test_n[2]', 'tests/a/test_a.py::TestB::test_b'],
  },
  unittest: {
    command: 'python3 -m unittest discover -s tests',
    tree: {
      'tests/test_a.py':
        'import unittest\nclass A(unittest.TestCase):\n    def test_a(self):\n        pass\n    def test_b(self):\n        pass\n    def test_c(self):\n        self.fail()\n',
      'tests/test_empty.py': 'X = 1\n',
      'tests/test_first.py': 'import not_written_yet\n',
    },
    all: {
      'test_a.A.test_a': 'passed in tests/test_a.py',
      'test_a.A.test_b': 'passed in tests/test_a.py',
      'test_a.A.test_c': 'failed in tests/test_a.py',
      test_first: 'error in tests/test_first.py',
    },
    collected: ['tests/test_a.py', 'tests/test_empty.py', 'tests/test_first.py'],
    only: ['test_a.A.test_a', 'test_a.A.test_b'],
  },
  'node --test': {
    command: 'node --test',
    tree: {
      'test/a.mjs': `import { describe, it, test } from 'node:test';
describe('outer', () => { it('one', () => {}); it('two', () => { throw new Error('no'); }); });
test('parent', async (t) => { await t.test('child (x)', () => {}); await t.test('other', () => { throw new Error(); }); });
`,
      'test/first.mjs': "import '../not-written-yet.mjs';\n",
    },
    all: {
      'test/a.mjs::outer > one': 'passed in test/a.mjs',
      'test/a.mjs::outer > two': 'failed in test/a.mjs',
      'test/a.mjs::parent': 'failed in test/a.mjs',
      'test/a.mjs::parent > child (x)': 'passed in test/a.mjs',
      'test/a.mjs::parent > other': 'failed in test/a.mjs',
      'test/first.mjs': 'error in test/first.mjs',
    },
    collected: ['test/a.mjs', 'test/first.mjs'],
    only: ['test/a.mjs::outer > one', 'test/a.mjs::parent > child (x)'],
  },
  vitest: {
    command: 'vitest run',
    terms: { readOnly: [nodeModules] },
    tree: {
      'src/a.test.ts': `import { describe, expect, test } from 'vitest';
describe('outer', () => { test('one > half', () => {}); test('two', () => { expect(1).toBe(2); }); });
test.each([1, 2])('n (%i)', () => {});
`,
      'src/b.test.ts': "import { test } from 'vitest';\ntest('n (1)', () => {});\n",
      'src/first.test.ts': "import './not-written-yet';\n",
    },
    all: {
      'src/a.test.ts::outer > one > half': 'passed in src/a.test.ts',
      'src/a.test.ts::outer > two': 'failed in src/a.test.ts',
      'src/a.test.ts::n (1)': 'passed in src/a.test.ts',
      'src/a.test.ts::n (2)': 'passed in src/a.test.ts',
      'src/b.test.ts::n (1)': 'passed in src/b.test.ts',
      'src/first.test.ts': 'error in src/first.test.ts',
    },
    collected: ['src/a.test.ts', 'src/b.test.ts', 'src/first.test.ts'],
    only: ['src/a.test.ts::outer > one > half', 'src/a.test.ts::n (2)'],
  },
  go: {
    command: 'go test ./...',
    tree: {
      'go.mod': 'module example.org/m\n\ngo 1.18\n',
      'a/a.go': 'package a\n',
      'a/a_test.go':
        'package a\n\nimport "testing"\n\nfunc TestA(t *testing.T) { t.Run("x", func(t *testing.T) {}) }\nfunc TestB(t *testing.T) { t.Fail() }\n',
      'a/outer_test.go': 'package a_test\n\nimport "testing"\n\nfunc TestOuter(t *testing.T) {}\n',
      'b/b.go': 'package b\n',
      'b/first_test.go': 'package b\n\nimport "testing"\n\nfunc TestFirst(t *testing.T) { NotWrittenYet() }\n',
    },
    all: {
      'example.org/m/a::TestA': 'passed in a/a_test.go',
      'example.org/m/a::TestA/x': 'passed in a/a_test.go',
      'example.org/m/a::TestB': 'failed in a/a_test.go',
      'example.org/m/a::TestOuter': 'passed in a/outer_test.go',
      'example.org/m/b': 'error in b/first_test.go',
    },
    collected: ['a/a_test.go', 'a/outer_test.go', 'b/first_test.go'],
    only: ['example.org/m/a::TestA/x', 'example.org/m/a::TestOuter'],
  },
  cargo: {
    command: 'cargo test',
    tree: {
      'Cargo.toml': '[package]\nname = "m"\nversion = "0.1.0"\nedition = "2021"\n',
      'src/lib.rs': 'pub mod inner;\npub mod plain;\n#[cfg(test)]\nmod tests { #[test] fn here() {} }\n',
      'src/inner.rs': '#[cfg(test)]\nmod tests { #[test] fn deep() {} #[test] fn wrong() { panic!(); } }\n',
      'src/plain.rs': '/// ```\n/// assert_eq!(m::plain::one(), 1);\n/// ```\npub fn one() -> i32 { 1 }\n',
      'tests/it.rs': '#[test] fn whole() {}\n',
    },
    all: {
      'src/lib.rs::tests::here': 'passed in src/lib.rs',
      'src/lib.rs::inner::tests::deep': 'passed in src/inner.rs',
      'src/lib.rs::inner::tests::wrong': 'failed in src/inner.rs',
      'tests/it.rs::whole': 'passed in tests/it.rs',
      'src/plain.rs - plain::one (line 1)': 'passed in src/plain.rs',
    },
    collected: ['src/inner.rs', 'src/lib.rs', 'src/plain.rs', 'tests/it.rs'],
    only: ['src/lib.rs::inner::tests::deep', 'src/plain.rs - plain::one (line 1)'],
  },
};

/** Of the runners here, those that not every machine has. */
const COMPILERS: Readonly<Record<string, string | null>> = {
  go: workingProgram('go', 'version'),
  cargo: workingProgram('cargo'),
};

describe.each(Object.entries(SUITES))('%s', (name, { command, tree, terms, all, collected, only }) => {
  beforeEach((context) => {
    if (COMPILERS[name] === null) context.skip(`there is no working ${name} on this machine`);
  });

  test('every test has its file, and files without results are named too', TIMEOUT, async () => {
    const result = await judgeTree(tree, command, terms);
    expect(result.verdict, result.output).toBe('fail');
    expect(outcomes(result), result.output).toEqual(all);
    expect(result.collected).toEqual(collected);
  });

  test('tests run alone, and others do not count', TIMEOUT, async () => {
    const result = await judgeTree(tree, command, { ...terms, only });
    expect(result, result.output).toMatchObject({ verdict: 'pass', faults: [] });
    expect(result.seen.map(({ id }) => id).sort()).toEqual([...only].sort());
  });
});
