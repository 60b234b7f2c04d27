'use strict';
/** The runner's end of the relay: reports go out by name of a pipe, because it may run in a process of any descriptors. */
const { constants, openSync, writeSync } = require('node:fs');
const { relative } = require('node:path');

const { pipe, ...plan } = JSON.parse(process.env.SEATRIAL_REPORTS);
// Processes that tests start have no business with it.
delete process.env.SEATRIAL_REPORTS;
const fd = openSync(pipe, constants.O_WRONLY);

function send(body) {
  const data = Buffer.from(`${JSON.stringify(body)}\n`);
  for (let sent = 0; sent < data.length;) sent += writeSync(fd, data, sent);
}

const indent = (text) => `${String(text).trimEnd().replace(/^/gm, '  ')}\n`;
const collected = new Set();

module.exports = {
  plan,
  idOf(file, names) {
    const place = file === undefined ? '' : relative(plan.root, file);
    return names.length === 0 ? place : `${place}::${names.join(' > ')}`;
  },
  report(id, outcome, file, errors = []) {
    send({ id, outcome, file });
    const word = { passed: 'ok', skipped: 'skipped' }[outcome] ?? 'not ok';
    process.stdout.write(`${word} ${id}\n${errors.map(indent).join('')}`);
  },
  collected(file) {
    if (collected.has(file)) return;
    collected.add(file);
    send({ collected: file });
  },
  /** Every test has been reported. */
  end() {
    send({ end: true });
  },
};
