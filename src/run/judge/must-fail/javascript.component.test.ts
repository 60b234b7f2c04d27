import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { alterSuite, expectAnswers, runSuite, type Suite } from './altered-runs.fixture.ts';

const TIMEOUT = { timeout: 90_000 };
const VARIANTS = ['throw', 'neutral', 'literal', 'respelled'] as const;

const PRODUCT = `export const add = (a, b) => a + b;
export const shout = (text) => text.toUpperCase();
export const later = async (value) => value;
export const call = (f) => setTimeout(f, 1);
export const each = (parts, report) => parts.forEach((part) => report(part));
export const fail = () => { throw new Error('no'); };
`;

const NODE = `'use strict';
// größe 😀
import test, { describe, it, suite } from 'node:test';
import assert, { strictEqual } from 'node:assert/strict';
import { add, call, each, fail, later, shout } from '../product.mjs';

test('plain', () => { assert.equal(add(1, 1), 2); });
test('expression', () => assert.deepEqual([add(1, 1)], [2]));
test('promise', () => later(2).then((two) => assert.equal(two, 2)));
test('async expression', async () => assert.equal(await later('ä"b'), 'ä"b'));
test("quotes \\"in\\" the title", function () {
  'use strict';
  strictEqual(shout('é'), 'É'); // a comment last
});
test('returns early', () => {
  if (add(0, 0) === 0) return;
  assert.equal(1, 2);
});
describe('group', () => {
  it('calculated', () => {
    const expected = { sum: 1 + 1 };
    assert.deepEqual({ sum: add(1, 1) }, expected);
  });
  describe('inner > group', () => {
    it('calls back', (t, done) => { call(() => { assert.ok(true); done(); }); });
    it('calls back at once', (t, done) => { done(); });
  });
  it(\`template \${1 + 1}\`, () => { assert.ok(shout('x') === 'X'); });
});
suite('suite', { concurrency: true }, () => {
  it('with options', { timeout: 1000 }, async () => { assert.strictEqual(await later(null), null); });
});
test('twice', () => { assert.equal(add(1, 2), 3); });
test('twice', () => { assert.equal(add(1, 3), 4); });
test('parent', async (t) => {
  await t.test('child', () => { assert.equal(add(-1, 0), -1); });
});
test('throws', () => { assert.throws(() => fail(), /no/); });
for (const n of [1, 2]) test('loop ' + n, () => { assert.equal(add(n, 0), n); });
test('cases', () => {
  for (const [given, wanted] of [[1, 2], [2, 3]]) {
    if (given > 0) assert.equal(add(given, 1), wanted);
  }
});
test('each', async () => {
  [1, 2].forEach((n) => { assert.deepEqual({ n: add(n, 0) }, { n }); });
});
test('callback', () => { each([1], (one) => { assert.equal(one, 1); }); });
test('callback as an expression', () => each([1], (one) => assert.equal(one, 1)));
test('callback by name', () => {
  const check = (one) => assert.deepEqual({ one }, { one: 1 });
  each([1], check);
});
test('callback that is not called', () => {
  each([], (one) => assert.equal(one, 1));
  assert.equal(shout('a'), 'A');
});
test('callback that is to throw', () => { assert.throws(() => each([1], (one) => assert.equal(one, 2))); });
test('callback later', (t, done) => { call(() => { assert.equal(add(1, 1), 2); done(); }); });
test('branch not taken', () => {
  if (add(0, 0) !== 0) { assert.equal(add(1, 1), 3); } else if (shout('a') === 'b') assert.equal(1, 2);
});
const alias = test;
alias('made through an alias', () => { assert.equal(add(1, 1), 2); });
test.skip('skipped', () => { assert.equal(add(1, 1), 3); });
`;

const node: Suite = {
  runner: 'node-test',
  command: 'node --test tests/',
  tree: { 'tests/shapes.test.mjs': NODE, 'product.mjs': PRODUCT },
};

async function passedIn(run: ReturnType<typeof runSuite>, leftOut: RegExp): Promise<readonly string[]> {
  const { outcomes, output } = await run;
  const ids = Object.keys(outcomes);
  expect(
    ids.filter((id) => outcomes[id] === 'failed' || outcomes[id] === 'error'),
    output,
  ).toEqual([]);
  return ids.filter((id) => outcomes[id] === 'passed' && !leftOut.test(id));
}

describe.concurrent('node:test', () => {
  const unaltered = runSuite(node);

  test.for(VARIANTS)('%s', TIMEOUT, async (variant) => {
    // The child lies in the parent's body: both at once is not for this test.
    const ids = await passedIn(unaltered, /::parent$/);
    const altered = await expectAnswers(node, ids, variant);
    expect(Object.keys(altered.notAltered)).toEqual(['tests/shapes.test.mjs::made through an alias']);
    expect(Object.keys(altered.variants)).toHaveLength(26);
  });

  test('a parent of other tests', TIMEOUT, async () => {
    for (const variant of ['throw', 'neutral'] as const) {
      const altered = await expectAnswers(node, ['tests/shapes.test.mjs::parent'], variant);
      expect(altered.notAltered).toEqual({});
    }
  });

  test('no line changes its number', async () => {
    const ids = await passedIn(unaltered, /::parent$/);
    for (const variant of VARIANTS) {
      const altered = await alterSuite(node, ids, variant);
      const lines = (text: string | undefined): number | undefined => text?.split('\n').length;
      expect(lines(altered.tree['tests/shapes.test.mjs'])).toBe(lines(NODE));
    }
  });
});

const VITEST = `import { describe, expect, it, test, vi } from 'vitest';
import { add, later, shout } from '../product.mjs';

interface Row { readonly a: number; readonly sum: number }
/** Looks like an assertion, and is none. */
const assert = (...values: readonly unknown[]): void => { values.forEach(() => 0); };
const rows: readonly Row[] = [{ a: 1, sum: 2 }, { a: 2, sum: 3 }];

test('plain', () => { expect(add(1, 1)).toBe(2); });
test.concurrent('concurrent', async ({ expect: own }) => { own(await later({ a: [1, null] })).toEqual({ a: [1, null] }); });
test.each([[1, 2, 3], [2, 3, 5]])('%i plus %i is %i', (a, b, sum) => { expect(add(a, b)).toBe(sum); });
test.for(rows)('row $a', ({ a, sum }: Row) => { expect(add(a, 1)).toStrictEqual(sum); });
describe.each(['x', 'y'])('letter %s', (letter) => {
  it('is loud', () => { expect(shout(letter)).toEqual(letter.toUpperCase()); });
});
describe('a > b', () => {
  it('resolves', async () => { await expect(later('ok' as string)).resolves.toBe('ok'); });
  it('returns', () => expect(later(undefined)).resolves.toBeUndefined());
  it('with a timeout', () => { expect(shout(\`a
b\`)).toHaveLength(3); }, 5000);
  it('mock', () => {
    const mock = vi.fn();
    mock({ id: 1 }, 'x');
    expect(mock).toHaveBeenCalledWith({ id: 1 }, 'x');
    expect(mock).toHaveBeenCalledTimes(1);
  });
  it('not', () => { expect(add(1, 1)).not.toBe(3); });
  it('throws', () => { expect(() => { throw new TypeError('no'); }).toThrow(TypeError); });
  it('not a number', () => { expect(Number('x')).toBe(NaN); });
});
describe('table', () => {
  for (const row of rows) test(String(row.a), () => { expect(add(row.a, 1)).toBe(row.sum); });
  test('beside it', () => { assert(add(1, 1), add); });
});
it.runIf(true)('run if', () => { const list = [1]; expect(list).toBe(list); });
test.fails('fails', () => { expect(add(1, 1)).toBe(3); });
test('fails by option', { fails: true }, () => { expect(add(1, 1)).toBe(3); });
test.todo('later');
`;

describe.concurrent('vitest', () => {
  const suite: Suite = {
    runner: 'vitest',
    command: 'vitest run',
    tree: { 'tests/shapes.test.ts': VITEST, 'product.mjs': PRODUCT, 'package.json': '{}' },
    terms: {
      readOnly: [
        {
          source: fileURLToPath(new URL('../../../../node_modules', import.meta.url)),
          target: '/workspace/node_modules',
          mode: 'ro',
        },
      ],
    },
  };
  const unaltered = runSuite(suite);

  test.for(VARIANTS)('%s', TIMEOUT, async (variant) => {
    const ids = await passedIn(unaltered, /^$/);
    const altered = await expectAnswers(suite, ids, variant);
    // What is expected to fail is reported passed when it does.
    expect(Object.keys(altered.notAltered).map((id) => id.split('::')[1])).toEqual(['fails', 'fails by option']);
    expect(Object.keys(altered.variants)).toHaveLength(19);
  });
});

test.for([
  ['throw', 'neutral'],
  ['literal', 'respelled'],
] as const)('%s and %s look alike', async ([failing, passing]) => {
  const path = 'tests/shapes.test.mjs';
  const ids = ['plain', 'group > calculated', 'group > inner > group > calls back'].map((name) => `${path}::${name}`);
  const looks = (text: string | undefined): string => (text ?? '').replaceAll(/\d+ \+ \d+ [<>] \d+/g, 'a comparison');
  const [one, other] = await Promise.all([alterSuite(node, ids, failing), alterSuite(node, ids, passing)]);
  expect(one.tree[path]).not.toBe(other.tree[path]);
  expect(looks(one.tree[path])).toBe(looks(other.tree[path]));
});
