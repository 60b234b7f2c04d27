import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { JudgedRepository } from '../change/judge-commits.fixture.ts';

vi.setConfig({ testTimeout: 600_000 });

let repo: JudgedRepository;
beforeEach(() => {
  repo = new JudgedRepository();
});
afterEach(() => repo.remove());

const PYTEST = 'python3 -m pytest -q -p no:cacheprovider';
const TOTAL = (rule: string): string => `import logging
import warnings

log = logging.getLogger(__name__)


def total(prices, discount=0):
    log.info("prices: %d", len(prices))
    if discount < 0:
        warnings.warn("a discount is positive", UserWarning)
    return sum(prices) * (100 - ${rule}) // 100
`;
/** Tests that need what only their runner gives them. */
const GIVEN = {
  'calc.py': TOTAL('0'),
  'tests/test_calc.py': `import pytest

from calc import total

pytestmark = pytest.mark.filterwarnings("default")


@pytest.fixture(params=[10, 20], ids=["ten", "twenty"])
def discount(request):
    return request.param


def setup_module(module):
    module.prices = [100]


@pytest.mark.skipif(total([1]) != 1, reason="no sums")
def test_plain(caplog):
    caplog.set_level("INFO", logger="calc")
    assert total([1, 2]) == 3
    assert caplog.messages == ["prices: 2"]


def test_discount(caplog, recwarn, discount):
    caplog.set_level("INFO")
    assert total(prices, discount) == 100 - discount
    assert "prices: 1" in caplog.text
    assert len(recwarn) == 0


def test_warns():
    with pytest.warns(UserWarning, match="positive"):
        assert total([100], -10) == 110
`,
};

test.each([
  ['handlers of logs', 'discount if logging.getLogger().handlers else 0'],
  [
    'the way errors are shown',
    'discount if __import__("sys").unraisablehook is not __import__("sys").__unraisablehook__ else 0',
  ],
])('code that works only beside %s does not pass where tests read logs and warnings', async (_, rule) => {
  repo.commit(GIVEN);
  repo.commit({ 'calc.py': TOTAL(`(${rule})`) });
  expect(await repo.judgeLast(PYTEST)).toEqual({ verdict: 'fail', faults: ['passes_beside_tests_only'] });
});

test('tests that read logs and warnings pass with an honest change', async () => {
  repo.commit(GIVEN);
  repo.commit({ 'calc.py': TOTAL('discount') });
  expect(await repo.judgeLast(PYTEST)).toEqual({ verdict: 'pass', faults: [] });
});
