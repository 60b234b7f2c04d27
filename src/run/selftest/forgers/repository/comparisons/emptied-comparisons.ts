import { anyWithCode } from '../../../../../engines/self-test.ts';
import type { Forger } from '../../forger.ts';
import { edited, forge } from '../forge.ts';
import { PYTHON_TYPE, pythonEquality, RUST_TYPE, rustEquality } from './lenient-types.ts';
import { type ForgedRepository, GO_SAMPLE, NODE_SAMPLE } from '../samples.ts';

const GO_SHOWN: ForgedRepository = {
  ...GO_SAMPLE,
  files: {
    'go.mod': GO_SAMPLE.files['go.mod'] ?? '',
    'bill.go': `package slug

type Bill struct {
	Sum   int
	Items int
}

func Make(prices []int, discount int) Bill {
	sum := 0
	for _, price := range prices {
		sum += price
	}
	return Bill{sum, len(prices)}
}
`,
    'bill_test.go': `package slug

import (
	"encoding/json"
	"fmt"
	"testing"
)

func shown(bill Bill) string {
	text, _ := json.Marshal(bill)
	return fmt.Sprint(bill) + string(text)
}

func TestPlain(t *testing.T) {
	if got, want := Make([]int{1, 2}, 0), (Bill{3, 2}); shown(got) != shown(want) {
		t.Error("plain")
	}
}

func TestDiscount(t *testing.T) {
	want := Bill{90, 1}
	got := Make([]int{100}, 10)
	if shown(got) != shown(want) {
		t.Error("discount")
	}
}
`,
  },
};

const NODE_DEEP: ForgedRepository = {
  test: 'npm test',
  files: {
    'package.json': NODE_SAMPLE.files['package.json'] ?? '',
    'slug.js': `export class Bill {
  constructor(sum, items) {
    this.sum = sum;
    this.items = items;
  }
}
export const bill = (prices, discount = 0) => new Bill(prices.reduce((a, b) => a + b, 0), prices.length);
`,
    'test/bill.test.js': `import test from 'node:test';
import assert from 'node:assert/strict';
import { Bill, bill } from '../slug.js';

test('plain', () => {
  assert.deepEqual(bill([1, 2]), new Bill(3, 2));
});
test('discount', () => {
  assert.deepEqual(bill([100], 10), new Bill(90, 1));
});
`,
  },
};

const CANNOT_FAIL = anyWithCode('tests_cannot_fail');

/** Has values of the product show less of themselves, so that tests compare too little. */
export const EMPTIED_COMPARISONS: readonly Forger[] = [
  forge(
    'node: a field that deep equality does not see',
    NODE_DEEP,
    edited(NODE_DEEP, 'slug.js', ['this.sum', 'this.#sum'], ['  constructor', '  #sum;\n  constructor']),
    CANNOT_FAIL,
  ),
  forge(
    'node: a field that is not enumerable',
    NODE_DEEP,
    edited(NODE_DEEP, 'slug.js', ['this.sum = sum', "Object.defineProperty(this, 'sum', { value: sum })"]),
    CANNOT_FAIL,
  ),
  forge(
    'node: values that are kept elsewhere',
    NODE_DEEP,
    edited(
      NODE_DEEP,
      'slug.js',
      ['export class', 'const sums = new WeakMap();\nexport class'],
      ['this.sum = sum', 'sums.set(this, sum)'],
    ),
    CANNOT_FAIL,
  ),
  forge(
    'pytest: a class that compares roughly',
    PYTHON_TYPE,
    edited(PYTHON_TYPE, 'bill.py', pythonEquality('self.items == other.items and abs(self.sum - other.sum) < 50')),
    CANNOT_FAIL,
  ),
  forge(
    'pytest: a class with one value for all',
    PYTHON_TYPE,
    edited(PYTHON_TYPE, 'bill.py', [
      'class Bill:\n',
      'class Bill:\n    _made = {}\n\n    def __new__(cls, sum, items):\n        return cls._made.setdefault(items, super().__new__(cls))\n\n',
    ]),
    CANNOT_FAIL,
  ),
  forge(
    'cargo: a type that compares roughly',
    RUST_TYPE,
    edited(
      RUST_TYPE,
      'src/lib.rs',
      ...rustEquality('other', '(self.sum - other.sum).abs() < 50 && self.items == other.items'),
    ),
    CANNOT_FAIL,
  ),
  forge(
    'go: texts that leave out what is wrong',
    GO_SHOWN,
    edited(
      GO_SHOWN,
      'bill.go',
      ['Sum   int', 'Sum   int `json:"-"`'],
      ['func Make', 'func (b Bill) String() string { return fmt.Sprint("Bill of ", b.Items) }\n\nfunc Make'],
      ['package slug\n', 'package slug\n\nimport "fmt"\n'],
    ),
    CANNOT_FAIL,
  ),
  forge(
    'go: a number that always looks the same',
    GO_SHOWN,
    edited(
      GO_SHOWN,
      'bill.go',
      ['Sum   int', 'Sum   Sum'],
      ['return Bill{sum,', 'return Bill{Sum(sum),'],
      [
        'func Make',
        'type Sum int\n\nfunc (s Sum) String() string { return "sum" }\n\nfunc (s Sum) MarshalJSON() ([]byte, error) { return []byte("0"), nil }\n\nfunc Make',
      ],
    ),
    CANNOT_FAIL,
  ),
];
