import { expect, test } from 'vitest';
import { reason } from '../../../../evidence/reasons/catalogue.ts';
import type { AlteredRun, MustFailRequest, Outcomes } from '../request.ts';
import { runMustFail } from '../run.ts';

interface Sample {
  readonly runner: string;
  readonly path: string;
  readonly id: string;
  readonly text: string;
}

const python = (body: string): Sample => ({
  runner: 'pytest',
  path: 'tests/test_a.py',
  id: 'tests/test_a.py::test_adds',
  text: `from money import Money, add\n\n\ndef test_adds():\n${body.replaceAll(/^/gm, '    ')}\n`,
});
const javascript = (body: string, runner = 'vitest'): Sample => ({
  runner,
  path: 'a.test.js',
  id: 'a.test.js::adds',
  text: `test('adds', (${/^(?:ava|tape)$/.test(runner) ? 't' : ''}) => {\n  ${body}\n});\n`,
});
const go = (body: string): Sample => ({
  runner: 'go',
  path: 'a_test.go',
  id: 'example.org/a::TestAdds',
  text: `package a\n\nimport "testing"\n\nfunc TestAdds(t *testing.T) {\n\t${body}\n}\n`,
});
const rust = (body: string): Sample => ({
  runner: 'cargo',
  path: 'tests/a.rs',
  id: 'tests/a.rs::adds',
  text: `#[test]\nfn adds() {\n    ${body}\n}\n`,
});

/** What was put in front of the test's own text: the demand that is followed by a return. A test that is repeated has none. */
const demandIn = (text: string): string =>
  /\bagain[0-9a-f]{8}\b/.test(text) ? '' : (/(.*)[;\n]\s*return\b/.exec(text)?.[1]?.trim() ?? '');
/** Values of the demand that are made from literals. */
const valuesIn = (demand: string): readonly string[] =>
  demand.match(/(?:new )?\b[Mm]oney(?:::new)?\s*[({][^(){}]*[)}]/g) ?? [];

/** A product whose values are equal where `show` gives the same text. */
const product =
  ({ path, id, text }: Sample, show: (value: string) => string, demands: string[] = []) =>
  ({ files }: AlteredRun): Promise<Outcomes> => {
    const demand = demandIn(files.get(path) ?? text);
    if (demand !== '') demands.push(demand);
    const [one = '', other = ''] = valuesIn(demand).map(show);
    return Promise.resolve(new Map([[id, one === other ? 'passed' : 'failed']]));
  };

const whole = (value: string): string => value;
const withoutNumbers = (value: string): string => value.replaceAll(/\d+/g, '');
const atMost3 = (value: string): string => value.replaceAll(/\d+/g, (digits) => String(Math.min(3, Number(digits))));

function judge(sample: Sample, show: (value: string) => string, more: Partial<MustFailRequest> = {}) {
  const { runner, path, id, text } = sample;
  const demands: string[] = [];
  // Altered copies of other kinds answer as they must: only values are compared here.
  const answers = (run: AlteredRun): Promise<Outcomes> =>
    demandIn(run.files.get(path) ?? '') === '' ? Promise.resolve(new Map()) : product(sample, show, demands)(run);
  const read = (one: string): string | null => (one === path ? text : null);
  const verdict = runMustFail({
    seed: 'c0ffee',
    runner,
    fixed: [id],
    kept: [],
    files: { paths: [path], read },
    firstRunMs: 1000,
    run: answers,
    base: { read, run: product(sample, whole) },
    ...more,
  });
  return verdict.then(({ faults }) => ({ faults, demands }));
}

const SAMPLES: readonly (readonly [string, Sample])[] = [
  ['assert', python('assert add(Money(1, "EUR"), Money(2, "EUR")) == Money(3, "EUR")')],
  ['a name', python('want = Money(3, "EUR")\ngot = add(1, 2)\nassert got == want')],
  ['texts of both', python('want = Money(3, "EUR")\ngot = add(1, 2)\nassert repr(got) == repr(want)')],
  ['assertEqual', python('self.assertEqual(add(1, 2), Money(3, "EUR"))')],
  ['toEqual', javascript("expect(add(1, 2)).toEqual(new Money(3, 'EUR'));")],
  ['chai', javascript("expect(add(1, 2)).to.deep.equal(new Money(3, 'EUR'));", 'mocha')],
  ['deepEqual', javascript("t.deepEqual(add(1, 2), new Money(3, 'EUR'));", 'ava')],
  ['equals', javascript("assert.ok(add(1, 2).equals(new Money(3, 'EUR')));", 'node-test')],
  [
    'stringify',
    javascript(
      "const want = new Money(3, 'EUR');\n  const got = add(1, 2);\n  expect(JSON.stringify(got)).toBe(JSON.stringify(want));",
    ),
  ],
  ['helper', go('equal(t, Add(1, 2), Money{3, "EUR"})')],
  ['if', go('if got := Add(1, 2); got != (Money{3, "EUR"}) {\n\t\tt.Error(got)\n\t}')],
  [
    'DeepEqual',
    go('want := Money{3, "EUR"}\n\tif got := Add(1, 2); !reflect.DeepEqual(got, want) {\n\t\tt.Error(got)\n\t}'),
  ],
  [
    'String',
    go('want := Money{3, "EUR"}\n\tgot := Add(1, 2)\n\tif got.String() != want.String() {\n\t\tt.Error(got)\n\t}'),
  ],
  ['assert_eq', rust('assert_eq!(add(1, 2), Money { amount: 3, currency: "EUR" });')],
  ['a function', rust('assert_eq!(add(1, 2), money(3, "EUR"));')],
  ['let', rust('let want = Money::new(3, "EUR");\n    assert_eq!(add(1, 2), want);')],
];

test.each(SAMPLES)('%s: values that the base tells apart and the patch does not are found', async (_, sample) => {
  const { faults, demands } = await judge(sample, withoutNumbers);
  expect(faults, demands.join('\n')).toEqual([reason('tests_cannot_fail', { n: 1 })]);
});

test.each(SAMPLES)('%s: nothing is wrong with values that are told apart as before', async (_, sample) => {
  const { faults, demands } = await judge(sample, whole);
  expect(demands.length).toBeGreaterThan(0);
  expect(faults).toEqual([]);
});

test('a product that limits its values still tells lesser ones apart', async () => {
  expect((await judge(python('assert add(5, 9) == Money(3, "EUR")'), atMost3)).faults).toEqual([]);
});

test('what the base does not tell apart either is not the doing of the patch', async () => {
  const sample = python('assert add(1, 2) == Money(3, "EUR")');
  const base = { read: () => sample.text, run: product(sample, withoutNumbers) };
  expect((await judge(sample, withoutNumbers, { base })).faults).toEqual([]);
});

test.each([
  ['a plain value', python('assert clamp(15) == 10')],
  ['the function that is tested', python('assert clamp(15) == clamp(20)')],
  ['a value without literals', python('assert add(1, 2) == Money(a, b)')],
  ['an error that is not expected', go('err := Parse("3 EUR")\n\tif err != nil {\n\t\tt.Fatal(err)\n\t}')],
  ['a value that is compared with a literal', go('got := Add(1, 2)\n\tif got != 3 {\n\t\tt.Error(got)\n\t}')],
  ['built-in values', go('want := []string{"3"}\n\tif !reflect.DeepEqual(Split("3"), want) {\n\t\tt.Error(want)\n\t}')],
  [
    'the number of values',
    go('got := Add(1, 2)\n\twant := Money{3, "EUR"}\n\tif len(got) != len(want) {\n\t\tt.Error(got)\n\t}'),
  ],
  [
    'a test that is over only when it says so',
    javascript("t.deepEqual(add(1, 2), new Money(3, 'EUR')); t.end();", 'tape'),
  ],
])('nothing is asked about %s', async (_, sample) => {
  expect((await judge(sample, withoutNumbers)).demands).toEqual([]);
});
