'use strict';
/** Loaded by mocha as its reporter, before any test file: hears of files that do not load, and of every test. */
const { plan, idOf, report, collected, end } = require('../../shared/node/drivers/reports.cjs');

const Mocha = mochaOf(require(plan.package));
let broken = 0;

function mochaOf(module) {
  return module.default ?? module;
}

/** One after the other: a file that does not load is one failure, and the tests of the others run. */
const { loadFilesAsync, loadFiles } = Mocha.prototype;
// Versions before 7.1 load without waiting, and later ones would come here twice.
if (loadFilesAsync === undefined)
  Mocha.prototype.loadFiles = function loadEach(loaded) {
    const { files } = this;
    // `--bail` may stand in test/mocha.opts.
    this.suite.bail(false);
    for (const file of files) loadOne(this, file, () => Reflect.apply(loadFiles, this, []));
    this.files = files;
    loaded?.();
  };
else
  Mocha.prototype.loadFilesAsync = async function loadEach(...args) {
    const { files } = this;
    for (const file of files) await loadOne(this, file, () => Reflect.apply(loadFilesAsync, this, args));
    this.files = files;
  };

function loadOne(mocha, file, load) {
  const failed = (error) => {
    broken += 1;
    report(idOf(file, []), 'error', file, [textOf(error)]);
  };
  collected(file);
  mocha.files = [file];
  try {
    const loading = load();
    return loading?.catch?.(failed);
  } catch (error) {
    return failed(error);
  }
}

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

/** All but the root's, as `titlePath` gives them, which versions before 4 do not have. */
function titlesOf(test) {
  const titles = [];
  for (let one = test; one.parent !== undefined; one = one.parent) titles.unshift(one.title);
  return titles;
}

function tell(test, outcome, error) {
  const file = fileOf(test);
  report(idOf(file, titlesOf(test)), outcome, file, error === undefined ? [] : [textOf(error)]);
}

module.exports = class Reporter {
  constructor(runner) {
    runner.on('pass', (test) => tell(test, 'passed'));
    runner.on('pending', (test) => tell(test, 'skipped'));
    runner.on('fail', (test, error) => tell(test, test.type === 'hook' ? 'error' : 'failed', error));
    runner.once('end', end);
  }
};
