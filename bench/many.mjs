import { build } from 'esbuild';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { bundlesIn, clear, plain, ROOT, seatrialIn } from './ground.mjs';
import { timeOf } from './measure.mjs';
import { against } from './run.mjs';

export { row } from './run.mjs';

const BUNDLES = 10_000;
const MANY = 'many';
const FEW = 'few';
const TASK = join(ROOT, 'bench', 'tasks', 'ten-ms');
/** The oldest of the copies, after which all others have to be looked through. */
const OLDEST = '20200101T000001Z';

/** The same commands beside 10,000 bundles and beside one. The bundles are kept for the next call. */
export const BENCHMARKS = {
  l: beside('runs list', 2, 5, 'runs', 'list'),
  s: beside('runs show, the oldest', 4, 5, 'runs', 'show', OLDEST),
  u: beside('run, test of 10 ms', 1.25, 7, 'run', TASK),
  r: {
    title: `runs recover, ${BUNDLES} bundles, against reading reports and manifests`,
    asked: 'ratio <= 10',
    rounds: 3,
    keeps: true,
    measure: async (rounds) => {
      await makeBundles();
      const files = `find '${runsOf(MANY)}' -name report.json -o -name manifest.json`;
      return against(seatrialIn(MANY, 'runs', 'recover'), plain('sh', '-c', `${files} | xargs cat`), rounds);
    },
    within: ({ ratio }) => ratio <= 10,
  },
  v: {
    title: `verify --all, ${BUNDLES} bundles, against sha256sum`,
    asked: 'ratio <= 20',
    rounds: 1,
    keeps: true,
    measure: async (rounds) => {
      await makeBundles();
      const digests = `find '${runsOf(MANY)}' -type f -exec sha256sum {} +`;
      return against(seatrialIn(MANY, 'verify', '--all'), plain('sh', '-c', digests), rounds);
    },
    within: ({ ratio }) => ratio <= 20,
  },
};

function beside(title, most, rounds, ...args) {
  return {
    title: `${title}, beside ${BUNDLES} bundles, against beside one`,
    asked: `ratio <= ${most}`,
    rounds,
    keeps: true,
    measure: async (times) => {
      await makeBundles();
      const theirs = args.includes(OLDEST) ? args.map((word) => (word === OLDEST ? 'last' : word)) : args;
      return against(seatrialIn(MANY, ...args), seatrialIn(FEW, ...theirs), times);
    },
    within: ({ ratio }) => ratio <= most,
  };
}

const runsOf = (name) => join(seatrialIn(name).cwd, 'runs');

/** One real run in each directory, and copies of it in one of them. Those of an earlier call serve if this build verifies them. */
async function makeBundles() {
  if (bundlesIn(MANY) >= BUNDLES && isSound()) return;
  clear(MANY);
  clear(FEW);
  for (const name of [MANY, FEW]) timeOf(seatrialIn(name, 'run', TASK));
  console.log(`  creating ${BUNDLES} bundles, kept for later calls`);
  const program = join(ROOT, '.build', 'bench', 'copies.mjs');
  mkdirSync(join(ROOT, '.build', 'bench'), { recursive: true });
  const entry = join(ROOT, 'bench', 'many', 'copies.mjs');
  await build({ entryPoints: [entry], outfile: program, bundle: true, platform: 'node', format: 'esm' });
  const { cwd, env } = seatrialIn(MANY);
  const first = join(runsOf(MANY), readdirSync(runsOf(MANY)).find((name) => /^\d{8}T/.test(name)) ?? '');
  timeOf({ argv: [process.execPath, program, first, runsOf(MANY), String(BUNDLES)], cwd, env });
}

function isSound() {
  try {
    timeOf(seatrialIn(MANY, 'verify', OLDEST));
    return bundlesIn(FEW) > 0;
  } catch {
    return false;
  }
}
