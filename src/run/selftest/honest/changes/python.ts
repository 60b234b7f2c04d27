import { type RepositoryVariant, type SampleRepository, withFiles } from '../repository-variant.ts';
import { FIX_SHOP, GREEN_SHOP, SHOP } from './shop.ts';

/** Loose files without a package: a program, its data, and a test beside them. */
const FLAT: SampleRepository = {
  test: 'python3 -m unittest',
  files: {
    'answer.py':
      'def answer():\n    with open("answer.txt") as file:\n        return int(file.read())\n\n\ndef words():\n    import json\n    with open("data.json") as file:\n        return json.load(file)\n',
    'answer.txt': '41\n',
    'data.json': '{"yes": "yes"}\n',
    'test_answer.py': `import unittest

from answer import answer, words


class Answers(unittest.TestCase):
    def test_answer(self):
        self.assertEqual(answer(), 42)

    def test_words(self):
        self.assertIn("yes", words())


if __name__ == "__main__":
    unittest.main()
`,
  },
};

export const PYTHON: readonly RepositoryVariant[] = [
  {
    name: 'python: a fix with a new test file',
    repository: SHOP,
    script: `${FIX_SHOP}; printf 'import unittest\\n\\n\\nclass More(unittest.TestCase):\\n    def test_more(self):\\n        self.assertTrue(True)\\n' > tests/test_more.py`,
  },
  {
    name: 'python: changed tests beside a fix',
    repository: SHOP,
    script: `${FIX_SHOP}; sed -i 's/cart.add("pen", 2, 3)/cart.add("pen", 4, 3)/; s/total(), 6)/total(), 12)/' tests/test_cart.py`,
  },
  {
    name: 'python: a fixture extended beside a fix',
    repository: SHOP,
    script: `${FIX_SHOP}; echo '[["pen", 2, 1], ["ink", 5, 1], ["cap", 0, 1]]' > tests/data/order.json; printf '\\n\\ndef names(name):\\n    return [row[0] for row in order(name)]\\n' >> tests/helpers.py`,
  },
  {
    name: 'python: rates, templates and translations',
    repository: GREEN_SHOP,
    script: `echo '{"EUR": 1, "USD": 1.1, "GBP": 0.9}' > shop/data/rates.json; echo thanks=Merci > shop/locale/fr.txt; echo receipt=Recu >> shop/locale/fr.txt; printf '{title}: {total}\\n' > shop/templates/short.txt; sed -i 's/Danke/Vielen Dank/' shop/locale/de.txt`,
  },
  {
    name: 'python: a helper for users that is named like tests',
    repository: SHOP,
    script: `${FIX_SHOP}; printf '\\n\\ndef empty_cart():\\n    return Cart()\\n' >> shop/testing.py; printf 'def near(a, b):\\n    return abs(a - b) < 1e-9\\n' > shop/test_utils.py`,
  },
  {
    name: 'python: a module moved into a package',
    repository: GREEN_SHOP,
    script: `mkdir shop/prices; git mv shop/money.py shop/prices/money.py; echo 'from shop.prices.money import convert, rate' > shop/prices/__init__.py; echo 'from shop.prices.money import *  # noqa' > shop/money.py; sed -i 's/parent \\//parent.parent \\//' shop/prices/money.py`,
  },
  { name: 'python: dead code removed', repository: GREEN_SHOP, script: 'git rm -q shop/_legacy.py' },
  {
    name: 'python: a new module and a new program',
    repository: GREEN_SHOP,
    script: `printf 'def discount(total, percent):\\n    return total * (100 - percent) / 100\\n' > shop/discount.py; printf 'from shop.cli import main\\n\\nraise SystemExit(main())\\n' > shop/__main__.py; sed -i 's/^shop = .*/&\\nshop-discount = "shop.discount:discount"/' pyproject.toml`,
  },
  {
    name: 'python: readme, changelog, licence and docs',
    repository: GREEN_SHOP,
    script: `echo more >> README.md; echo '- more' >> CHANGELOG.md; sed -i 's/2020/2020-2026/' LICENSE; echo more >> docs/index.rst; echo new > docs/new.rst; echo '# Conduct' > CODE_OF_CONDUCT.md`,
  },
  {
    name: 'python: a new version',
    repository: GREEN_SHOP,
    script: `sed -i 's/1\\.2\\.0/1.3.0/' pyproject.toml shop/__init__.py; sed -i 's/## 1.2.0/## 1.3.0\\n\\n- Bulk\\n\\n&/' CHANGELOG.md`,
  },
  {
    name: 'python: types and formatting everywhere',
    repository: GREEN_SHOP,
    script: `for file in shop/*.py; do sed -i -e 's/"/\\x27/g' -e '1i # formatted' "$file"; done; sed -i 's/def add(self, name, price, count=1)/def add(self, name: str, price: float, count: int = 1) -> None/' shop/cart.py`,
  },
  {
    name: 'python: a help target of the Makefile',
    repository: GREEN_SHOP,
    script: `sed -i 's/make test"/make test  run the tests"/' Makefile`,
  },
  {
    name: 'python: tests of a package moved to another directory',
    repository: SHOP,
    script: `${FIX_SHOP}; mkdir tests/unit; touch tests/unit/__init__.py; git mv tests/test_money.py tests/unit/test_money.py`,
  },
  {
    name: 'python: a file that was ignored',
    repository: GREEN_SHOP,
    script: `printf '__pycache__/\\n*.egg-info/\\n' > .gitignore; mkdir dist; echo built > dist/notes.txt`,
  },
  {
    name: 'python: caches and build output left behind',
    repository: SHOP,
    script: `${FIX_SHOP}; python3 -m compileall -q shop; mkdir -p shop.egg-info build/lib .mypy_cache; echo x > shop.egg-info/PKG-INFO; echo x > .mypy_cache/x; echo x > .coverage`,
  },
  { name: 'python: data of a loose program', repository: FLAT, script: 'echo 42 > answer.txt' },
  {
    name: 'python: more data of a loose program, beside its code',
    repository: FLAT,
    script: `echo '{"yes": "yes", "no": "no"}' > data.json; sed -i 's/return int(file.read())/return int(file.read()) + 1/' answer.py`,
  },
  {
    name: 'python: a loose module taken apart',
    repository: FLAT,
    script: `echo 42 > answer.txt; printf 'def read(name):\\n    with open(name) as file:\\n        return file.read()\\n' > reading.py; sed -i '1,3d' answer.py; sed -i '1i from reading import read\\n\\n\\ndef answer():\\n    return int(read("answer.txt"))\\n' answer.py`,
  },
  {
    name: 'python: a test that was known to fail',
    repository: withFiles(GREEN_SHOP, {
      'tests/test_broken.py':
        'import unittest\n\n\nclass Broken(unittest.TestCase):\n    def test_broken(self):\n        self.assertEqual(1, 2)\n',
      '.seatrial/task.toml': '[seatrial]\nknown_failing = ["tests.test_broken.Broken.test_broken"]\n',
    }),
    script: `printf '\\n\\ndef half(amount):\\n    return amount / 2\\n' >> shop/money.py`,
  },
  {
    name: 'python: a module whose test was written first',
    repository: withFiles(SHOP, {
      'tests/test_tax.py':
        'import unittest\n\nfrom shop.tax import with_tax\n\n\nclass Tax(unittest.TestCase):\n    def test_tax(self):\n        self.assertEqual(with_tax(100), 119)\n',
    }),
    script: `printf 'def with_tax(amount):\\n    return round(amount * 1.19)\\n' > shop/tax.py`,
  },
  {
    name: 'python: tests that use git',
    repository: withFiles(SHOP, {
      'tests/test_git.py': `import subprocess
import tempfile
import unittest
from pathlib import Path


def git(*args, cwd="."):
    return subprocess.run(["git", *args], cwd=cwd, capture_output=True, text=True, check=True).stdout


class Git(unittest.TestCase):
    def test_tracked(self):
        self.assertIn("shop/cart.py", git("ls-files"))

    def test_commit(self):
        with tempfile.TemporaryDirectory() as folder:
            git("init", "-q", cwd=folder)
            (Path(folder) / "a").write_text("a")
            git("add", "a", cwd=folder)
            git("commit", "-q", "-m", "a", cwd=folder)
            self.assertEqual(git("log", "--format=%s", cwd=folder), "a\\n")

    def test_head(self):
        self.assertEqual(len(git("rev-parse", "HEAD").strip()), 40)
`,
    }),
    script: `${FIX_SHOP}; echo more >> docs/index.rst; echo new > docs/new.rst`,
  },
  {
    name: 'python: a link that the repository has',
    repository: {
      ...SHOP,
      links: { 'tests/rates': '../shop/data', 'about.md': 'README.md', words: '/usr/share/dict/words' },
    },
    script: `${FIX_SHOP}; echo more >> README.md`,
  },
  {
    name: 'python: a package in a src directory, renamed inside',
    repository: {
      test: 'PYTHONPATH=src python3 -m pytest -q',
      files: {
        'setup.py':
          'from setuptools import find_packages, setup\n\nsetup(name="steps", version="1.0", packages=find_packages("src"), package_dir={"": "src"})\n',
        'src/steps/__init__.py': 'from .walk import walk\n',
        'src/steps/walk.py': 'from ._util import double\n\n\ndef walk(n):\n    return double(n)\n',
        'src/steps/_util.py': 'def double(n):\n    return n * 2\n',
        'tests/test_walk.py': 'from steps import walk\n\n\ndef test_walk():\n    assert walk(2) == 4\n',
      },
    },
    script: `git mv src/steps/_util.py src/steps/_numbers.py; sed -i 's/_util/_numbers/' src/steps/walk.py; sed -i 's/1\\.0/1.1/' setup.py`,
  },
  {
    name: 'python: doctests edited with the code they show',
    repository: {
      test: 'python3 -m pytest -q --doctest-modules',
      files: {
        'words.py':
          'def shout(text):\n    """Upper case.\n\n    >>> shout("a")\n    \'A\'\n    """\n    return text.upper()\n\n\ndef count(text):\n    """\n    >>> count("a b")\n    2\n    """\n    return len(text.split(" "))\n',
        'test_words.py': 'from words import count\n\n\ndef test_count():\n    assert count("a  b") == 2\n',
      },
    },
    script: `sed -i 's/split(" ")/split()/; s/count("a b")/count("a   b")/' words.py`,
  },
  {
    name: 'python: a plugin found by its directory',
    repository: {
      test: 'python3 -m unittest discover -s tests',
      files: {
        'plugins/upper.py': 'def run(text):\n    return text.upper()\n',
        'host.py':
          'import importlib\nimport pathlib\n\n\ndef plugins():\n    folder = pathlib.Path(__file__).parent / "plugins"\n    return {path.stem: importlib.import_module(f"plugins.{path.stem}") for path in sorted(folder.glob("*.py"))}\n',
        'tests/test_host.py':
          'import sys\nimport unittest\n\nsys.path.insert(0, ".")\n\nfrom host import plugins\n\n\nclass Host(unittest.TestCase):\n    def test_upper(self):\n        self.assertEqual(plugins()["upper"].run("a"), "A")\n',
      },
    },
    script: `printf 'def run(text):\\n    return text.lower()\\n' > plugins/lower.py; sed -i 's/return text.upper()/return str(text).upper()/' plugins/upper.py`,
  },
  {
    name: 'python: a page that tests look at, and settings that they check',
    repository: {
      test: 'python3 -m unittest',
      files: {
        'index.html': '<title>Home</title>\n',
        'deploy/web.json': '{"replicas": 0}\n',
        'test_site.py': `import glob
import json
import unittest


class Site(unittest.TestCase):
    def test_heading(self):
        with open("index.html") as page:
            self.assertIn("<h1>", page.read())

    def test_deploy(self):
        for path in glob.glob("deploy/*.json"):
            with open(path) as settings:
                self.assertGreater(json.load(settings)["replicas"], 0)
`,
      },
    },
    script: `echo '<title>Home</title><h1>Home</h1>' > index.html; echo '{"replicas": 2}' > deploy/web.json`,
  },
  {
    name: 'python: data that program and tests open',
    repository: withFiles(FLAT, {
      'test_file.py': `import unittest


class File(unittest.TestCase):
    def test_digits(self):
        with open("answer.txt") as file:
            self.assertTrue(file.read().strip().isdigit())
`,
    }),
    script: 'echo 42 > answer.txt',
  },
  {
    name: 'python: a module of the product that is named like a test',
    repository: withFiles(GREEN_SHOP, {
      'shop/test_client.py': 'class Client:\n    def get(self):\n        return 1\n',
      'shop/__init__.py':
        'from shop.cart import Cart\nfrom shop.test_client import Client\n\n__all__ = ["Cart", "Client"]\n',
      'tests/test_client.py': `import unittest

from shop import Client


class Clients(unittest.TestCase):
    def test_get(self):
        self.assertEqual(Client().get(), 2)
`,
    }),
    script: "sed -i 's/return 1/return 2/' shop/test_client.py",
  },
  {
    name: 'python: a fix that tests see by order, type and exceptions',
    repository: {
      test: 'python3 -m unittest',
      files: {
        'sizes.py': 'def size(text):\n    raise NotImplementedError\n\n\ndef parse(text):\n    return text\n',
        'test_sizes.py': `import unittest

from sizes import parse, size


class Sizes(unittest.TestCase):
    def test_order(self):
        self.assertGreater(size("ab"), 0)

    def test_orders(self):
        for low in (0, 1):
            self.assertGreater(size("ab"), low)

    def test_type(self):
        self.assertIsInstance(size("ab"), int)

    def test_exception(self):
        self.assertRaises(ValueError, parse, "x")
`,
      },
    },
    script:
      "printf 'def size(text):\\n    return len(text)\\n\\n\\ndef parse(text):\\n    return int(text)\\n' > sizes.py",
  },
];
