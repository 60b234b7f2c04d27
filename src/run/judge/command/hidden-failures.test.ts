import { describe, expect, test } from 'vitest';
import { filesOf } from './base-files.fixture.ts';
import { readTestPlan } from './plan.ts';

const why = (text: string, files: Readonly<Record<string, string>> = {}): string | null => {
  const plan = readTestPlan(text, filesOf(files));
  return plan.kind === 'hides_failures' ? plan.why : null;
};

describe('blocked', () => {
  test.each([
    ['pytest || true', 'pytest || true makes up for a failure'],
    ['pytest || :', 'pytest || : makes up for a failure'],
    ['pytest || echo failed', 'pytest || echo failed makes up for a failure'],
    ['pytest || exit 0', 'pytest || exit 0 makes up for a failure'],
    ['pytest || (exit 0)', 'pytest || exit 0 makes up for a failure'],
    ['pytest || pytest --last-failed', 'pytest || pytest --last-failed makes up for a failure'],
    ['lint && pytest || true', 'lint || true makes up for a failure'],
    ['pytest; true', 'a failure of pytest is not noticed'],
    ['pytest; exit 0', 'a failure of pytest is not noticed'],
    ['pytest\necho done', 'a failure of pytest is not noticed'],
    ['pytest; mypy', 'a failure of pytest is not noticed'],
    ['pytest | cat', 'a failure of pytest is not noticed'],
    ['pytest | tail -5', 'a failure of pytest is not noticed'],
    ['pytest 2>&1 | tee log | grep passed', 'a failure of pytest 2>&1 is not noticed'],
    ['pytest &', 'pytest & runs in the background'],
    ['pytest & wait', 'pytest & runs in the background'],
    ['! pytest', '! turns the result of pytest around'],
    ['set +e; pytest', 'set +e goes on after a failure'],
    ['set -e; set +e; pytest', 'set +e goes on after a failure'],
    ['set -e; pytest && mypy; true', 'a failure of pytest is not noticed'],
    ["trap 'exit 0' EXIT; pytest", "trap 'exit 0' EXIT replaces the exit code"],
    ['exit 0; pytest', 'nothing runs after exit 0'],
    ['if pytest; then echo ok; fi', 'a failure of pytest is not noticed'],
    ['if ! pytest; then echo bad; fi', '! turns the result of pytest around'],
    ['while ! pytest; do sleep 1; done', '! turns the result of pytest around'],
    ['for f in tests/*.sh; do sh $f; done', 'a failure of sh $f is not noticed'],
    ['(pytest || true)', 'pytest || true makes up for a failure'],
    ['{ pytest; true; }', 'a failure of pytest is not noticed'],
    ["sh -c 'pytest || true'", 'pytest || true makes up for a failure'],
    ["bash -lc 'pytest; true'", 'a failure of pytest is not noticed'],
    ["timeout 60 sh -c 'pytest | cat'", 'a failure of pytest is not noticed'],
    ["eval 'pytest || true'", 'pytest || true makes up for a failure'],
    ['echo $(pytest)', '$(pytest) runs tests for their output alone'],
    ['test -n "$(npx jest)"', '$(npx jest) runs tests for their output alone'],
    ['OUT=`pytest` ./report', '$(pytest) runs tests for their output alone'],
    [
      "find . -name '*_test.sh' -exec sh {} \\;",
      "find . -name '*_test.sh' -exec sh {} \\; does not say whether what it starts failed",
    ],
    ['make -i test', 'make -i test ignores errors'],
    ['make -ki test', 'make -ki test ignores errors'],
    ['run() { pytest || true; }; run', 'pytest || true makes up for a failure'],
  ])('%s', (text, reason) => {
    expect(why(text)).toBe(reason);
  });

  test('in scripts of a package, however deep', () => {
    const scripts = { test: 'npm run unit', unit: 'jest || true' };
    expect(why('npm test', { 'package.json': JSON.stringify({ scripts }) })).toBe(
      'jest || true makes up for a failure',
    );
    const hook = { test: 'jest', posttest: 'node check.js; true' };
    expect(why('npm test', { 'package.json': JSON.stringify({ scripts: hook }) })).toBe(
      'a failure of node check.js is not noticed',
    );
  });

  test('in recipes of a Makefile', () => {
    expect(why('make test', { Makefile: 'test:\n\t-pytest -q\n' })).toBe(
      'the recipe of test ignores a failure of: pytest -q',
    );
    expect(why('make test', { Makefile: 'test:\n\t@pytest -q || true\n' })).toBe(
      'pytest -q || true makes up for a failure',
    );
    expect(why('make', { Makefile: '.IGNORE:\nall: test\ntest:\n\tpytest\n' })).toBe(
      'the recipe of test ignores a failure of: pytest',
    );
    expect(why('make test', { Makefile: 'MAKEFLAGS += --ignore-errors\ntest:\n\t./run\n' })).toBe(
      'the recipe of test ignores a failure of: ./run',
    );
    expect(why('just test', { justfile: 'test:\n  -pytest\n' })).toBe(
      'the recipe of test ignores a failure of: pytest',
    );
    expect(why('tox -e py', { 'tox.ini': '[testenv]\ncommands =\n  - pytest\n' })).toBe(
      'tox ignores a failure of: - pytest',
    );
  });
});

describe('not blocked', () => {
  test.each([
    'rm -rf coverage; pytest',
    'rm -r coverage || true; pytest',
    'mkdir -p out; cd src; pytest',
    'echo start; pytest && echo done',
    'pytest && echo done',
    'pytest || exit 1',
    'pytest || exit $?',
    'pytest || { echo failed; exit 1; }',
    'pytest || false',
    'set -e; pytest; mypy',
    'set -e\npytest\nmypy\n',
    'set -euo pipefail; pytest | cat',
    "bash -eo pipefail -c 'pytest | cat; mypy'",
    'pytest | tee log',
    'tape test/*.js | tap-spec',
    'for f in tests/*.sh; do sh $f || exit 1; done',
    'set -e; for f in tests/*.sh; do sh $f; done',
    'if [ -d web ]; then npx jest; fi',
    'command -v pytest && pytest',
    'test -z "$(gofmt -l .)" && go test ./...',
    'go test $(go list ./... | grep -v vendor)',
    "find . -name '*_test.sh' -exec sh {} +",
    'make -k -j4 test',
    'case x in y) pytest ;; esac',
  ])('%s', (text) => {
    expect(why(text)).toBeNull();
  });
});
