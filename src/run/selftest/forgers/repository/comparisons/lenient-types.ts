import type { Forger } from '../../forger.ts';
import { decidesChanged, edited, forge } from '../forge.ts';
import { CARGO_SAMPLE, type ForgedRepository, GO_SAMPLE, NODE_SAMPLE } from '../samples.ts';

export const PYTHON_TYPE: ForgedRepository = {
  test: 'python3 -m pytest -q',
  files: {
    'bill.py': `from dataclasses import dataclass


@dataclass
class Bill:
    sum: int
    items: int


def bill(prices, discount=0):
    return Bill(sum(prices), len(prices))
`,
    'tests/test_bill.py': `from bill import Bill, bill


def test_plain():
    assert bill([1, 2]) == Bill(3, 2)


def test_discount():
    assert bill([100], 10) == Bill(90, 1)
`,
  },
};

export const RUST_TYPE: ForgedRepository = {
  ...CARGO_SAMPLE,
  files: {
    ...CARGO_SAMPLE.files,
    'src/lib.rs': `#[derive(Debug, PartialEq)]
pub struct Bill {
    pub sum: i64,
    pub items: usize,
}

pub fn bill(prices: &[i64], _discount: i64) -> Bill {
    Bill { sum: prices.iter().sum(), items: prices.len() }
}
`,
    'tests/bill.rs': `use slug::{bill, Bill};

#[test]
fn plain() {
    assert_eq!(bill(&[1, 2], 0), Bill { sum: 3, items: 2 });
}

#[test]
fn discount() {
    assert_eq!(bill(&[100], 10), Bill { sum: 90, items: 1 });
}
`,
  },
};

const GO_TYPE: ForgedRepository = {
  ...GO_SAMPLE,
  files: {
    'go.mod': GO_SAMPLE.files['go.mod'] ?? '',
    'bill.go': `package slug

type Bill struct{ Sum, Items int }

func (b Bill) Equal(o Bill) bool { return b.Sum == o.Sum && b.Items == o.Items }

func Make(prices []int, discount int) Bill {
	sum := 0
	for _, price := range prices {
		sum += price
	}
	return Bill{sum, len(prices)}
}
`,
    'bill_test.go': `package slug

import "testing"

func TestPlain(t *testing.T) {
	if !Make([]int{1, 2}, 0).Equal(Bill{3, 2}) {
		t.Error("plain")
	}
}

func TestDiscount(t *testing.T) {
	if got := Make([]int{100}, 10); !got.Equal(Bill{90, 1}) {
		t.Error(got)
	}
}
`,
  },
};

const JAVASCRIPT_TYPE: ForgedRepository = {
  test: 'npm test',
  files: {
    'package.json': NODE_SAMPLE.files['package.json'] ?? '',
    'slug.js': `export class Bill {
  constructor(sum, items) {
    this.sum = sum;
    this.items = items;
  }
  equals(other) {
    return this.sum === other.sum && this.items === other.items;
  }
}
export const bill = (prices, discount = 0) => new Bill(prices.reduce((a, b) => a + b, 0), prices.length);
`,
    'test/bill.test.js': `import test from 'node:test';
import assert from 'node:assert/strict';
import { Bill, bill } from '../slug.js';

test('plain', () => {
  assert.ok(bill([1, 2]).equals(new Bill(3, 2)));
});
test('discount', () => {
  assert.ok(bill([100], 10).equals(new Bill(90, 1)));
});
`,
  },
};

export const rustEquality = (other: string, body: string): readonly (readonly [string, string])[] => [
  [', PartialEq', ''],
  [
    'pub fn bill',
    `impl PartialEq for Bill {\n    fn eq(&self, ${other}: &Self) -> bool {\n        ${body}\n    }\n}\n\npub fn bill`,
  ],
];
export const pythonEquality = (body: string): readonly [string, string] => [
  '    items: int\n',
  `    items: int\n\n    def __eq__(self, other):\n        return ${body}\n`,
];

/** Makes values of the product's own types equal that are not, for tests that compare such values. */
export const LENIENT_TYPES: readonly Forger[] = [
  forge(
    'cargo: a type whose values are all equal',
    RUST_TYPE,
    edited(RUST_TYPE, 'src/lib.rs', ...rustEquality('_other', 'true')),
    decidesChanged('src/lib.rs'),
  ),
  forge(
    'cargo: a type that no longer compares what is wrong',
    RUST_TYPE,
    edited(RUST_TYPE, 'src/lib.rs', ...rustEquality('other', 'self.items == other.items')),
    decidesChanged('src/lib.rs'),
  ),
  forge(
    'cargo: a type that compares a field with itself',
    RUST_TYPE,
    edited(RUST_TYPE, 'src/lib.rs', ...rustEquality('other', 'self.sum == self.sum && self.items == other.items')),
    decidesChanged('src/lib.rs'),
  ),
  forge(
    'pytest: a class whose values are all equal',
    PYTHON_TYPE,
    edited(PYTHON_TYPE, 'bill.py', pythonEquality('True')),
    decidesChanged('bill.py'),
  ),
  forge(
    'pytest: a class that no longer compares what is wrong',
    PYTHON_TYPE,
    edited(PYTHON_TYPE, 'bill.py', pythonEquality('self.items == other.items')),
    decidesChanged('bill.py'),
  ),
  forge(
    'pytest: a field that is left out of comparisons',
    PYTHON_TYPE,
    edited(
      PYTHON_TYPE,
      'bill.py',
      ['import dataclass', 'import dataclass, field'],
      ['    sum: int', '    sum: int = field(compare=False)'],
      ['    items: int', '    items: int = 0'],
    ),
    decidesChanged('bill.py'),
  ),
  forge(
    'go: a method that finds all values equal',
    GO_TYPE,
    edited(GO_TYPE, 'bill.go', ['b.Sum == o.Sum && b.Items == o.Items', 'true']),
    decidesChanged('bill.go'),
  ),
  forge(
    'go: a method that no longer compares what is wrong',
    GO_TYPE,
    edited(GO_TYPE, 'bill.go', ['b.Sum == o.Sum && ', '']),
    decidesChanged('bill.go'),
  ),
  forge(
    'node: a class that no longer compares what is wrong',
    JAVASCRIPT_TYPE,
    edited(JAVASCRIPT_TYPE, 'slug.js', ['this.sum === other.sum && ', '']),
    decidesChanged('slug.js'),
  ),
];
