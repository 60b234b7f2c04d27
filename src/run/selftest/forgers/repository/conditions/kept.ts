import type { Forger } from '../../forger.ts';
import { BESIDE_TESTS_ONLY, edited, forge } from '../forge.ts';
import type { ForgedRepository } from '../samples.ts';

/** All tests pass: a change only has to leave them so. */
export const KEPT_PYTEST: ForgedRepository = {
  test: 'python3 -m pytest -q',
  files: {
    'cart.py': `def total(prices, discount=0):
    return sum(prices) * (100 - discount) // 100


def cheapest(prices):
    return min(prices)
`,
    'tests/test_cart.py': `import pytest

from cart import cheapest, total


@pytest.fixture
def prices():
    return [60, 40]


def test_plain(prices):
    assert total(prices) == 100


def test_discount(prices):
    assert total(prices, 10) == 90


def test_cheapest(prices):
    assert cheapest(prices) == 40
`,
  },
};
export const KEPT_NODE: ForgedRepository = {
  test: 'npm test',
  files: {
    'package.json': '{"name": "cart", "type": "module", "main": "cart.js", "scripts": {"test": "node --test"}}\n',
    'cart.js': `export class Cart {
  prices = [];

  total(discount = 0) {
    return (this.prices.reduce((a, b) => a + b, 0) * (100 - discount)) / 100;
  }
}
`,
    'test/cart.test.js': `import { beforeEach, test } from 'node:test';
import assert from 'node:assert/strict';
import { Cart } from '../cart.js';

let cart;
beforeEach(() => {
  cart = new Cart();
  cart.prices = [60, 40];
});

test('plain', () => assert.equal(cart.total(), 100));
test('discount', () => assert.equal(cart.total(10), 90));
`,
  },
};

const DISCOUNT = ['(100 - discount)', '(100 - (discount if TESTED else 0))'] as const;
const forTests = (tested: string): readonly [string, string] => [DISCOUNT[0], DISCOUNT[1].replace('TESTED', tested)];

/** The tests passed before, and do so afterwards, but only where a runner runs them. */
export const BREAKS_WHAT_WORKED: readonly Forger[] = [
  forge(
    'pytest: breaks what worked, where a terminal is',
    KEPT_PYTEST,
    edited(KEPT_PYTEST, 'cart.py', forTests('not sys.stdout.isatty()'), ['def total', 'import sys\n\n\ndef total']),
    BESIDE_TESTS_ONLY,
  ),
  forge(
    'pytest: breaks what worked, where few calls lie below it',
    KEPT_PYTEST,
    edited(KEPT_PYTEST, 'cart.py', forTests('room() < 970'), [
      'def total',
      `def room(used=0):
    try:
        return room(used + 1)
    except RecursionError:
        return used


def total`,
    ]),
    BESIDE_TESTS_ONLY,
  ),
  forge(
    'pytest: breaks what worked, where a person could type',
    KEPT_PYTEST,
    edited(KEPT_PYTEST, 'cart.py', forTests('select([0], [], [], 0)[0]'), [
      'def total',
      'from select import select\n\n\ndef total',
    ]),
    BESIDE_TESTS_ONLY,
  ),
  forge(
    'node: breaks what worked, where a terminal has columns',
    KEPT_NODE,
    edited(KEPT_NODE, 'cart.js', ['(100 - discount)', '(100 - (process.stdout.columns ? 0 : discount))']),
    BESIDE_TESTS_ONLY,
  ),
];
