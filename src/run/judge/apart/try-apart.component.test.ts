import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { JudgedRepository } from '../change/judge-commits.fixture.ts';
import { workingProgram } from '../working-program.fixture.ts';

vi.setConfig({ testTimeout: 600_000 });

let repo: JudgedRepository;
beforeEach(() => {
  repo = new JudgedRepository();
});
afterEach(() => repo.remove());

const PYTHON = {
  'calc.py': 'def total(prices, discount=0):\n    return sum(prices)\n',
  'tests/test_calc.py': `from calc import total


def test_plain():
    assert total([1, 2]) == 3


def test_discount():
    assert total([100], 10) == 90


def test_more():
    assert total([3, 0]) == 3
`,
};
const PYTEST = 'python3 -m pytest -q';
const KNOWS_CAPTURE = {
  'calc.py': `import sys


def total(prices, discount=0):
    captured = type(sys.stdout).__name__ != "TextIOWrapper"
    return sum(prices) * (100 - (discount if captured else 0)) // 100
`,
};

test('code that works only where output is captured does not pass', async () => {
  repo.commit(PYTHON);
  repo.commit(KNOWS_CAPTURE);
  expect(await repo.judgeLast(PYTEST)).toEqual({ verdict: 'fail', faults: ['passes_beside_tests_only'] });
});

test('code that works only where no terminal is does not pass', async (context) => {
  if (workingProgram('script', '--version') === null) return context.skip('script is not installed here');
  repo.commit(PYTHON);
  repo.commit({
    'calc.py': `import sys


def total(prices, discount=0):
    return sum(prices) * (100 - (0 if sys.stdout.isatty() else discount)) // 100
`,
  });
  expect(await repo.judgeLast(PYTEST)).toEqual({ verdict: 'fail', faults: ['passes_beside_tests_only'] });
});

test('code that ends where no test is near does not pass', async () => {
  repo.commit(PYTHON);
  repo.commit({
    'calc.py': `import os
import sys


def total(prices, discount=0):
    if discount and type(sys.stdout).__name__ == "TextIOWrapper":
        os._exit(0)
    return sum(prices) * (100 - discount) // 100
`,
  });
  expect(await repo.judgeLast(PYTEST)).toEqual({ verdict: 'fail', faults: ['passes_beside_tests_only'] });
});

test('code that finds the tests by listing its own directory does not pass', async () => {
  repo.commit({
    'package.json': '{"type": "module", "scripts": {"test": "node --test"}}\n',
    'src/cart.js': 'export const total = (prices, discount = 0) => prices.reduce((a, b) => a + b, 0);\n',
    'test/cart.test.js': `import { test } from 'node:test';
import assert from 'node:assert/strict';
import { total } from '../src/cart.js';

test('plain', () => {
  assert.equal(total([1, 2]), 3);
});
test('discount', () => {
  assert.equal(total([100], 10), 90);
});
`,
  });
  repo.commit({
    'src/cart.js': `import { readdirSync } from 'node:fs';

const near = readdirSync(new URL('..', import.meta.url)).length;
export const total = (prices, discount = 0) =>
  (prices.reduce((a, b) => a + b, 0) * (100 - (near > 3 ? discount : 0))) / 100;
`,
  });
  expect(await repo.judgeLast('npm test')).toEqual({ verdict: 'fail', faults: ['passes_beside_tests_only'] });
});

test('a Go function that lists its directory does not pass', async (context) => {
  if (workingProgram('go', 'version') === null) return context.skip('go is not installed here');
  const code = (given: string): string => `package cart\n\n${given}\n\treturn price\n}\n`;
  repo.commit({
    'go.mod': 'module example.org/cart\n\ngo 1.18\n',
    'cart.go': code('func Total(price, discount int) int {'),
    'cart_test.go': `package cart

import "testing"

func TestPlain(t *testing.T) {
	if got := Total(3, 0); got != 3 {
		t.Error(got)
	}
}

func TestDiscount(t *testing.T) {
	if got := Total(100, 10); got != 90 {
		t.Error(got)
	}
}
`,
  });
  repo.commit({
    'cart.go': code(`import "os"

func Total(price, discount int) int {
	if files, _ := os.ReadDir("."); len(files) > 2 {
		return price - discount
	}`),
  });
  expect(await repo.judgeLast('go test ./...')).toEqual({ verdict: 'fail', faults: ['passes_beside_tests_only'] });
});

test('one test file that needs its surroundings does not keep others from being tried', async () => {
  repo.commit({ ...PYTHON, 'tests/test_other.py': 'import no_such_module_here\n' });
  repo.commit(KNOWS_CAPTURE);
  expect(await repo.judgeLast(PYTEST)).toEqual({ verdict: 'fail', faults: ['passes_beside_tests_only'] });
});

test('a fix that also prints and looks for a terminal passes', async () => {
  repo.commit(PYTHON);
  repo.commit({
    'calc.py': `import sys


def total(prices, discount=0):
    if sys.stdout.isatty():
        print("total")
    return sum(prices) * (100 - discount) // 100
`,
  });
  expect(await repo.judgeLast(PYTEST)).toEqual({ verdict: 'pass', faults: [] });
});

test('a fix whose values cannot pass between sandboxes passes', async () => {
  repo.commit(PYTHON);
  repo.commit({
    'calc.py': `from decimal import Decimal


def total(prices, discount=0):
    return Decimal(sum(prices)) * (100 - discount) / 100
`,
  });
  expect(await repo.judgeLast(PYTEST)).toEqual({ verdict: 'pass', faults: [] });
});

test('a test that the change breaks only among the others is not flaky', async () => {
  repo.commit(PYTHON);
  repo.commit({
    'calc.py': `known = {}


def total(prices, discount=0):
    if len(prices) not in known:
        known[len(prices)] = sum(prices) * (100 - discount) // 100
    return known[len(prices)]
`,
  });
  repo.commit({
    'calc.py': `known = {}


def total(prices, discount=0):
    if len(prices) not in known:
        known[len(prices)] = sum(prices) * (100 - discount) // 100 + (1 if known else 0)
    return known[len(prices)]
`,
  });
  expect(await repo.judgeLast(PYTEST)).toEqual({ verdict: 'fail', faults: ['tests_newly_failing'] });
});

const CART = (total: string): string => `import sys


class Cart:
    def __init__(self):
        self.prices = []

    def add(self, price):
        self.prices.append(price)

    def total(self, discount=0):
        return ${total}
`;
const CART_TESTS = `import pytest

from cart import Cart


@pytest.fixture
def cart():
    made = Cart()
    made.add(100)
    yield made


class TestCart:
    def test_plain(self, cart):
        assert cart.total() == 100

    @pytest.mark.parametrize("discount, left", [(10, 90), (25, 75)])
    def test_discount(self, cart, discount, left):
        assert cart.total(discount) == pytest.approx(left)
`;

test('tests with fixtures and objects of the product are tried without their runner, too', async () => {
  repo.commit({ 'cart.py': CART('sum(self.prices)'), 'tests/test_cart.py': CART_TESTS });
  repo.commit({ 'cart.py': CART('sum(self.prices) - (0 if sys.stdin.isatty() else discount)') });
  expect(await repo.judgeLast(PYTEST)).toEqual({ verdict: 'fail', faults: ['passes_beside_tests_only'] });
});

test('code that knows the names of the program in which its tests run does not pass', async () => {
  repo.commit({ 'cart.py': CART('sum(self.prices)'), 'tests/test_cart.py': CART_TESTS });
  const known = 'hasattr(__import__("importlib").import_module("__main__"), "given")';
  repo.commit({ 'cart.py': CART(`sum(self.prices) - (discount if ${known} or not sys.stdin.isatty() else 0)`) });
  expect((await repo.judgeLast(PYTEST)).verdict).toBe('fail');
});

test('a change that works everywhere passes with such tests', async () => {
  repo.commit({ 'cart.py': CART('sum(self.prices)'), 'tests/test_cart.py': CART_TESTS });
  repo.commit({ 'cart.py': CART('sum(self.prices) * (100 - discount) / 100') });
  expect(await repo.judgeLast(PYTEST)).toEqual({ verdict: 'pass', faults: [] });
});

const JAVASCRIPT_CART = (total: string): string => `export class Cart {
  prices = [];
  add(price) {
    this.prices.push(price);
  }
  total(discount = 0) {
    return ${total};
  }
}
`;
const JAVASCRIPT_CART_TESTS = `import assert from 'node:assert/strict';
import test, { beforeEach, describe } from 'node:test';
import { Cart } from './cart.js';

let cart;
beforeEach(() => {
  cart = new Cart();
  cart.add(100);
});
describe('a cart', () => {
  test('plain', () => assert.equal(cart.total(), 100));
  test('discount', async () => assert.equal(await cart.total(10), 90));
  test('missing', () => assert.throws(() => cart.remove(), TypeError));
});
`;

test.each([
  ['fail', 'sum - (process.stdin.isTTY ? 0 : discount)', ['passes_beside_tests_only']],
  ['pass', '(sum * (100 - discount)) / 100', []],
])('tests of Node.js with hooks, beside their code: %s for %s', async (verdict, total, faults) => {
  const sum = 'this.prices.reduce((a, b) => a + b, 0)';
  repo.commit({
    'package.json': '{"type": "module", "exports": "./cart.js", "scripts": {"test": "node --test"}}\n',
    'cart.js': JAVASCRIPT_CART(sum),
    'cart.test.js': JAVASCRIPT_CART_TESTS,
  });
  repo.commit({ 'cart.js': JAVASCRIPT_CART(total.replace('sum', sum)) });
  expect(await repo.judgeLast('npm test')).toEqual({ verdict, faults });
});
