/**
 * Starts a runner whose reporter shares a process with the tests, and passes on what it reports. The runner may start itself
 * anew with other options, so it is given the name of a pipe instead of a descriptor. The test channel stays here.
 */
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { constants, mkdtempSync, openSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import channel from './channel.cjs';

const { plan } = channel;
const OUTCOMES = new Set(['passed', 'failed', 'skipped', 'error']);
const LONGEST_LINE = 60 * 1024;
let fault = null;

/** True for the last report. What does not look like a report spoils the run: no honest reporter writes it. */
function pass(text) {
  const { id, outcome, file, collected, end } = JSON.parse(text);
  if (end === true) return true;
  if (typeof collected === 'string') channel.collected(collected);
  else if (typeof id === 'string' && id !== '' && OUTCOMES.has(outcome) && text.length < LONGEST_LINE) {
    channel.test(id, outcome, file);
  } else throw new Error(`not a report: ${text.slice(0, 200)}`);
  return false;
}

/** Resolves at the line `last`, which nobody else can know, to whether the last report came before. */
function listen(wire, last) {
  let rest = '';
  let complete = false;
  return new Promise((resolve) => {
    wire.setEncoding('utf8').on('data', (chunk) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop();
      for (const line of lines) {
        if (line === last) return resolve(complete);
        if (line === '') continue;
        try {
          if (complete) throw new Error('a report after the last one');
          complete = pass(line);
        } catch (error) {
          fault ??= error.message;
        }
      }
    });
  });
}

async function run({ argv, file }) {
  const pipe = join(mkdtempSync(join(tmpdir(), 'reports-')), 'pipe');
  if (spawnSync('mkfifo', ['-m', '600', pipe]).status !== 0) throw new Error('mkfifo failed');
  // Open for writing too, so that it has no end before its last line.
  const fd = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
  const wire = new Socket({ fd, readable: true, writable: true });
  const last = randomBytes(16).toString('hex');
  const heard = listen(wire, last);
  const reports = { pipe, file, root: plan.root, package: plan.package, entry: plan.entry };
  const child = spawn(argv[0], argv.slice(1), {
    cwd: plan.cwd,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, SEATRIAL_REPORTS: JSON.stringify(reports) },
  });
  const exitCode = await new Promise((resolve) => {
    child.once('exit', (code) => resolve(code ?? 1));
    child.once('error', () => resolve(127));
  });
  // A line that was cut short stands before it.
  wire.write(`\n${last}\n`);
  const complete = await heard;
  wire.destroy();
  return { exitCode, complete };
}

let exitCode = 0;
let complete = true;
for (const call of plan.calls) {
  if (call.file !== undefined) channel.collected(call.file);
  const ended = await run(call);
  exitCode ||= ended.exitCode;
  if (ended.complete) continue;
  // A file that failed before its first report did not load; one that claims success did not come to its end.
  if (call.file === undefined || ended.exitCode === 0) complete = false;
  else channel.test(call.id, 'error', call.file);
}
if (fault !== null) process.stderr.write(`${fault}\n`);
if (complete && fault === null) channel.done(exitCode);
process.exit(exitCode);
