import { parseArgs } from 'node:util';
import { randomFrom } from '../random.ts';
import { examineBranch } from './examine-branch.ts';
import { LandingScene } from './scene.ts';
import { Template } from './template.ts';

const { values } = parseArgs({
  allowPositionals: true,
  options: {
    scenes: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    jobs: { type: 'string', default: '2' },
    /** Stops after this many seconds, and says how far it came. */
    seconds: { type: 'string' },
    quiet: { type: 'boolean', default: false },
  },
});
const began = performance.now();
const secondsSince = (then: number): number => Math.round((performance.now() - then) / 1000);
const limit = values.seconds === undefined ? Infinity : Number(values.seconds);
let stopped = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => (stopped = true));

const template = new Template();
let played = 0;
let kills = 0;
const faults: string[] = [];
try {
  const then = performance.now();
  const first = new LandingScene(template, () => 0.99);
  await first.land(['c=4'], null);
  if (first.faults.length > 0) throw new Error(first.faults.join('\n'));
  const scale = performance.now() - then;
  first.remove();
  const seeds = Array.from({ length: Number(values.scenes) }, (_, at) => Number(values.seed) * 100_000 + at);
  const work = async (): Promise<void> => {
    for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
      if (stopped || secondsSince(began) > limit) return;
      const scene = new LandingScene(template, randomFrom(seed));
      await scene.play(scale);
      const found = await examineBranch(scene, template);
      played += 1;
      kills += scene.kills;
      faults.push(...found.map((fault) => `seed ${seed}: ${fault}`));
      const what = `${scene.remote === null ? 'local' : 'pushing'}, ${scene.checkedOut ? 'checked out' : 'detached'}`;
      if (!values.quiet)
        console.log(
          `${seed} (${what}, ${scene.kills} killed, ${scene.others.size} commits of others): ${found.join('; ') || 'ok'}`,
        );
      scene.remove();
    }
  };
  await Promise.all(Array.from({ length: Number(values.jobs) }, work));
} finally {
  template.remove();
}
for (const fault of faults) console.log(fault);
console.log(
  `${played} interleavings, ${kills} landings killed: ${faults.length === 0 ? 'held' : `${faults.length} faults`} in ${secondsSince(began)} s, seed ${values.seed}`,
);
process.exitCode = faults.length === 0 && played > 0 ? 0 : 1;
