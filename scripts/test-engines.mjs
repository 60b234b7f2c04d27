/** Plays the whole conformance suite with every installed agent, against a scripted model: `npm run test:engines`. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const built = spawnSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' });
if (built.status !== 0) process.exit(1);
const results = join(mkdtempSync(join(tmpdir(), 'seatrial-engines-')), 'verdicts.jsonl');
writeFileSync(results, '');
const env = { ...process.env, SEATRIAL_CONFORMANCE: 'all', SEATRIAL_CONFORMANCE_RESULTS: results };
const command = [
  'vitest',
  'run',
  '--reporter',
  'verbose',
  '--testTimeout',
  '300000',
  'tests/conformance',
  ...process.argv.slice(2),
];
const tested = spawnSync('npx', command, { stdio: 'inherit', env });
spawnSync(process.execPath, ['scripts/agent-verdicts.mjs', results], { stdio: 'inherit' });
process.exitCode = tested.status ?? 1;
