import { type SampleRepository, withFiles } from '../repository-variant.ts';

/** A package with a bug in `cart.py`, its data, and helpers for its users and for its own tests. */
export const SHOP: SampleRepository = {
  test: 'python3 -m unittest',
  files: {
    'pyproject.toml': `[build-system]
requires = ["setuptools"]
build-backend = "setuptools.build_meta"

[project]
name = "shop"
version = "1.2.0"
dependencies = []

[project.scripts]
shop = "shop.cli:main"
`,
    'README.md': '# Shop\n\nA cart and its prices.\n',
    'CHANGELOG.md': '# Changes\n\n## 1.2.0\n\n- Discounts\n',
    LICENSE: 'MIT License\n\nCopyright 2020 The authors\n',
    '.gitignore': '__pycache__/\n*.egg-info/\ndist/\n',
    'docs/index.rst': 'Shop\n====\n',
    Makefile: 'help:\n\t@echo "make test"\n\ntest:\n\tpython3 -m unittest\n\n.PHONY: help test\n',
    'shop/__init__.py':
      '"""A cart and its prices."""\n\nfrom shop.cart import Cart\n\n__version__ = "1.2.0"\n__all__ = ["Cart"]\n',
    'shop/cart.py': `from shop.money import convert


class Cart:
    def __init__(self):
        self.items = []

    def add(self, name, price, count=1):
        self.items.append((name, price, count))

    def total(self):
        return sum(price for _name, price, _count in self.items)

    def total_in(self, currency):
        return convert(self.total(), currency)
`,
    'shop/money.py': `import json
from pathlib import Path

RATES = Path(__file__).parent / "data" / "rates.json"


def rate(currency):
    return json.loads(RATES.read_text())[currency]


def convert(amount, currency):
    return round(amount * rate(currency), 2)
`,
    'shop/receipt.py': `from pathlib import Path

HERE = Path(__file__).parent


def receipt(cart, language="en"):
    words = dict(line.split("=", 1) for line in (HERE / "locale" / f"{language}.txt").read_text().splitlines())
    template = (HERE / "templates" / "receipt.txt").read_text()
    return template.format(title=words["receipt"], total=cart.total())
`,
    'shop/data/rates.json': '{"EUR": 1, "USD": 1.1}\n',
    'shop/locale/en.txt': 'receipt=Receipt\nthanks=Thank you\n',
    'shop/locale/de.txt': 'receipt=Beleg\nthanks=Danke\n',
    'shop/templates/receipt.txt': '{title}: {total}\n',
    'shop/cli.py': `import sys

from shop import Cart


def main(argv=None):
    cart = Cart()
    for price in argv or sys.argv[1:]:
        cart.add("item", float(price))
    print(cart.total())
    return 0
`,
    'shop/testing.py': `"""For projects that test their own shops."""

from shop.cart import Cart


def full_cart():
    cart = Cart()
    cart.add("pen", 2)
    return cart


def assert_total(cart, total):
    assert cart.total() == total, f"expected {total}, got {cart.total()}"
`,
    'shop/_legacy.py': 'def old_total(prices):\n    return sum(prices)\n',
    'tests/__init__.py': '',
    'tests/helpers.py':
      'import json\nfrom pathlib import Path\n\n\ndef order(name):\n    return json.loads((Path(__file__).parent / "data" / name).read_text())\n',
    'tests/data/order.json': '[["pen", 2, 1], ["ink", 5, 1]]\n',
    'tests/test_cart.py': `import unittest

from shop import Cart
from tests.helpers import order


class Carts(unittest.TestCase):
    def test_empty(self):
        self.assertEqual(Cart().total(), 0)

    def test_order(self):
        cart = Cart()
        for name, price, count in order("order.json"):
            cart.add(name, price, count)
        self.assertEqual(cart.total(), 7)

    def test_counts(self):
        cart = Cart()
        cart.add("pen", 2, 3)
        self.assertEqual(cart.total(), 6)
`,
    'tests/test_money.py': `import unittest

from shop.money import convert


class Money(unittest.TestCase):
    def test_same(self):
        self.assertEqual(convert(3, "EUR"), 3)

    def test_dollars(self):
        self.assertEqual(convert(10, "USD"), 11)
`,
    'tests/test_receipt.py': `import unittest

from shop.receipt import receipt
from shop.testing import full_cart


class Receipts(unittest.TestCase):
    def test_receipt(self):
        self.assertEqual(receipt(full_cart()), "Receipt: 2\\n")

    def test_german(self):
        self.assertTrue(receipt(full_cart(), "de").startswith("Beleg"))
`,
    'tests/test_cli.py': `import subprocess
import sys
import unittest


class Program(unittest.TestCase):
    def test_cli(self):
        code = "from shop.cli import main; main()"
        done = subprocess.run([sys.executable, "-c", code, "1", "2"], capture_output=True, text=True)
        self.assertEqual(done.stdout, "3.0\\n")
`,
  },
};

/** Shell script that fixes the bug. */
export const FIX_SHOP =
  "sed -i 's/sum(price for _name, price, _count/sum(price * count for _name, price, count/' shop/cart.py";

/** The same without the bug: for changes that only have to break nothing. */
export const GREEN_SHOP = withFiles(SHOP, {
  'shop/cart.py': (SHOP.files['shop/cart.py'] ?? '').replace(
    'price for _name, price, _count',
    'price * count for _name, price, count',
  ),
});
