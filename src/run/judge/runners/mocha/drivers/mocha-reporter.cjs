'use strict';
/** Loaded by mocha as its reporter, before any test file: hears of files that do not load, and of every test. */
const { plan, idOf, report, collected, end } = require('../../shared/node/drivers/reports.cjs');

const Mocha = mochaOf(require(plan.package));
let broken = 0;

function mochaOf(module) {
  return module.default ?? module;
}

/** One after the other: a file that does not load is one failure, and the tests of the others run. */
const loadAll = Mocha.prototype.loadFilesAsync;
Mocha.prototype.loadFilesAsync = async function loadEach(...args) {
  const { files } = this;
  for (const file of files) {
    collected(file);
    this.files = [file];
    try {
      await Reflect.apply(loadAll, this, args);
    } catch (error) {
      broken += 1;
      report(idOf(file, []), 'error', file, [textOf(error)]);
    }
  }
  this.files = files;
};

/** Mocha sets its own exit code when the process ends, by the number of tests that failed. */
const emit = process.emit;
process.emit = function emitThenFail(name, ...rest) {
  const heard = Reflect.apply(emit, this, [name, ...rest]);
  if (name === 'exit' && broken > 0) process.exitCode ||= 1;
  return heard;
};

function textOf(error) {
  return error?.stack ?? String(error?.message ?? error);
}

/** Of a hook, too: its title says which test it was for. */
function fileOf(test) {
  for (let one = test; one !== undefined; one = one.parent) if (one.file) return one.file;
  return undefined;
}

function tell(test, outcome, error) {
  const file = fileOf(test);
  report(idOf(file, test.titlePath()), outcome, file, error === undefined ? [] : [textOf(error)]);
}

module.exports = class Reporter {
  constructor(runner) {
    runner.on('pass', (test) => tell(test, 'passed'));
    runner.on('pending', (test) => tell(test, 'skipped'));
    runner.on('fail', (test, error) => tell(test, test.type === 'hook' ? 'error' : 'failed', error));
    runner.once('end', end);
  }
};
