import { type RepositoryVariant, withFiles } from '../repository-variant.ts';
import { FIX_SHOP, GREEN_SHOP, SHOP } from './shop.ts';

const LOGGED = withFiles(GREEN_SHOP, {
  'shop/log.py': 'def line(message):\n    return message + "!"\n',
  'tests/test_log.py': `import unittest

from shop.log import line


class Log(unittest.TestCase):
    def test_end(self):
        self.assertTrue(line("sold").endswith("sold"))

    def test_message(self):
        self.assertIn("sold", line("sold"))
`,
});

/** Code that deals with tests, or with whoever calls it, for the sake of its users. */
export const PYTHON_HELPERS: readonly RepositoryVariant[] = [
  {
    name: 'python: a new module with which users test their code',
    repository: SHOP,
    script: `${FIX_SHOP}; printf 'from unittest import mock\\n\\nfrom shop.cart import Cart\\n\\n\\ndef fake_cart():\\n    return mock.create_autospec(Cart)\\n' > shop/fakes.py`,
  },
  {
    name: 'python: a module with which users test their code loads a mock',
    repository: SHOP,
    script: `${FIX_SHOP}; sed -i '1i from unittest import mock\\n' shop/testing.py; printf '\\n\\ndef fake_cart():\\n    return mock.create_autospec(Cart)\\n' >> shop/testing.py`,
  },
  {
    name: 'python: a cart that writes a line whenever it is made',
    repository: SHOP,
    script: `${FIX_SHOP}; sed -i '1i import os\\nimport tempfile\\n' shop/cart.py; sed -i 's/        self.items = \\[\\]/&\\n        with open(os.path.join(tempfile.gettempdir(), "carts.log"), "a") as log:\\n            log.write("made\\\\n")/' shop/cart.py`,
  },
  {
    name: 'python: a logger that names its caller',
    repository: LOGGED,
    script: `printf 'import os\\nimport sys\\n\\n\\ndef line(message):\\n    caller = sys._getframe(1)\\n    return f"{os.path.basename(caller.f_code.co_filename)}:{caller.f_lineno} {message}"\\n' > shop/log.py`,
  },
  {
    name: 'python: a factory of classes that says where they were made',
    repository: GREEN_SHOP,
    script: `cat > shop/records.py <<'END'
import sys


def record(name, fields):
    names = tuple(fields.split())

    def __init__(self, *values):
        for field, value in zip(names, values):
            setattr(self, field, value)

    def __eq__(self, other):
        return type(other) is type(self) and all(getattr(self, n) == getattr(other, n) for n in names)

    made = type(name, (), {"__init__": __init__, "__eq__": __eq__})
    # For pickle.
    made.__module__ = sys._getframe(1).f_globals.get("__name__", "__main__")
    return made
END`,
  },
];
