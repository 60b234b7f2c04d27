'use strict';
/** The judge's end of the test channel: the plan comes in on it, reports go out. */
const { readSync, writeSync } = require('node:fs');
const { normalize } = require('node:path');

const CHANNEL = 3;
const LONGEST_PLAN = 4 * 1024 * 1024;
const LONGEST_ERROR = 500;

function readPlan() {
  const chunk = Buffer.alloc(65536);
  const parts = [];
  let size = 0;
  do {
    const got = readSync(CHANNEL, chunk);
    size += got;
    if (got === 0 || size > LONGEST_PLAN) throw new Error('no plan on the test channel');
    parts.push(Buffer.from(chunk.subarray(0, got)));
  } while (parts.at(-1).at(-1) !== 10);
  return JSON.parse(Buffer.concat(parts).toString('utf8'));
}

const { nonce, ...plan } = readPlan();
let n = 0;

function send(body) {
  const data = Buffer.from(`${JSON.stringify({ ...body, n, nonce })}\n`);
  n += 1;
  for (let sent = 0; sent < data.length;) sent += writeSync(CHANNEL, data, sent);
}

/** Undefined for a file that is not below the workspace. */
function fromWorkspace(path) {
  if (typeof path !== 'string') return undefined;
  const whole = normalize(path);
  return whole.startsWith(`${plan.workspace}/`) ? whole.slice(plan.workspace.length + 1) : undefined;
}

const seen = new Map();
const collected = new Set();

module.exports = {
  plan,
  /** `path`: the absolute path of the test file, where it is known. Two tests of one name are two tests; the second gets a number. */
  test(id, outcome, path) {
    const times = (seen.get(id) ?? 0) + 1;
    seen.set(id, times);
    const file = fromWorkspace(path);
    send({ id: times === 1 ? id : `${id} (${times})`, outcome, ...(file === undefined ? {} : { file }) });
  },
  collected(path) {
    const file = fromWorkspace(path);
    if (file === undefined || collected.has(file)) return;
    collected.add(file);
    send({ collected: file });
  },
  /** An error that belongs to no test, and that makes the runner fail. */
  runnerError(text) {
    send({ runner_error: text.slice(0, LONGEST_ERROR) });
  },
  done(exitCode) {
    send({ done: exitCode });
  },
};
