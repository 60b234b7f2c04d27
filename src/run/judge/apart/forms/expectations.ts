/** The expectations of vitest, jest, mocha, chai and ava that can be checked without those libraries. */
export const MATCHERS = {
  toBe: 'Object.is(got, one)',
  toEqual: 'same(known(got), known(one))',
  toStrictEqual: 'same(got, one)',
  toBeNull: 'got === null',
  toBeUndefined: 'got === undefined',
  toBeDefined: 'got !== undefined',
  toBeTruthy: 'Boolean(got)',
  toBeFalsy: '!got',
  toBeNaN: 'Number.isNaN(got)',
  toHaveLength: 'got.length === one',
  toContain: 'got.includes(one)',
  toMatch: 'one instanceof RegExp ? one.test(got) : got.includes(one)',
  toBeGreaterThan: 'got > one',
  toBeGreaterThanOrEqual: 'got >= one',
  toBeLessThan: 'got < one',
  toBeLessThanOrEqual: 'got <= one',
  equal: 'flags.deep ? same(got, one) : got === one',
  equals: 'flags.deep ? same(got, one) : got === one',
  eq: 'flags.deep ? same(got, one) : got === one',
  eql: 'same(got, one)',
  lengthOf: 'got.length === one',
  above: 'got > one',
  below: 'got < one',
} as const;
/** Expectations that are properties, not calls. */
export const FACTS = {
  true: 'got === true',
  false: 'got === false',
  null: 'got === null',
  undefined: 'got === undefined',
  ok: 'Boolean(got)',
} as const;
export const CHAIN = [
  'to',
  'be',
  'been',
  'is',
  'and',
  'has',
  'have',
  'with',
  'that',
  'which',
  'at',
  'of',
  'same',
  'deep',
  'not',
];
export const AVA = {
  is: 'Object.is(got, one)',
  not: '!Object.is(got, one)',
  deepEqual: 'same(got, one)',
  notDeepEqual: '!same(got, one)',
  true: 'got === true',
  false: 'got === false',
  truthy: 'Boolean(got)',
  falsy: '!got',
} as const;

const names = (table: object): string => Object.keys(table).join('|');
const FACT = `(?:${names(FACTS)})`;
const LINK = `(?:\\s*\\.\\s*(?:${CHAIN.join('|')}))*`;
const CALLED = new RegExp(`^expect\\((?:.|\\n)*\\)${LINK}\\s*\\.\\s*(?:${names(MATCHERS)})$|^expect$`);
const READ = new RegExp(`^expect\\((?:.|\\n)*\\)${LINK}\\s*\\.\\s*${FACT}$`);
const OF_AVA = new RegExp(`^t\\.(?:${names(AVA)})$`);

/** Whether a call chain that starts with `expect` can be checked without its library. */
export const isKnownExpectation = (callee: string): boolean => CALLED.test(callee);
/** `expect(a).to.be.true`, a property instead of a call. */
export const isKnownFact = (member: string): boolean => READ.test(member);
export const isKnownForAva = (callee: string): boolean => OF_AVA.test(callee);

/** The source of the functions that check a value: actual, expected, negation, and one more argument. */
export const functionsOf = (table: object): string =>
  Object.entries(table)
    .map(([name, test]) => `${name}: (got, one, flags, other, all) => ${test},`)
    .join('\n');

/** Replaces the runner and its expectations: Node.js itself runs the tests. */
export const STAND_IN = `{
  const { isDeepStrictEqual: same } = process.getBuiltinModule('node:util');
  const { describe, it, test } = process.getBuiltinModule('node:test');
  const known = (value) =>
    Array.isArray(value) ? value.map(known)
    : typeof value !== 'object' || value === null ? value
    : Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined).map(([key, one]) => [key, known(one)]));
  const MATCHERS = { ${functionsOf(MATCHERS)} };
  const FACTS = { ${functionsOf(FACTS)} };
  const AVA = { ${functionsOf(AVA)} };
  const demand = (holds, what) => { if (!holds) throw new Error('not so: ' + what); };
  const about = (got, flags) => {
    const looked = {};
    for (const [name, holds] of Object.entries(MATCHERS))
      looked[name] = (one) => demand(Boolean(holds(got, one, flags)) !== flags.not, name);
    for (const [name, holds] of Object.entries(FACTS))
      Object.defineProperty(looked, name, { get: () => demand(holds(got) !== flags.not, name) });
    for (const name of ${JSON.stringify(CHAIN)})
      Object.defineProperty(looked, name, {
        get: () => about(got, { deep: flags.deep || name === 'deep', not: name === 'not' ? !flags.not : flags.not }),
      });
    return looked;
  };
  const t = Object.fromEntries(
    Object.entries(AVA).map(([name, holds]) => [name, (got, one) => demand(holds(got, one), name)]),
  );
  const { format } = process.getBuiltinModule('node:util');
  const titled = (title, row, at) => {
    const left = [...row];
    return title
      .replaceAll(/%[sdifjo#%]/g, (one) => (one === '%%' ? '%' : one === '%#' ? String(at) : format(one, left.shift())))
      .replaceAll(/[$](\\w+)/g, (whole, key) => (typeof row[0] === 'object' && row[0] !== null && key in row[0] ? String(row[0][key]) : whole));
  };
  const given = (call) =>
    Object.assign((name, run) => call(name, () => run(t)), {
      each: (table) => (title, run) => table.forEach((entry, at) => {
        const row = Array.isArray(entry) ? entry : [entry];
        call(titled(title, row, at), () => run(...row));
      }),
    });
  Object.assign(globalThis, {
    describe, context: describe, suite: describe, it: given(it), specify: given(it), test: given(test),
    expect: (got) => about(got, { deep: false, not: false }),
  });
}
`.replaceAll(/\n\s*/g, ' ');
