import { CHAIN, functionsOf, MATCHERS, FACTS, AVA } from '../forms/expectations.ts';
import { RUN_TIMERS } from './run-timers.ts';
import { SPIES, SPY_MATCHERS } from './javascript-spies.ts';

/** Further matchers, which work because tests and code share a process. */
const MORE_MATCHERS = {
  toBeInstanceOf: 'got instanceof one',
  instanceof: 'got instanceof one',
  instanceOf: 'got instanceof one',
  toBeCloseTo: 'Math.abs(got - one) < 10 ** -(other ?? 2) / 2',
  toContainEqual: '[...got].some((each) => same(known(each), known(one)))',
  toHaveProperty: "typeof one === 'string' && !one.includes('.') && other === undefined ? one in got : unknown()",
  include: "typeof got === 'string' || Array.isArray(got) ? got.includes(one) : unknown()",
  a: 'one === (Array.isArray(got) ? "array" : typeof got)',
  an: 'one === (Array.isArray(got) ? "array" : typeof got)',
  match: 'one.test(got)',
  toThrow: 'isThrown(got, one)',
  toThrowError: 'isThrown(got, one)',
  throw: 'other === undefined ? isThrown(got, one) : unknown()',
  throws: 'other === undefined ? isThrown(got, one) : unknown()',
} as const;

/**
 * Runs the tests of one file as an ordinary program, with replacements for what the runner provides. Tests that use anything else are
 * not reported. Reads `GIVEN`: the file, the tests with their two tokens, the name under which the file finds this program, and where
 * to write the results.
 */
export const JAVASCRIPT_PROGRAM = String.raw`
import { appendFileSync } from 'node:fs';
import { homedir } from 'node:os';
import timers from 'node:timers';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isDeepStrictEqual as same, format } from 'node:util';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const given = JSON.parse(GIVEN);

class Unknown extends Error {}
class NotSo extends Error {}
const unknown = () => {
  throw new Unknown();
};
const never = () => new Proxy(function () {}, { get: unknown, apply: unknown, construct: unknown, set: unknown });
/** Throws on members that the replacement does not have. */
const known_ = (held) =>
  new Proxy(held, { get: (target, name) => (name in target || typeof name === 'symbol' ? target[name] : name === 'then' ? undefined : never()) });

const known = (value) =>
  Array.isArray(value) ? value.map(known)
  : typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype ? value
  : Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined).map(([key, one]) => [key, known(one)]));
const isThrown = (got, wanted) => {
  let thrown;
  try {
    if (typeof got !== 'function') throw (thrown = { of: got });
    got();
    return false;
  } catch (error) {
    if (error instanceof Unknown) throw error;
    thrown = thrown?.of ?? error;
  }
  const text = String(thrown?.message ?? thrown);
  if (wanted === undefined) return true;
  if (wanted instanceof RegExp) return wanted.test(text);
  if (typeof wanted === 'string') return text.includes(wanted);
  if (typeof wanted === 'function') return thrown instanceof wanted;
  return unknown();
};
${SPIES}
const MATCHERS = { ${functionsOf({ ...MATCHERS, ...MORE_MATCHERS, ...SPY_MATCHERS })} };
const FACTS = { ${functionsOf(FACTS)} };
const AVA = { ${functionsOf({ ...AVA, notThrows: '!isThrown(got)' })} };
const demand = (holds, what) => {
  if (!holds) throw new NotSo('not so: ' + what);
};
const LINKS = ${JSON.stringify([...CHAIN, 'resolves', 'rejects', 'eventually'])};
const settled = async (got, link) => {
  try {
    const value = await (typeof got === 'function' ? got() : got);
    demand(link !== 'rejects', link);
    return value;
  } catch (error) {
    if (link !== 'rejects' || error instanceof NotSo) throw error;
    return error;
  }
};
const about = (got, flags) => {
  const looked = {};
  for (const [name, holds] of Object.entries(MATCHERS))
    looked[name] = (...all) => {
      const look = (value) => demand(Boolean(holds(value, all[0], flags, all[1], all)) !== flags.not, name);
      return flags.waits === undefined ? look(got) : settled(got, flags.waits).then(look);
    };
  for (const [name, holds] of Object.entries(FACTS))
    Object.defineProperty(looked, name, {
      get: () => (flags.waits === undefined ? demand(holds(got) !== flags.not, name) : unknown()),
    });
  for (const name of LINKS) {
    const waits = /^re/.test(name) ? name : name === 'eventually' ? 'resolves' : flags.waits;
    const link = () => about(got, { deep: flags.deep || name === 'deep', not: name === 'not' ? !flags.not : flags.not, waits });
    if (!(name in looked)) Object.defineProperty(looked, name, { get: link });
  }
  return known_(looked);
};
const expect = known_(Object.assign((got) => about(got, { deep: false, not: false, waits: undefined }), {}));

/** What mocha provides as this. */
const THIS = known_({ timeout: () => THIS, slow: () => THIS });
/** The tests of one file as they are registered, each with its hooks. */
const top = { name: null, above: null, before: [], after: [], beforeEach: [], afterEach: [], parts: [] };
let scope = top;
const AVA_T = known_(Object.fromEntries(Object.entries(AVA).map(([name, holds]) => [name, (got, one) => demand(holds(got, one), name)])));
const titled = (title, row, at) => {
  const left = [...row];
  return title
    .replaceAll(/%[sdifjo#%]/g, (one) => (one === '%%' ? '%' : one === '%#' ? String(at) : format(one, left.shift())))
    .replaceAll(/[$](\w+)/g, (whole, key) => (typeof row[0] === 'object' && row[0] !== null && key in row[0] ? String(row[0][key]) : whole));
};
const announce = (...words) => {
  const run = words.find((one) => typeof one === 'function');
  const options = words.find((one) => typeof one === 'object' && one !== null) ?? {};
  const name = typeof words[0] === 'string' ? words[0] : (run?.name || '<anonymous>');
  const usual = Object.keys(options).every((key) => /^(?:concurrency|timeout|retry)$/.test(key) && key !== 'retry');
  scope.parts.push({ name, run: usual ? run : undefined, scope });
};
const each = (table, ...more) => (title, run) => {
  if (more.length > 0 || !Array.isArray(table) || typeof title !== 'string') unknown();
  table.forEach((entry, at) => {
    const row = Array.isArray(entry) ? entry : [entry];
    announce(titled(title, row, at), () => run(...row));
  });
};
const left = Object.assign(() => {}, { each: () => () => {} });
const test = known_(Object.assign((...words) => announce(...words), { skip: left, todo: left, each, concurrent: announce, serial: announce }));
const describe = known_(
  Object.assign(
    (...words) => {
      const run = words.find((one) => typeof one === 'function');
      const inner = { name: String(words[0]), above: scope, before: [], after: [], beforeEach: [], afterEach: [], parts: [] };
      scope.parts.push(inner);
      scope = inner;
      try {
        if (run?.call(THIS) instanceof Promise) unknown();
      } finally {
        scope = inner.above;
      }
    },
    { skip: () => {}, todo: () => {} },
  ),
);
const hook = (when) => (...words) => void scope[when].push(words.find((one) => typeof one === 'function') ?? unknown);
const words = {
  test, it: test, specify: test, describe, suite: describe, context: describe, expect,
  before: hook('before'), beforeAll: hook('before'), suiteSetup: hook('before'),
  after: hook('after'), afterAll: hook('after'), suiteTeardown: hook('after'),
  beforeEach: hook('beforeEach'), setup: hook('beforeEach'), afterEach: hook('afterEach'), teardown: hook('afterEach'),
};
const runner = known_(Object.assign((...own) => announce(...own), { skip: left, todo: left, each, serial: announce, ...words, vi: spies, jest: spies, mock: spies }));
Object.defineProperty(globalThis, given.word, { value: runner });
if (given.globals) {
  const taken = given.runner === 'mocha' ? words : { ...words, vi: spies, jest: spies };
  for (const [name, value] of Object.entries(taken))
    if (!(name in globalThis)) Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
}

${RUN_TIMERS}
const outcomes = new Map();
const keep = (names, outcome) => {
  const plain = names.join(' > ');
  let name = plain;
  for (let n = 2; outcomes.has(name); n += 1) name = plain + ' (' + n + ')';
  outcomes.set(name, outcome);
};
const call = async (run, first) => {
  if (run.length > (first === undefined ? 0 : 1)) unknown();
  return run.apply(THIS, first === undefined ? [] : [first]);
};
const outcomeOf = async (work) => {
  try {
    await work();
    return 'ok';
  } catch (error) {
    if (error instanceof Unknown) return null;
    return error instanceof NotSo || error?.code === 'ERR_ASSERTION' ? 'asserted' : 'not';
  }
};
const ofNode = (names) =>
  known_({
    name: names.at(-1),
    diagnostic: () => {},
    mock: spies,
    test: async (...own) => {
      const run = own.find((one) => typeof one === 'function') ?? unknown();
      const inner = [...names, typeof own[0] === 'string' ? own[0] : run.name];
      const outcome = await outcomeOf(() => call(run, ofNode(inner)));
      keep(inner, outcome);
      if (outcome === null) unknown();
      if (outcome !== 'ok') throw new NotSo('a part of it');
    },
  });
const firstOf = (names) => (given.runner === 'node-test' ? ofNode(names) : given.runner === 'ava' ? AVA_T : undefined);
const hooksOf = (of, when) => (of === null ? [] : [...hooksOf(of.above, when), ...of[when]]);
const play = async (of, names) => {
  const isReady = await outcomeOf(async () => {
    for (const one of of.before) await call(one);
  });
  for (const part of of.parts) {
    const own = [...names, part.name];
    if (part.parts !== undefined) await play(part, own);
    else if (part.run === undefined || isReady === null) keep(own, null);
    else if (isReady !== 'ok') keep(own, 'not');
    else
      keep(own, await outcomeOf(async () => {
        for (const one of hooksOf(of, 'beforeEach')) await call(one);
        try {
          await call(part.run, firstOf(own));
        } finally {
          for (const one of hooksOf(of, 'afterEach').reverse()) await call(one);
        }
      }));
  }
  for (const one of of.after) await outcomeOf(() => call(one));
};

const file = resolve(given.file);
if (given.away) {
  process.chdir(homedir());
  process.env.PWD = homedir();
}
const grownOld = given.ages ? growOld() : async () => {};
const broken = await outcomeOf(() => import(pathToFileURL(file).href));
if (broken === 'ok') await grownOld();
if (broken === null) process.exit(0);
if (broken === 'ok') await play(top, []);
for (const [token, asserted, title] of given.tests) {
  const outcome = broken === 'ok' ? (outcomes.get(title) ?? null) : 'not';
  if (outcome === null) continue;
  appendFileSync(given.results, token + (outcome === 'ok' ? ' ok' : ' not') + '\n');
  if (outcome === 'asserted') appendFileSync(given.results, asserted + ' ok\n');
}
process.exit(0);
`;
