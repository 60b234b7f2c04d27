/**
 * Starts a program that builds tests and runs them, and reads what it says. Neither it nor what it starts has the
 * channel: descriptors of this process that are not handed on are closed in its children.
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import channel from './channel.cjs';
import { readCargo } from './cargo-reports.mjs';
import { readGo } from './go-reports.mjs';

const { plan } = channel;
const say = (text) => process.stdout.write(text);
const reader = plan.runner === 'go' ? readGo(plan, say) : readCargo(plan, say);

// One stream for both outputs: only so does what was said keep its order.
const child = spawn('/bin/sh', ['-c', 'exec "$@" 2>&1', 'sh', ...plan.argv], {
  cwd: plan.cwd,
  stdio: ['ignore', 'pipe', 'inherit'],
});
const ended = new Promise((resolve) => {
  child.once('close', (code) => resolve(code ?? 1));
  child.once('error', () => resolve(127));
});
for await (const line of createInterface({ input: child.stdout, crlfDelay: Infinity })) {
  for (const { id, outcome } of reader.line(line)) channel.test(id, outcome);
}
const exitCode = await ended;
const missing = reader.end();
if (missing === null) channel.done(exitCode);
else say(`${missing}\n`);
process.exitCode = exitCode;
