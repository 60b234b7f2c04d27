'use strict';
/** The tests' side of the black box: one blocking question, one answer. */
const { readSync, writeSync } = require('node:fs');
const { encode, decode, isRecord } = require('./plain-values.cjs');

const WIRE = 4;
const LONGEST_LINE = 8 * 1024 * 1024;
const ERRORS = new Map(
  [Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError].map((kind) => [kind.name, kind]),
);

const chunk = Buffer.alloc(65536);
let rest = Buffer.alloc(0);
let gone = () => {};

/** Called once, when the other side has ended or talks nonsense: from then on nothing the tests conclude counts. */
function whenGone(listener) {
  gone = listener;
}

/** `read` makes something of the answer and throws if it is none to this question. */
function ask(request, read) {
  const data = Buffer.from(`${JSON.stringify(request)}\n`);
  if (data.length > LONGEST_LINE)
    throw new RangeError(`black box: a value of more than ${LONGEST_LINE} bytes cannot pass`);
  try {
    for (let sent = 0; sent < data.length;) sent += writeSync(WIRE, data, sent);
    const reply = JSON.parse(readLine());
    if (!isRecord(reply)) throw new Error('not an answer');
    return read(reply);
  } catch (error) {
    gone();
    throw new Error(`the code under test ended or broke off: ${error.message}`);
  }
}

function readLine() {
  const parts = [rest];
  let size = rest.length;
  while (!parts[parts.length - 1].includes(10)) {
    const got = readSync(WIRE, chunk);
    size += got;
    if (got === 0) throw new Error('no answer');
    if (size > LONGEST_LINE) throw new Error(`an answer of more than ${LONGEST_LINE} bytes`);
    parts.push(Buffer.from(chunk.subarray(0, got)));
  }
  const all = Buffer.concat(parts);
  const end = all.indexOf(10);
  rest = all.subarray(end + 1);
  return all.toString('utf8', 0, end);
}

/** Only built-in errors, so that none can mean something to the test runner itself. */
function errorOf({ e, t, c }) {
  const error = new (ERRORS.get(e) ?? Error)(String(t));
  // These the test runner takes for its own.
  if (typeof c === 'string' && !c.startsWith('ERR_TEST_')) error.code = c;
  return error;
}

function readResult(reply) {
  const { p = 0, e, t, c, v, ...more } = reply;
  const failed = typeof e === 'string' && typeof t === 'string' && !('v' in reply);
  const succeeded = 'v' in reply && e === undefined && t === undefined && c === undefined;
  if (!(failed || succeeded) || (p !== 0 && p !== 1) || Object.keys(more).length > 0)
    throw new Error('not an answer to a call');
  return { later: p === 1, failure: failed ? { e, t, c } : null, value: failed ? undefined : decode(v) };
}

function call(file, path, args) {
  const { later, failure, value } = ask({ file, path, args: args.map((arg) => encode(arg)) }, readResult);
  if (failure === null) return later ? Promise.resolve(value) : value;
  if (later) return Promise.reject(errorOf(failure));
  throw errorOf(failure);
}

/** Members that the language or a test library calls by itself: they would let an object answer for every comparison. */
const PROTOCOLS = new Set([
  ...Object.getOwnPropertyNames(Object.prototype),
  'then',
  'toJSON',
  'inspect',
  'asymmetricMatch',
  'prototype',
]);

function checkShape(shape) {
  if (!isRecord(shape)) throw new Error('not a description of a module');
  if ('v' in shape) return;
  if (shape.f !== 1 && !('o' in shape)) throw new Error('not a description of a module');
  for (const member of Object.values(shape.o ?? {})) checkShape(member);
}

/** A stand-in for what the other side described: functions call over, plain values are copies. */
function standIn(file, path, shape) {
  if ('v' in shape) return decode(shape.v);
  const target = shape.f === 1 ? callable(file, path) : {};
  for (const [name, member] of Object.entries(shape.o ?? {})) {
    if (PROTOCOLS.has(name)) continue;
    Object.defineProperty(target, name, { value: standIn(file, [...path, name], member), enumerable: true });
  }
  return target;
}

function callable(file, path) {
  const name = path.at(-1) ?? 'default';
  const stub = function (...args) {
    if (new.target !== undefined)
      throw new TypeError(`black box: ${name} cannot be constructed from a test; only plain values pass`);
    return call(file, path, args);
  };
  return Object.defineProperty(stub, 'name', { value: name });
}

const modules = new Map();

module.exports = {
  ask,
  whenGone,
  errorOf,
  checkShape,
  /** Called by the bootstrap before any test is loaded. */
  describe(file, shapes) {
    modules.set(file, new Map(Object.entries(shapes).map(([name, shape]) => [name, standIn(file, [name], shape)])));
  },
  /** Called by the stub modules. */
  exported(file, name) {
    return modules.get(file)?.get(name);
  },
};
