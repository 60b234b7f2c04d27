/** Runs the tests that use the Case simulator against a real Case: `CTO_HARNESS_CASE_BIN=<ca> npm run test:case`. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

const named = process.env.CTO_HARNESS_CASE_BIN;
if (named === undefined || !existsSync(named)) {
  console.error(`CTO_HARNESS_CASE_BIN must name a real ca${named === undefined ? '' : `: ${named} does not exist`}`);
  process.exit(64);
}
const env = { ...process.env, CTO_HARNESS_CASE_BIN: resolve(named) };
const built = spawnSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' });
if (built.status !== 0) process.exit(1);
const suites = ['tests/case', 'tests/case-runs'];
const tested = spawnSync('npx', ['vitest', 'run', '--testTimeout', '300000', ...suites], { stdio: 'inherit', env });
process.exitCode = tested.status ?? 1;
