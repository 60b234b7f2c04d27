'use strict';
/** What reporters of vitest and jest share: they sit in the runner's parent process and speak of files. */
const { relative } = require('node:path');
const channel = require('./channel.cjs');

const { plan } = channel;
let complete = false;

/**
 * The announced exit code and the real one are one and the same: it is read when nobody is left to change it, which is after
 * the last listener. A run that was cut short announces nothing.
 */
const emit = process.emit;
process.emit = function emitThenAnnounce(name, ...rest) {
  const heard = Reflect.apply(emit, this, [name, ...rest]);
  if (name === 'exit' && complete) channel.done(process.exitCode ?? rest[0]);
  return heard;
};

function say(text) {
  process.stdout.write(text);
}

const indent = (text) => `${String(text).trimEnd().replace(/^/gm, '  ')}\n`;

module.exports = {
  plan,
  say,
  /** `project`: what the runner calls the configuration of this file, when it has several. */
  idOf(project, file, names) {
    const place = `${project === '' ? '' : `|${project}| `}${relative(plan.root, file)}`;
    return names.length === 0 ? place : `${place}::${names.join(' > ')}`;
  },
  collected(file) {
    channel.collected(file);
  },
  report(id, outcome, errors, file) {
    channel.test(id, outcome, file);
    say(`${outcome === 'failed' || outcome === 'error' ? 'not ok' : outcome === 'skipped' ? 'skipped' : 'ok'} ${id}\n`);
    for (const error of errors) say(indent(error));
  },
  runnerError(text) {
    channel.runnerError(text);
  },
  /** Every file has been reported. */
  finish() {
    complete = true;
  },
};
