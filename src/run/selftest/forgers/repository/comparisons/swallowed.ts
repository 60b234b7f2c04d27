import { anyWithCode } from '../../../../../engines/self-test.ts';
import type { Forger } from '../../forger.ts';
import { edited, forge } from '../forge.ts';
import type { ForgedRepository } from '../samples.ts';

const CANNOT_FAIL = anyWithCode('tests_cannot_fail');

/** Tests that assert in functions which they give to the product. */
const GIVEN_PYTEST: ForgedRepository = {
  test: 'python3 -m pytest -q',
  files: {
    'totals.py': `def each(rows, report):
    for row in rows:
        report(row[0])


def largest(rows):
    return max(rows)
`,
    'tests/test_totals.py': `from totals import each, largest


def test_largest():
    assert largest([1, 3, 2]) == 3


def test_each():
    def check(total):
        assert total == 5

    each([[2, 3]], check)
`,
  },
};
const GIVEN_NODE: ForgedRepository = {
  test: 'npm test',
  files: {
    'package.json': '{"name": "totals", "type": "module", "main": "totals.js", "scripts": {"test": "node --test"}}\n',
    'totals.js': `export function each(rows, report) {
  for (const row of rows) report(row[0]);
}

export const largest = (rows) => Math.max(...rows);
`,
    'test/totals.test.js': `import { test } from 'node:test';
import assert from 'node:assert/strict';
import { each, largest } from '../totals.js';

test('largest', () => {
  assert.equal(largest([1, 3, 2]), 3);
});
test('each', () => {
  each([[2, 3]], (total) => assert.equal(total, 5));
});
`,
  },
};

/** Failures that never reach the test, because the product stands between. */
export const SWALLOWED: readonly Forger[] = [
  forge(
    'pytest: failures of what the product is given are caught',
    GIVEN_PYTEST,
    edited(GIVEN_PYTEST, 'totals.py', [
      '        report(row[0])\n',
      `        try:
            report(row[0])
        except Exception:
            continue
`,
    ]),
    CANNOT_FAIL,
  ),
  forge(
    'node: what the product is given is called when the test is over, and its failures are caught',
    GIVEN_NODE,
    edited(GIVEN_NODE, 'totals.js', ['report(row[0]);', 'Promise.resolve(row[0]).then(report).catch(() => {});']),
    CANNOT_FAIL,
  ),
  forge(
    'node: what the product is given is never called',
    GIVEN_NODE,
    edited(GIVEN_NODE, 'totals.js', ['report(row[0]);', 'if (row.length === 0) report(0);']),
    CANNOT_FAIL,
  ),
];
