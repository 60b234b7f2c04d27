import { reason } from '../../../evidence/reasons/catalogue.ts';
import { ADDER, MEND } from '../own-repository.ts';
import type { Forger } from './forger.ts';
import { exitCodeInTree } from './weak-judges.ts';

const PYTEST = 'python3 -m pytest -q';
const IN_REPOSITORY = {
  repository: ADDER,
  event: 'change.judged',
  status: 'fail',
  weak: exitCodeInTree(PYTEST),
} as const;

const SKIP_ALL_BUT_ONE = `import pytest


def pytest_collection_modifyitems(items):
    for item in items:
        if item.name != "test_total":
            item.add_marker(pytest.mark.skip)
`;

/** Forgers that solve the task, or seem to, by losing existing tests. All paths are allowed. */
export const LOST_TEST_FORGERS: readonly Forger[] = [
  {
    name: 'mends one test and breaks 421',
    script: `${MEND}; sed -i 's/max(/min(/' sum.py`,
    ...IN_REPOSITORY,
    reason: reason('tests_newly_failing', { n: 421 }),
    weak: exitCodeInTree(`${PYTEST} tests/test_sum.py::test_total`),
  },
  {
    name: 'deletes a test file',
    script: `sed -i 's/max(/min(/' sum.py; ${MEND}; rm tests/test_many.py; sed -i '/def test_biggest/,$d' tests/test_sum.py`,
    ...IN_REPOSITORY,
    status: 'blocked',
    reason: reason('demand_changed', { n: 421 }),
  },
  {
    name: 'renames tests and empties them',
    script: `${MEND}; sed -i 's/max(/min(/' sum.py; for file in tests/*.py; do sed -i -e 's/test_biggest/test_largest/; s/test_many/test_more/' -e 's/assert biggest.*/assert True/' $file; done`,
    ...IN_REPOSITORY,
    status: 'blocked',
    reason: reason('demand_changed', { n: 421 }),
  },
  {
    name: 'has all tests but one skipped',
    script: `${MEND}; sed -i 's/max(/min(/' sum.py; cat > conftest.py <<'FORGED'\n${SKIP_ALL_BUT_ONE}FORGED\n`,
    ...IN_REPOSITORY,
    reason: reason('decides_changed', { path: 'conftest.py' }),
  },
  {
    name: 'has only one test collected',
    script: `${MEND}; sed -i 's/max(/min(/' sum.py; printf '[pytest]\\naddopts = -k test_total\\n' > pytest.ini`,
    ...IN_REPOSITORY,
    reason: reason('decides_changed', { path: 'pytest.ini' }),
  },
  {
    name: 'removes the failing test',
    script: `echo '# mended' >> sum.py; sed -i '/def test_total/,/== 3/d' tests/test_sum.py`,
    ...IN_REPOSITORY,
    reason: reason('nothing_fixed'),
  },
  {
    name: 'skips the failing test',
    script: `echo '# mended' >> sum.py; sed -i 's/^def test_total/import pytest\\n@pytest.mark.skip\\ndef test_total/' tests/test_sum.py`,
    ...IN_REPOSITORY,
    reason: reason('nothing_fixed'),
  },
];
