'use strict';
/** The tests' side of the black box: one blocking question, one answer. */
const { readSync, writeSync } = require('node:fs');
const { encode, decode } = require('./plain-values.cjs');

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

function ask(request) {
  const data = Buffer.from(`${JSON.stringify(request)}\n`);
  if (data.length > LONGEST_LINE)
    throw new RangeError(`black box: a value of more than ${LONGEST_LINE} bytes cannot pass`);
  let reply;
  try {
    for (let sent = 0; sent < data.length;) sent += writeSync(WIRE, data, sent);
    reply = JSON.parse(readLine());
    if (typeof reply !== 'object' || reply === null) throw new Error('not an answer');
  } catch (error) {
    gone();
    throw new Error(`the code under test ended or broke off: ${error.message}`);
  }
  return reply;
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
  if (typeof c === 'string') error.code = c;
  return error;
}

function call(file, path, args) {
  const reply = ask({ file, path, args: args.map((arg) => encode(arg)) });
  const failed = 'e' in reply;
  if (reply.p !== 1) {
    if (failed) throw errorOf(reply);
    return decode(reply.v);
  }
  return failed ? Promise.reject(errorOf(reply)) : Promise.resolve(decode(reply.v));
}

/** A stand-in for what the other side described: functions call over, plain values are copies. */
function standIn(file, path, shape) {
  if ('v' in shape) return decode(shape.v);
  const target = shape.f === 1 ? callable(file, path) : {};
  for (const [name, member] of Object.entries(shape.o ?? {})) {
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
  /** Called by the bootstrap before any test is loaded. */
  describe(file, shapes) {
    modules.set(file, new Map(Object.entries(shapes).map(([name, shape]) => [name, standIn(file, [name], shape)])));
  },
  /** Called by the stub modules. */
  exported(file, name) {
    return modules.get(file)?.get(name);
  },
};
