'use strict';
/** Loaded before a test file: takes tape's results as data, whatever else is printed. */
const { join } = require('node:path');
const { plan, idOf, report, end } = require('../../shared/node/drivers/reports.cjs');

const Results = require(join(plan.package, 'lib/results.js'));

/** By tape's own numbers. */
const tests = new Map();

function namesOf(test) {
  return test === undefined ? [] : [...namesOf(tests.get(test.parent)), test.name];
}

function textOf({ name, operator, expected, actual, error }) {
  const values = operator === 'fail' ? '' : `expected: ${show(expected)}\nactual: ${show(actual)}\n`;
  return `${name}\n${values}${error?.stack ?? ''}`;
}

function show(value) {
  try {
    return typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  } catch {
    return String(value);
  }
}

function hear(row) {
  switch (row.type) {
    case 'test':
      tests.set(row.id, {
        name: row.name,
        parent: row.parent,
        outcome: row.skip || row.todo ? 'skipped' : 'passed',
        errors: [],
      });
      break;
    case 'assert': {
      const test = tests.get(row.test);
      if (row.ok || row.todo || test === undefined) break;
      if (test.outcome !== 'skipped') test.outcome = 'failed';
      test.errors.push(textOf(row));
      break;
    }
    case 'end': {
      const test = tests.get(row.test);
      if (test !== undefined) report(idOf(plan.file, namesOf(test)), test.outcome, plan.file, test.errors);
      break;
    }
    default:
  }
}

/**
 * Harnesses that have started and not yet ended. One that runs out of tests ends by itself; a process that is made to exit
 * before that has no last report.
 */
let running = 0;
let started = 0;
let ranOut = false;
const createStream = Results.prototype.createStream;
Results.prototype.createStream = function createObserved(options) {
  if (!this.isObserved) {
    this.isObserved = true;
    started += 1;
    running += 1;
    const rows = Reflect.apply(createStream, this, [{ objectMode: true }]);
    rows.on('data', hear).on('end', () => {
      running -= 1;
    });
  }
  return Reflect.apply(createStream, this, [options]);
};
process.on('beforeExit', () => {
  ranOut = true;
});
process.on('exit', () => {
  if (running === 0 && (started > 0 || ranOut)) end();
});
