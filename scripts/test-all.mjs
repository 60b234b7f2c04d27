/** Plays every row of the long sweeps, of which `./test` plays a fifth, and the whole matrices: `npm run test:all`. */
import { spawnSync } from 'node:child_process';

const env = { ...process.env, SEATRIAL_TESTS: 'all' };
for (const command of [
  ['./test'],
  ['npm', 'run', 'matrices'],
  ['npm', 'run', 'torture'],
  ['npm', 'run', 'torture', '--', 'agents'],
]) {
  const [program, ...args] = command;
  if (spawnSync(program, args, { stdio: 'inherit', env }).status !== 0) process.exit(1);
}
