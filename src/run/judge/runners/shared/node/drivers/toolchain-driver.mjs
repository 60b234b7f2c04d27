/**
 * Starts a program that builds tests and runs them, and reads what it says. Neither it nor what it starts has the
 * channel: descriptors of this process that are not handed on are closed in its children.
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import channel from './channel.cjs';

const { plan } = channel;
const { read } = await import(pathToFileURL(plan.reports).href);
const say = (text) => process.stdout.write(text);
const reader = read(plan, say);
for (const path of reader.collect?.() ?? []) channel.collected(path);

// One stream for both outputs: only so does what was said keep its order.
const child = spawn('/bin/sh', ['-c', 'exec "$@" 2>&1', 'sh', ...plan.argv], {
  cwd: plan.cwd,
  stdio: ['ignore', 'pipe', 'inherit'],
});
const ended = new Promise((resolve) => {
  child.once('close', (code) => resolve(code ?? 1));
  child.once('error', () => resolve(127));
});
const tell = ({ id, outcome, file }) => channel.test(id, outcome, file);
for await (const line of createInterface({ input: child.stdout, crlfDelay: Infinity })) {
  for (const test of reader.line(line)) tell(test);
}
const exitCode = await ended;
for (const test of reader.rest?.(exitCode) ?? []) tell(test);
for (const path of reader.collected?.() ?? []) channel.collected(path);
const missing = reader.end();
if (missing === null) channel.done(exitCode);
else say(`${missing}\n`);
process.exitCode = exitCode;
