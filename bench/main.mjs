/**
 * `npm run bench -- run [--only a,b] [--rounds N] [--name text]`: every figure against a peer, both sides in turn within one
 * call, medians. Prints a table and keeps the figures in bench/results/<name>.json. Exit 1 when a figure misses what was asked.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { arch, availableParallelism, cpus, platform, release } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { clear, ROOT } from './ground.mjs';
import { BENCHMARKS } from './run.mjs';

const USAGE = 'use: npm run bench -- run [--only a,b] [--rounds N] [--name text]';
const chosen = readArguments();
const built = spawnSync(process.execPath, [join(ROOT, 'scripts', 'build.mjs')], { stdio: 'inherit' });
if (built.status !== 0) process.exit(2);

const figures = {};
for (const letter of chosen.letters) {
  const { title, asked, rounds, keeps = false, measure, within } = BENCHMARKS[letter];
  if (!keeps) clear(letter);
  const measured = measure(chosen.rounds ?? rounds);
  figures[letter] = { title, asked, ok: within(measured), ...measured };
  console.log(row(letter, figures[letter]));
}
const machine = { cores: availableParallelism(), cpu: cpus()[0]?.model ?? null, node: process.version };
const system = { platform: platform(), arch: arch(), kernel: release() };
mkdirSync(join(ROOT, 'bench', 'results'), { recursive: true });
writeFileSync(
  join(ROOT, 'bench', 'results', `${chosen.name}.json`),
  `${JSON.stringify({ machine: { ...machine, ...system }, figures }, rounded, 2)}\n`,
);
process.exitCode = Object.values(figures).every(({ ok }) => ok) ? 0 : 1;

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        only: { type: 'string', default: Object.keys(BENCHMARKS).join(',') },
        rounds: { type: 'string' },
        name: { type: 'string', default: 'run' },
      },
    });
    const letters = values.only.split(',');
    const rounds = values.rounds === undefined ? null : Number(values.rounds);
    const unknown = letters.find((letter) => !Object.hasOwn(BENCHMARKS, letter));
    if (positionals.join(' ') !== 'run') throw new Error('the only suite is "run"');
    if (unknown !== undefined)
      throw new Error(`no benchmark "${unknown}", there are ${Object.keys(BENCHMARKS).join(', ')}`);
    if (rounds !== null && !(Number.isInteger(rounds) && rounds > 0)) throw new Error('--rounds is a number above 0');
    if (!/^[\w-]+$/.test(values.name)) throw new Error('--name is made of letters, digits, _ and -');
    return { letters, rounds, name: values.name };
  } catch (error) {
    console.error(`${error.message}; ${USAGE}`);
    return process.exit(64);
  }
}

function row(letter, { title, asked, ok, seatrial_ms, peer_ms, overhead_ms, ratio, throughput }) {
  const columns = [
    `${seatrial_ms.toFixed(0)} ms`.padStart(9),
    `peer ${peer_ms.toFixed(0)} ms`.padStart(14),
    `ratio ${ratio.toFixed(2)}`.padStart(11),
    `throughput ${throughput.toFixed(2)}`.padStart(16),
    `over ${overhead_ms.toFixed(0)} ms`.padStart(13),
  ];
  return `(${letter}) ${title.padEnd(60)} ${columns.join(' ')}   ${ok ? 'ok' : 'MISSED'} (${asked})`;
}

function rounded(_, value) {
  return typeof value === 'number' ? Math.round(value * 1000) / 1000 : value;
}
