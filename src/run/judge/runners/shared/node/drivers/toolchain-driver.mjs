/**
 * Starts programs that run tests, one after the other, and reads what they say. Neither they nor what they start have the
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

const tell = ({ id, outcome, file }) => channel.test(id, outcome, file);

async function run(call) {
  // One stream for both outputs, where what was said has to keep its order.
  const argv = plan.apart ? call.argv : ['/bin/sh', '-c', 'exec "$@" 2>&1', 'sh', ...call.argv];
  const child = spawn(argv[0], argv.slice(1), { cwd: plan.cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => {
    child.once('close', (code) => resolve(code ?? 1));
    child.once('error', () => resolve(127));
  });
  for await (const line of createInterface({ input: child.stdout, crlfDelay: Infinity })) {
    for (const test of reader.line(line)) tell(test);
  }
  return ended;
}

let exitCode = 0;
for (const call of plan.calls) {
  reader.begin?.(call);
  const code = await run(call);
  for (const test of reader.rest?.(code) ?? []) tell(test);
  exitCode ||= code;
}
for (const path of reader.collected?.() ?? []) channel.collected(path);
const missing = reader.end();
if (missing === null) channel.done(exitCode);
else say(`${missing}\n`);
process.exitCode = exitCode;
