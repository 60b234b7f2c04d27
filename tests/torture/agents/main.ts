import { parseArgs } from 'node:util';
import { randomFrom } from '../random.ts';
import { AgentsScene } from './scene.ts';

const { values } = parseArgs({
  allowPositionals: true,
  options: {
    kills: { type: 'string', default: '200' },
    /** Moments in the life of one project; then another one is begun. */
    'per-project': { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    jobs: { type: 'string', default: '2' },
    quiet: { type: 'boolean', default: false },
  },
});
const began = performance.now();
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());

const wanted = Number(values.kills);
let begun = 0;
let seed = Number(values.seed) * 100_000;
const struck = new Map<string, number>();
const total = (): number => [...struck.values()].reduce((sum, n) => sum + n, 0);
const faults: string[] = [];

async function work(): Promise<void> {
  while (!stop.signal.aborted && begun < wanted) {
    const most = Math.min(Number(values['per-project']), wanted - begun);
    begun += most;
    const mine = (seed += 1);
    const scene = new AgentsScene(randomFrom(mine));
    const failed = await scene.play(most).then(
      () => null,
      (error: unknown) => String(error),
    );
    const found = [...scene.faults, ...(failed === null ? [] : [failed])];
    const played = [...scene.strikes.values()].reduce((sum, n) => sum + n, 0);
    for (const [what, n] of scene.strikes) struck.set(what, (struck.get(what) ?? 0) + n);
    // The phases may have ended before all strikes came.
    begun -= most - played;
    faults.push(...found.map((fault) => `seed ${mine}: ${fault}`));
    if (!values.quiet) console.log(`${mine} (${played} kills): ${found.join('; ') || 'ok'}`);
    scene.remove();
  }
}

await Promise.all(Array.from({ length: Number(values.jobs) }, work));
for (const fault of faults) console.log(fault);
const kinds = [...struck].map(([what, n]) => `${n} ${what}`).join(', ');
console.log(
  `${total()} kills (${kinds}): ${faults.length === 0 ? 'held' : `${faults.length} faults`} in ${Math.round((performance.now() - began) / 1000)} s, seed ${values.seed}`,
);
process.exitCode = faults.length === 0 && total() >= wanted ? 0 : 1;
