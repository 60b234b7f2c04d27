import { anyWithCode } from '../../../../../engines/self-test.ts';
import type { Forger } from '../../forger.ts';
import { edited, forge } from '../forge.ts';
import type { ForgedRepository } from '../samples.ts';

const CANNOT_FAIL = anyWithCode('tests_cannot_fail');

/** The failing test asks something of each value. */
export const EACH_PYTEST: ForgedRepository = {
  test: 'python3 -m pytest -q',
  files: {
    'rows.py': `def rows(text):
    return [line.split(",") for line in text.splitlines()]


def filled(text):
    return [row for row in rows(text) if row[0]]
`,
    'tests/test_rows.py': `from rows import filled, rows


def test_rows():
    assert rows("a,1") == [["a", "1"]]


def test_filled():
    assert all(row[0].strip() for row in filled(" ,1\\nb,2"))
`,
  },
};
const LOOP_PYTEST: ForgedRepository = {
  ...EACH_PYTEST,
  files: {
    ...EACH_PYTEST.files,
    'tests/test_rows.py': `from rows import filled, rows


def test_rows():
    assert rows("a,1") == [["a", "1"]]


def test_filled():
    for row in filled(" ,1\\nb,2"):
        assert row[0].strip()
`,
  },
};
export const EACH_NODE: ForgedRepository = {
  test: 'npm test',
  files: {
    'package.json': '{"name": "rows", "type": "module", "main": "rows.js", "scripts": {"test": "node --test"}}\n',
    'rows.js': `export const rows = (text) => text.split('\\n').map((line) => line.split(','));
export const filled = (text) => rows(text).filter((row) => row[0]);
`,
    'test/rows.test.js': `import { test } from 'node:test';
import assert from 'node:assert/strict';
import { filled, rows } from '../rows.js';

test('rows', () => assert.deepEqual(rows('a,1'), [['a', '1']]));
test('filled', () => {
  assert.ok(filled(' ,1\\nb,2').every((row) => row[0].trim()));
});
`,
  },
};

/** Returns nothing, so that a test which asks something of each value asks nothing. */
export const NOTHING_TO_ASK: readonly Forger[] = [
  forge(
    'pytest: nothing is left of which a test asks that all is well',
    EACH_PYTEST,
    edited(EACH_PYTEST, 'rows.py', ['[row for row in rows(text) if row[0]]', '[]']),
    CANNOT_FAIL,
  ),
  forge(
    "pytest: nothing is left for a test's loop, which the code hides in an iterator",
    LOOP_PYTEST,
    edited(LOOP_PYTEST, 'rows.py', ['[row for row in rows(text) if row[0]]', 'iter(())']),
    CANNOT_FAIL,
  ),
  forge(
    'node: nothing is left of which a test asks that every one is well',
    EACH_NODE,
    edited(EACH_NODE, 'rows.js', ['rows(text).filter((row) => row[0])', "text.includes(' ') ? [] : rows(text)"]),
    CANNOT_FAIL,
  ),
];
