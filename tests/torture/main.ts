import { parseArgs } from 'node:util';
import { randomFrom } from './random.ts';
import { Sweep } from './sweep.ts';
import { faultsOf, tableOf } from './table.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    only: { type: 'string' },
    seed: { type: 'string', default: '1' },
    jobs: { type: 'string', default: '2' },
    quiet: { type: 'boolean', default: false },
  },
});
const began = performance.now();
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort(signal));
const rows = await new Sweep({
  kills: Number(values.kills),
  only: values.only ?? null,
  jobs: Number(values.jobs),
  random: randomFrom(Number(values.seed)),
  signal: stop.signal,
  tell: values.quiet ? () => {} : (line) => console.log(line),
}).run();
const faults = faultsOf(rows);
console.log(`\n${tableOf(rows)}\n`);
for (const fault of faults) console.log(fault);
const seconds = Math.round((performance.now() - began) / 1000);
console.log(`${faults.length === 0 ? 'held' : `${faults.length} faults`} in ${seconds} s, seed ${values.seed}`);
if (stop.signal.aborted) console.log(`stopped by ${String(stop.signal.reason)} before its end`);
process.exitCode = faults.length === 0 && !stop.signal.aborted ? 0 : 1;
