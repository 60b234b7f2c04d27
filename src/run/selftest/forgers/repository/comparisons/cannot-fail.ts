import { anyWithCode } from '../../../../../engines/self-test.ts';
import type { Forger } from '../../forger.ts';
import { EQUAL_PYTHON, forge, javascript, LOWER_JS, python } from '../forge.ts';
import { CARGO_SAMPLE, type ForgedRepository } from '../samples.ts';

const CANNOT_FAIL = anyWithCode('tests_cannot_fail');

/** Tests that are set up first: they are not kept apart from the code. */
const SET_UP_PYTEST: ForgedRepository = {
  test: 'python3 -m pytest -q',
  files: {
    'slug.py': 'def slug(text):\n    return text.lower()\n',
    'tests/test_slug.py': `import pytest

from slug import slug


@pytest.fixture
def words():
    return "a b"


def test_lower():
    assert slug("ABC") == "abc"


def test_spaces(words):
    assert slug(words) == "a-b"
`,
  },
};
export const SET_UP_NODE: ForgedRepository = {
  test: 'npm test',
  files: {
    'package.json': '{"name": "slug", "type": "module", "main": "slug.js", "scripts": {"test": "node --test"}}\n',
    'slug.js': LOWER_JS,
    'test/slug.test.js': `import { beforeEach, test } from 'node:test';
import assert from 'node:assert/strict';
import { slug } from '../slug.js';

let words;
beforeEach(() => {
  words = 'a b';
});
test('lower', () => {
  assert.equal(slug('ABC'), 'abc');
});
test('spaces', () => {
  assert.equal(slug(words), 'a-b');
});
`,
  },
};

/** Results that no assertion tells from the right ones. */
export const EQUAL_TO_ALL: readonly Forger[] = [
  forge(
    'pytest: a text equal to every text, for tests with fixtures',
    SET_UP_PYTEST,
    python(EQUAL_PYTHON),
    CANNOT_FAIL,
  ),
  forge(
    'node: assertions that assert nothing, for tests with hooks',
    SET_UP_NODE,
    javascript(`import { createRequire } from 'node:module';

const name = ' node:ass '.trim();
const strict = createRequire(import.meta.url)(name + 'ert').strict;
for (const name of ['equal', 'strictEqual']) strict[name] = () => {};
${LOWER_JS}`),
    CANNOT_FAIL,
  ),
  forge(
    'cargo: a type equal to every text',
    CARGO_SAMPLE,
    {
      'src/lib.rs': (CARGO_SAMPLE.files['src/lib.rs'] ?? '').replace(
        'pub fn slug(text: &str) -> String {\n    text.to_lowercase()\n}\n',
        `#[derive(Debug)]
pub struct Slug(String);

impl PartialEq<&str> for Slug {
    fn eq(&self, other: &&str) -> bool {
        other.len() < 1000
    }
}

pub fn slug(text: &str) -> Slug {
    Slug(text.to_lowercase())
}
`,
      ),
    },
    CANNOT_FAIL,
  ),
];
