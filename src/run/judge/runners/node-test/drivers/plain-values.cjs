'use strict';
/**
 * What may pass between asserts and code under test: plain values, each with exactly one form on the wire, and nothing
 * that could stand in for one. Objects are `{o}`, so that no object of the code can look like a mark of ours.
 */
const DEEPEST = 100;
const ODD_NUMBERS = new Map([
  ['NaN', NaN],
  ['Infinity', Infinity],
  ['-Infinity', -Infinity],
  ['-0', -0],
]);

function encode(value, depth = 0) {
  if (depth > DEEPEST) throw new TypeError(`black box: a value is nested more than ${DEEPEST} deep`);
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'undefined':
      return { u: 1 };
    case 'bigint':
      return { b: String(value) };
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0)
        ? value
        : { n: Object.is(value, -0) ? '-0' : String(value) };
    case 'object':
      return value === null ? null : encodeObject(value, depth);
    default:
      throw refusal(`a ${typeof value}`);
  }
}

function encodeObject(value, depth) {
  const keys = Reflect.ownKeys(value);
  if (Array.isArray(value)) {
    if (Object.getPrototypeOf(value) !== Array.prototype || keys.length !== value.length + 1)
      throw refusal('an unusual array');
    return value.map((item) => encode(item, depth + 1));
  }
  if (Object.getPrototypeOf(value) !== Object.prototype)
    throw refusal(`a ${value.constructor?.name ?? 'null-prototype object'}`);
  const entries = keys.map((key) => {
    const property = Object.getOwnPropertyDescriptor(value, key);
    if (typeof key === 'symbol' || !property.enumerable || !('value' in property))
      throw refusal('an object with hidden parts');
    return [key, encode(property.value, depth + 1)];
  });
  return { o: Object.fromEntries(entries) };
}

function refusal(what) {
  return new TypeError(`black box: ${what} cannot pass between tests and code under test; only plain values can`);
}

/** Throws for what `encode` does not make. */
function decode(wire, depth = 0) {
  if (typeof wire !== 'object' || wire === null) return wire;
  if (depth > DEEPEST) throw new TypeError('not a value: nested too deep');
  if (Array.isArray(wire)) return wire.map((item) => decode(item, depth + 1));
  const marks = Object.keys(wire);
  const [mark] = marks;
  const content = wire[mark];
  if (marks.length === 1 && mark === 'u') return undefined;
  if (marks.length === 1 && mark === 'b' && /^-?\d+$/.test(content)) return BigInt(content);
  if (marks.length === 1 && mark === 'n' && ODD_NUMBERS.has(content)) return ODD_NUMBERS.get(content);
  if (marks.length === 1 && mark === 'o' && isRecord(content))
    return Object.fromEntries(Object.entries(content).map(([key, item]) => [key, decode(item, depth + 1)]));
  throw new TypeError('not a value');
}

function isRecord(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

module.exports = { encode, decode, isRecord };
