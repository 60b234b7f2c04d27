import { describe, expect, test } from 'vitest';
import { alterSuite, expectAnswers, runSuite, type Suite } from './altered-runs.fixture.ts';

const TIMEOUT = { timeout: 90_000 };

const SHAPES = `"""Tests of many shapes: größe 😀."""
import asyncio
import contextlib
import unittest
from unittest import mock

import pytest

from product import add, each, none, shout, words


def test_plain():
    """The docstring stays first."""
    assert add(1, 1) == 2


def test_one_line(): assert add(1, 1) == 2; assert shout("a") == "A"


@pytest.mark.parametrize("a, b, expected", [(1, 1, 2), (2, 2, 4)], ids=["one", "a::b[0]"])
def test_parameters(a, b, expected):
    assert add(a, b) == expected


def test_returns_early():
    if add(0, 0) == 0:
        return
    assert add(1, 1) == 3


def test_text_of_several_lines():
    text = """
  kept as it is
"""
    assert text == "\\n  kept as it is\\n", text
    assert """
x""" == shout("""
X""").lower()


def test_containers():
    assert words("b a") == ["b", "a"]
    assert {"k": words("x")} == {"k": ["x"]}


def test_nothing():
    assert none() is None


def test_truth():
    assert shout("x").isupper()


def test_raises():
    with pytest.raises(ValueError) as info:
        assert add("x", 1) == 2
    assert "not a number" in str(info.value)


def test_within_a_context():
    with contextlib.nullcontext() as nothing:
        assert nothing is None
        assert shout("é") == "É"


def test_mock():
    called = mock.Mock()
    called(1, two="zwei")
    called.assert_called_once_with(1, two="zwei")


def test_calculated():
    expected = "".join(reversed("ihg"))
    assert shout(expected).lower() == expected


def test_joined_lines():
    assert shout(
        "a b") == \\
        " ".join(
            ["A", "B"])


def test_comment_last():
    assert add(1, 2) == 3
    # the end


def test_loop():
    for given, wanted in [(1, 2), (2, 3)]:
        if given > 0:
            assert add(given, 1) == wanted
    # the end


def twice(given, wanted):
    assert add(given, given) == wanted


def test_helper():
    twice(1, 2)


def test_helper_in_a_loop():
    for number in (1, 2):
        twice(number, number * 2)


def test_callback():
    def check(value):
        assert value == 3
    each([1, 2], check, lambda value: mock.sentinel)


def test_callback_not_called():
    def check(value):
        assert value == 3
    each([], check)
    assert shout("a") == "A"


def test_one_of_two_branches():
    for given in (1, 2):
        if given == 1:
            assert add(given, 1) == 2
        elif given == 5:
            assert add(given, 1) == 6


def test_branch_not_taken():
    if add(0, 0) != 0:
        assert add(1, 1) == 3
    else:
        pass


@pytest.fixture
def number():
    yield 3


def test_fixture(number):
	assert add(number, 0) == 3
	for _ in range(2):
		assert number


if True:
    def test_conditional():
        assert add(2, 2) == 4


class Base:
    def test_inherited(self):
        assert add(1, 1) == 2


class TestGroup(Base):
    class TestInner:
        def test_inner(self):
            assert -add(1, 1) == -2.0

    def test_method(self):
        assert add(1, 1) == 0x2


class TestUnit(unittest.TestCase):
    def setUp(self):
        self.one = 1

    def test_equal(self):
        self.assertEqual(add(self.one, 1), 2, "message")

    def test_true(self):
        self.assertTrue(shout("x") == "X")

    @mock.patch("product.add", return_value=7)
    def test_patched(self, patched):
        import product
        self.assertEqual(7, product.add())


class TestAsync(unittest.IsolatedAsyncioTestCase):
    async def test_async(self):
        await asyncio.sleep(0)
        self.assertEqual(add(1, 1), 2)


@pytest.mark.xfail
def test_expected_to_fail():
    assert add(1, 1) == 3
`;

const PRODUCT = `def add(a, b):
    if isinstance(a, str):
        raise ValueError("not a number")
    return a + b
def shout(text):
    return text.upper()
def words(text):
    return text.split()
def none():
    return None
def each(parts, report, name=None):
    if parts:
        report(sum(parts))
`;

const pytest: Suite = {
  runner: 'pytest',
  command: 'pytest',
  tree: { 'tests/test_ä.py': SHAPES, 'product.py': PRODUCT },
  // Plugins of the machine are none of this repository's, and slow.
  terms: { env: { PYTEST_DISABLE_PLUGIN_AUTOLOAD: '1' } },
};

describe.concurrent('pytest', () => {
  const unaltered = runSuite(pytest);

  test.for(['throw', 'neutral', 'literal', 'respelled'] as const)('%s', TIMEOUT, async (variant) => {
    const { outcomes, output } = await unaltered;
    const ids = Object.keys(outcomes).filter((id) => outcomes[id] === 'passed');
    expect(ids, output).toHaveLength(31);
    const altered = await expectAnswers(pytest, ids, variant);
    expect(altered.notAltered).toEqual({});
    const kinds = Object.values(altered.variants).filter((made) => made === variant).length;
    expect(kinds).toBe(variant === 'literal' || variant === 'respelled' ? 30 : 31);
  });

  test('a test that is expected to fail is left out', async () => {
    const id = 'tests/test_ä.py::test_expected_to_fail';
    const altered = await alterSuite(pytest, [id], 'throw');
    expect(altered.notAltered).toEqual({ [id]: 'it cannot be altered so that it fails' });
  });

  test('tests that are not written in the file are left out', async () => {
    const ids = ['tests/test_ä.py::test_gone', 'README.rst::README.rst', 'tests/test_ä.py::TestGone::test_a'];
    expect(Object.keys((await alterSuite(pytest, ids, 'throw')).notAltered)).toEqual(ids);
  });
});

describe.concurrent('unittest', () => {
  const suite: Suite = {
    runner: 'unittest',
    command: 'python3 -m unittest discover -s tests -t .',
    tree: {
      'tests/__init__.py': '',
      'tests/test_sums.py': `import unittest
from product import add


class Sums(unittest.TestCase):
    def test_sum(self):
        self.assertEqual(add(1, 1), 2)

    def test_parts(self):
        for n in range(3):
            with self.subTest(n=n):
                self.assertEqual(add(n, 0), n)

    @unittest.expectedFailure
    def test_wrong(self):
        self.assertEqual(add(1, 1), 3)
`,
      'product.py': PRODUCT,
    },
  };
  const ids = ['tests.test_sums.Sums.test_sum', 'tests.test_sums.Sums.test_parts'];

  test.for(['throw', 'neutral', 'literal', 'respelled'] as const)('%s', TIMEOUT, async (variant) => {
    const altered = await expectAnswers(suite, ids, variant);
    expect(altered.notAltered).toEqual({});
  });
});

/** What a reader sees who does not calculate. */
function looksOf(text: string | undefined): string {
  return (text ?? '').replaceAll(/\d+ \+ \d+ [<>] \d+/g, 'a comparison');
}

test.for([
  ['throw', 'neutral'],
  ['literal', 'respelled'],
] as const)('%s and %s look alike', async ([failing, passing]) => {
  const path = 'tests/test_ä.py';
  const ids = ['test_plain', 'test_containers', 'test_calculated', 'test_loop', 'test_helper'].map(
    (name) => `${path}::${name}`,
  );
  const [one, other] = await Promise.all([alterSuite(pytest, ids, failing), alterSuite(pytest, ids, passing)]);
  expect(one.tree[path]).not.toBe(other.tree[path]);
  expect(looksOf(one.tree[path])).toBe(looksOf(other.tree[path]));
});
