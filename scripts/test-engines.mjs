/** Plays the whole conformance suite with every installed agent, against a scripted model: `npm run test:engines`. */
import { spawnSync } from 'node:child_process';

const built = spawnSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' });
if (built.status !== 0) process.exit(1);
const env = { ...process.env, SEATRIAL_CONFORMANCE: 'all' };
const command = ['vitest', 'run', '--reporter', 'verbose', '--testTimeout', '300000', 'tests/conformance'];
const tested = spawnSync('npx', command, { stdio: 'inherit', env });
process.exitCode = tested.status ?? 1;
