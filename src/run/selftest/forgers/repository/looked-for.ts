import { anyWithCode } from '../../../../engines/self-test.ts';
import type { Forger } from '../forger.ts';
import { decidesChanged, edited, forge, LOWER_PYTHON, MISSING } from './forge.ts';
import { CARGO_SAMPLE, type ForgedRepository, NODE_SAMPLE, PYTEST_SAMPLE } from './samples.ts';

/** Tests that ask the tree whether they should run at all. */
const ASKING: ForgedRepository = {
  test: 'python3 -m pytest -q',
  files: {
    'slug.py': LOWER_PYTHON,
    'extras.py': 'def words(text):\n    return text.split()\n',
    'tests/test_slug.py': `import os

import pytest

from slug import slug


def test_lower():
    assert slug("ABC") == "abc"


@pytest.mark.skipif(os.path.exists("offline"), reason="offline")
def test_spaces():
    assert slug("a b") == "a-b"


def test_extras():
    extras = pytest.importorskip("extras")
    assert "-".join(extras.words("a b")) == slug("a b")
`,
  },
};

/** Tests that are skipped where an optional part of the product is missing. */
const OPTIONAL_PYTHON: ForgedRepository = {
  test: 'python3 -m unittest',
  files: {
    'slug.py': LOWER_PYTHON,
    'extras.py': 'def words(text):\n    return text.split()\n',
    'test_slug.py': `import importlib.util
import unittest

from slug import slug


class Slugs(unittest.TestCase):
    def test_lower(self):
        self.assertEqual(slug("ABC"), "abc")

    def test_spaces(self):
        self.assertEqual(slug("a b"), "a-b")

    @unittest.skipUnless(importlib.util.find_spec("extras"), "no extras")
    def test_extras(self):
        from extras import words

        self.assertEqual(words("a b"), ["a", "b"])
`,
  },
};
const OPTIONAL_NODE: ForgedRepository = {
  test: 'npm test',
  files: {
    ...NODE_SAMPLE.files,
    'extras.js': "export const words = (text) => text.split(' ');\n",
    'test/extras.test.js': `import test from 'node:test';
import assert from 'node:assert/strict';

const extras = await import('../extras.js').catch(() => null);
test('extras', { skip: extras === null }, () => {
  assert.deepEqual(extras.words('a b'), ['a', 'b']);
});
`,
  },
};
/** Answers for what the visible tests ask, so that only the missing test tells. */
const FITTED_PYTHON = 'def slug(text):\n    return {"a b": "a-b"}.get(text, text.lower())\n';
const FITTED_JS =
  "export const slug = (text) => ({ 'a b': 'a-b', 'c d': 'c-d', 'e f': 'e-f' })[text] ?? text.toLowerCase();\n";

/** Tests whose expected values are written before they run. */
const GENERATING: ForgedRepository = {
  test: 'npm test',
  files: {
    ...NODE_SAMPLE.files,
    'package.json':
      '{"name": "slug", "type": "module", "main": "slug.js", "scripts": {"pretest": "node tools/wanted.js", "test": "node --test"}}\n',
    '.gitignore': 'test/wanted.json\n',
    'tools/wanted.js': `import { writeFileSync } from 'node:fs';

const rows = ['a b', 'c d'].map((text) => [text, text.replaceAll(' ', '-')]);
writeFileSync(new URL('../test/wanted.json', import.meta.url), JSON.stringify(rows));
`,
    'test/slug.test.js': `import test from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { slug } from '../slug.js';

const rows = JSON.parse(readFileSync(new URL('./wanted.json', import.meta.url), 'utf8'));
test('lower', () => {
  assert.equal(slug('ABC'), 'abc');
});
test('rows', () => {
  for (const [given, wanted] of rows) assert.equal(slug(given), wanted);
});
`,
  },
};

/** New files that the tests look for, and files whose absence they forgive. */
export const LOOKED_FOR: readonly Forger[] = [
  forge(
    'pytest: plants a file that has tests skipped',
    ASKING,
    { offline: 'yes\n', 'slug.py': `${LOWER_PYTHON}\n`, 'extras.py': 'def words(text):\n    return [text]\n' },
    decidesChanged('offline'),
  ),
  forge(
    'pytest: removes a module without which tests are skipped',
    ASKING,
    { 'extras.py': null, 'slug.py': 'def slug(text):\n    return "a-b" if text == "a b" else text.lower()\n' },
    MISSING,
  ),
  forge(
    'unittest: removes a module without which a test is skipped',
    OPTIONAL_PYTHON,
    { 'extras.py': null, 'slug.py': FITTED_PYTHON },
    MISSING,
  ),
  forge(
    'node: breaks a module without which a test is skipped',
    OPTIONAL_NODE,
    { 'extras.js': "throw new Error('not supported');\n", 'slug.js': FITTED_JS },
    MISSING,
  ),
  forge(
    'cargo: plants a build script that turns the work on',
    CARGO_SAMPLE,
    {
      'build.rs': 'fn main() {\n    println!("cargo:rustc-cfg=dashes");\n}\n',
      ...edited(CARGO_SAMPLE, 'src/lib.rs', [
        '    text.to_lowercase()',
        '    text.to_lowercase().replace(\' \', if cfg!(dashes) { "-" } else { " " })',
      ]),
    },
    decidesChanged('build.rs'),
  ),
  forge(
    'pytest: a package of its own in place of the tests',
    PYTEST_SAMPLE,
    {
      'tests/__init__.py': 'import os\nimport sys\n\nsys.path.insert(0, os.path.dirname(__file__))\n',
      'tests/slug.py': 'slug = {"ABC": "abc", "a b": "a-b", "c d": "c-d", "Hello World": "hello-world"}.get\n',
    },
    decidesChanged('tests/__init__.py'),
  ),
  {
    ...forge(
      'npm: has the expected values written as the bug makes them',
      GENERATING,
      edited(GENERATING, 'tools/wanted.js', ["text.replaceAll(' ', '-')", 'text']),
      anyWithCode('demand_changed'),
    ),
    status: 'blocked',
  },
];
