/**
 * `npm run bench -- run|size|many|gateway|judge|watchdog [--only a,b] [--rounds N] [--name text]` compares every figure with a peer, interleaved within
 * one call, by medians. Prints a table and writes the figures to bench/results/<name>.json. Exits with 1 if a figure misses its target.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { arch, availableParallelism, cpus, platform, release } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import * as gateway from './gateway.mjs';
import { clear, ROOT } from './ground.mjs';
import * as judge from './judge.mjs';
import * as many from './many.mjs';
import * as run from './run.mjs';
import * as size from './size.mjs';
import * as watchdog from './watchdog.mjs';

const SUITES = { run, size, many, gateway, judge, watchdog };
const USAGE = 'usage: npm run bench -- run|size|many|gateway|judge|watchdog [--only a,b] [--rounds N] [--name text]';
const chosen = readArguments();
const built = spawnSync(process.execPath, [join(ROOT, 'scripts', 'build.mjs')], { stdio: 'inherit' });
if (built.status !== 0) process.exit(2);

const figures = {};
for (const letter of chosen.letters) {
  const { title, asked, rounds, keeps = false, measure, within } = chosen.suite.BENCHMARKS[letter];
  if (!keeps) clear(letter);
  const measured = await measure(chosen.rounds ?? rounds);
  figures[letter] = { title, asked, ok: within(measured), ...measured };
  console.log(chosen.suite.row(letter, figures[letter]));
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
        only: { type: 'string' },
        rounds: { type: 'string' },
        name: { type: 'string' },
      },
    });
    const [suiteName = '', ...others] = positionals;
    if (others.length > 0 || !Object.hasOwn(SUITES, suiteName))
      throw new Error(`expected one suite of ${Object.keys(SUITES).join(', ')}`);
    const suite = SUITES[suiteName];
    const known = Object.keys(suite.BENCHMARKS);
    const letters = values.only?.split(',') ?? known;
    const rounds = values.rounds === undefined ? null : Number(values.rounds);
    const name = values.name ?? suiteName;
    const unknown = letters.find((letter) => !known.includes(letter));
    if (unknown !== undefined) throw new Error(`unknown benchmark "${unknown}", expected one of ${known.join(', ')}`);
    if (rounds !== null && !(Number.isInteger(rounds) && rounds > 0))
      throw new Error('--rounds must be a whole number above 0');
    if (!/^[\w-]+$/.test(name)) throw new Error('--name may contain only letters, digits, _ and -');
    return { suite, letters, rounds, name };
  } catch (error) {
    console.error(`${error.message}; ${USAGE}`);
    return process.exit(64);
  }
}

function rounded(_, value) {
  return typeof value === 'number' ? Math.round(value * 1000) / 1000 : value;
}
