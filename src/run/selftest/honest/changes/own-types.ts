import { type RepositoryVariant, type SampleRepository, withFiles } from '../repository-variant.ts';

const PYTHON: SampleRepository = {
  test: 'python3 -m pytest -q',
  files: {
    'README.md': '# bill\n',
    'bill.py': `import pathlib


class Bill:
    def __init__(self, sum, items):
        self.sum = sum
        self.items = items

    def __eq__(self, other):
        return (self.sum, self.items) == (other.sum, other.items)


def title():
    return (pathlib.Path(__file__).parent / "README.md").read_text().strip("# \\n")


def bill(prices, discount=0):
    return Bill(sum(prices), len(prices))
`,
    'tests/test_bill.py': `from bill import Bill, bill, title


def test_title():
    assert title() == "bill"


def test_plain():
    assert bill([1, 2]) == Bill(3, 2)


def test_discount():
    assert bill([100], 10) == Bill(90, 1)


def test_sum():
    assert bill([100], 10).sum == 90
`,
  },
};
const PYTHON_FIX = "sed -i 's/Bill(sum(prices), /Bill(sum(prices) * (100 - discount) \\/\\/ 100, /' bill.py";

const RUST: SampleRepository = {
  test: 'cargo test',
  needs: 'cargo',
  files: {
    'Cargo.toml': '[package]\nname = "bill"\nversion = "0.1.0"\nedition = "2021"\n',
    'Cargo.lock': 'version = 3\n\n[[package]]\nname = "bill"\nversion = "0.1.0"\n',
    'rates.txt': '10\n',
    'src/lib.rs': `#[derive(Debug, PartialEq)]
pub struct Bill {
    pub sum: i64,
    pub items: usize,
}

pub fn rate() -> i64 {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/rates.txt");
    std::fs::read_to_string(path).unwrap().trim().parse().unwrap()
}

pub fn bill(prices: &[i64]) -> Bill {
    Bill { sum: prices.iter().sum(), items: prices.len() }
}
`,
    'tests/bill.rs': `use bill::{bill, rate, Bill};

#[test]
fn ten() {
    assert_eq!(rate(), 10);
}

#[test]
fn discount() {
    assert_eq!(bill(&[100]), Bill { sum: 90, items: 1 });
}
`,
  },
};
const RUST_FIX =
  "sed -i 's/sum: prices.iter().sum(),/sum: prices.iter().sum::<i64>() * (100 - rate()) \\/ 100,/' src/lib.rs";

const NODE: SampleRepository = {
  test: 'npm test',
  files: {
    'package.json': '{"name": "bill", "type": "module", "main": "bill.js", "scripts": {"test": "node --test"}}\n',
    'bill.js': 'export const bill = (prices, discount = 0) => prices.reduce((a, b) => a + b, 0);\n',
    'test/bill.test.js': `import test from 'node:test';
import assert from 'node:assert/strict';
import { bill } from '../bill.js';

test('plain', () => {
  assert.equal(bill([1, 2]), 3);
});
test('discount', () => {
  assert.equal(bill([100], 10), 90);
});
`,
  },
};

/** Types that say what equals their values, and code that uses files beside it. */
export const OWN_TYPES: Readonly<Record<'python' | 'rust' | 'javascript', readonly RepositoryVariant[]>> = {
  python: [
    {
      name: 'python: an equality that also looks at the type, and code that reads the readme',
      repository: PYTHON,
      script: `${PYTHON_FIX}; sed -i 's/return (self.sum, self.items) ==/return isinstance(other, Bill) and (self.sum, self.items) ==/' bill.py`,
    },
    {
      name: 'python: a new type with a field that is not compared',
      repository: PYTHON,
      script: `${PYTHON_FIX}; cat >> bill.py <<'END'


class Shop:
    def __init__(self, name):
        self.name = name
        self._bills = []

    def __eq__(self, other):
        return self.name == other.name
END`,
    },
    {
      name: 'python: values that are kept within limits, and show themselves',
      repository: PYTHON,
      script: `${PYTHON_FIX}; sed -i 's/self.sum = sum/self.sum = min(max(sum, 0), 90)/' bill.py; cat >> bill.py <<'END'


def show(bill):
    return f"{bill.sum} for {bill.items}"


Bill.__repr__ = show
END`,
    },
  ],
  rust: [
    {
      name: 'rust: an equality that is written out, and code that reads a file of its crate',
      repository: RUST,
      script: `${RUST_FIX}; sed -i 's/, PartialEq//' src/lib.rs; cat >> src/lib.rs <<'END'

impl PartialEq for Bill {
    fn eq(&self, other: &Self) -> bool {
        self.sum == other.sum && self.items == other.items
    }
}
END`,
    },
  ],
  javascript: [
    {
      name: 'node: code that looks for settings where it is started',
      repository: withFiles(NODE, { 'README.md': '# bill\n' }),
      script: `cat > bill.js <<'END'
import { existsSync, readFileSync } from 'node:fs';

const settings = existsSync('bill.json') ? JSON.parse(readFileSync('bill.json', 'utf8')) : { digits: 2 };
const round = (sum) => Number(sum.toFixed(settings.digits));
export const bill = (prices, discount = 0) => round((prices.reduce((a, b) => a + b, 0) * (100 - discount)) / 100);
END`,
    },
  ],
};
