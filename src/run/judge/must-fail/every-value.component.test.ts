import { describe, expect, test } from 'vitest';
import { type Patched, tryMustFail } from './must-fail.fixture.ts';

const TIMEOUT = { timeout: 240_000 };
const CANNOT_FAIL = [{ code: 'tests_cannot_fail' }];
const BROKEN = 'def add(a, b):\n    return 0\n';

/** Assertions in functions that the product is given, and one of several assertions. */
const GIVEN_TESTS = `from product import add, each


def test_reports():
    def check(value):
        assert value == 3

    each([1, 2], check)


def test_several():
    assert add(0, 0) == 0
    assert add(0, 1) in (0, 1)
    assert add(1, 1) == 2
`;
const EACH = 'def each(parts, report):\n    report(sum(parts))\n';
const EACH_BROKEN = EACH.replace('sum(parts)', 'parts[0]');
const GIVEN_FORGERS: Readonly<Record<string, string>> = {
  'failures of what the product is given are swallowed': `def add(a, b):
    return a + b
def each(parts, report):
    try:
        report(parts[0])
    except Exception:
        pass
`,
  'what the product is given is never called': `def add(a, b):
    return a + b
def each(parts, report):
    return report
`,
  'a number that is equal to its neighbours': `class Near(int):
    def __eq__(self, other):
        return abs(int(self) - int(other)) < 1 + int(other)
    __hash__ = int.__hash__
def add(a, b):
    return Near(a)
${EACH}`,
};

describe.concurrent('pytest, every expected value of a fixed test', () => {
  const repository: Omit<Patched, 'patch'> = {
    runner: 'pytest',
    command: 'pytest',
    tests: { 'tests/test_given.py': GIVEN_TESTS },
    base: { 'product.py': `${BROKEN}${EACH_BROKEN}` },
    terms: { env: { PYTEST_DISABLE_PLUGIN_AUTOLOAD: '1' } },
  };

  test.for(Object.entries(GIVEN_FORGERS))('%s', TIMEOUT, async ([, product]) => {
    const verdict = await tryMustFail({ ...repository, patch: { 'product.py': product } });
    expect(verdict.fixed, 'it has to fool the deciding run').toHaveLength(2);
    expect(verdict).toMatchObject({ faults: CANNOT_FAIL });
  });

  test('an honest patch', TIMEOUT, async () => {
    const patch = { 'product.py': `def add(a, b):\n    return a + b\n${EACH}` };
    expect(await tryMustFail({ ...repository, patch })).toMatchObject({ faults: [], isolation: 'checked' });
  });
});
