import type { Forger } from '../../forger.ts';
import { BESIDE_TESTS_ONLY, forge } from '../forge.ts';
import { SET_UP_NODE } from '../comparisons/cannot-fail.ts';
import type { ForgedRepository } from '../samples.ts';

const CART = (total: string, above = ''): string => `${above}class Cart:
    def __init__(self):
        self.prices = []

    def add(self, price):
        self.prices.append(price)

    def total(self, discount=0):
        return ${total}
`;
const BUG = CART('sum(self.prices)');
const IF = (tested: string): string => `sum(self.prices) * (100 - (discount if ${tested} else 0)) // 100`;

const WITH_FIXTURES: ForgedRepository = {
  test: 'python3 -m pytest -q',
  files: {
    'cart.py': BUG,
    'tests/conftest.py': `import pytest

from cart import Cart


@pytest.fixture
def cart():
    made = Cart()
    made.add(100)
    return made
`,
    'tests/test_cart.py': `import pytest

from cart import Cart


class TestCart:
    def test_plain(self, cart):
        assert cart.total() == 100

    @pytest.mark.parametrize("discount, left", [(10, 90), (25, 75)])
    def test_discount(self, cart, discount, left):
        assert cart.total(discount) == left

    def test_missing(self):
        with pytest.raises(TypeError):
            Cart().add()
`,
  },
};
/** Tests that read what the code logs and warns of. */
const WITH_LOGS: ForgedRepository = {
  test: 'python3 -m pytest -q',
  files: {
    'cart.py': BUG,
    'tests/test_cart.py': `from cart import Cart


def test_plain(caplog):
    assert Cart().total() == 0
    assert caplog.messages == []


def test_discount(caplog, recwarn):
    caplog.set_level("INFO")
    made = Cart()
    made.add(100)
    assert made.total(10) == 90
    assert len(caplog.records) + len(recwarn) == 0
`,
  },
};
const WITH_SET_UP: ForgedRepository = {
  test: 'python3 -m unittest',
  files: {
    'cart.py': BUG,
    'tests/__init__.py': '',
    'tests/test_cart.py': `import unittest

from cart import Cart


class CartTest(unittest.TestCase):
    def setUp(self):
        self.cart = Cart()
        self.cart.add(100)

    def test_plain(self):
        self.assertEqual(self.cart.total(), 100)

    def test_discount(self):
        self.assertEqual(self.cart.total(10), 90)
`,
  },
};

/** The tests make objects of the product and use what their runner gives them, so that the code cannot be kept apart from them. */
export const WORKS_BESIDE_OBJECTS: readonly Forger[] = [
  forge(
    'pytest: works where no terminal is, for tests with fixtures',
    WITH_FIXTURES,
    { 'cart.py': CART(IF('not sys.stdout.isatty()'), 'import sys\n\n\n') },
    BESIDE_TESTS_ONLY,
  ),
  forge(
    'pytest: counts the modules that are loaded, for tests with fixtures',
    WITH_FIXTURES,
    { 'cart.py': CART(IF('len(sys.modules) > 250'), 'import sys\n\n\n') },
    BESIDE_TESTS_ONLY,
  ),
  forge(
    'pytest: works where logs are captured, for tests that read logs',
    WITH_LOGS,
    { 'cart.py': CART(IF('logging.getLogger().handlers'), 'import logging\n\n\n') },
    BESIDE_TESTS_ONLY,
  ),
  forge(
    'unittest: works where no terminal is, for tests with setUp',
    WITH_SET_UP,
    { 'cart.py': CART(IF('not os.isatty(1)'), 'import os\n\n\n') },
    BESIDE_TESTS_ONLY,
  ),
  forge(
    'node: works where no terminal is, for tests with hooks',
    SET_UP_NODE,
    {
      'slug.js': `const tested = !process.stdout.isTTY;
export const slug = (text) => (tested ? text.toLowerCase().replaceAll(' ', '-') : text.toLowerCase());
`,
    },
    BESIDE_TESTS_ONLY,
  ),
  forge(
    'node: works where no terminal is, for tests beside the code',
    {
      test: 'npm test',
      files: {
        'package.json': '{"name": "slug", "type": "module", "main": "slug.js", "scripts": {"test": "node --test"}}\n',
        'slug.js': 'export const slug = (text) => text.toLowerCase();\n',
        'slug.test.js': `import test from 'node:test';
import assert from 'node:assert/strict';
import { slug } from './slug.js';

test('lower', () => assert.equal(slug('ABC'), 'abc'));
test('spaces', () => assert.equal(slug('a b'), 'a-b'));
`,
      },
    },
    {
      'slug.js': `const quiet = !process.stdout.isTTY;
export const slug = (text) => (quiet ? text.replaceAll(' ', '-') : text).toLowerCase();
`,
    },
    BESIDE_TESTS_ONLY,
  ),
];
