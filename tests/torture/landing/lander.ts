/** One landing as a process that can be killed: the product's own code, with a judge that takes no time. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadOrCreateKey } from '../../../src/evidence/bundle/keys.ts';
import { ATTESTATION_FILE } from '../../../src/evidence/bundle/manifest.ts';
import { EVENTS_FILE } from '../../../src/evidence/log/events.ts';
import { sampleReport } from '../../../src/evidence/report/render/sample-report.fixture.ts';
import { BASE_RECORD_FILE, type BaseRecord } from '../../../src/evidence/schema/base-record.ts';
import type { Report } from '../../../src/evidence/schema/report.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { ZERO_DIGEST } from '../../../src/kernel/digest.ts';
import { layGivenFiles } from '../../../src/run/engine/given-change.ts';
import type { GivenRequest } from '../../../src/run/given.ts';
import { landRuns } from '../../../src/run/land/land-runs.ts';
import { provenRun, variables, writeTreeCopies } from './template.ts';

const [home = '', repo = '', runsDir = '', remote = '', ...changes] = process.argv.slice(2);
const scratch = mkdtempSync(join(runsDir, '.scratch-'));

const RECORD: BaseRecord = {
  schema_version: 1,
  key: ZERO_DIGEST,
  test_command: 'sh check.sh',
  runner: 'none',
  exit_code: 0,
  duration_ms: 0,
  tests: [],
  flaky: [],
  failed_commands: [],
  collected: [],
  found_by: 'names',
  read: [],
  asked: [],
  missing: [],
  written: [],
  listed: [],
  links: [],
  outside_modules: [],
};

/** The limit of the fees, and a bundle of which a landing reads as much as of a real one. */
async function judge({ inputs, givenChange }: GivenRequest): Promise<Report> {
  if (givenChange.kind !== 'files') throw new Error('a landing gives files');
  const dir = mkdtempSync(join(runsDir, 'judged-'));
  const runId = dir.slice(runsDir.length + 1);
  const feeOf = (name: string): number => Number(readFileSync(join(dir, 'b', name), 'utf8'));
  writeTreeCopies(dir, inputs.filesDir);
  layGivenFiles(join(dir, 'b'), givenChange);
  const passes = feeOf('fee_a') + feeOf('fee_b') <= 10;
  writeFileSync(join(dir, 'patch.diff'), difference(dir));
  writeFileSync(join(dir, EVENTS_FILE), '');
  writeFileSync(join(dir, BASE_RECORD_FILE), JSON.stringify(RECORD));
  writeFileSync(join(dir, ATTESTATION_FILE), `${runId}\n`);
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 100));
  const verdict = passes
    ? ({ status: 'pass', failure_reason: null } as const)
    : ({ status: 'fail', failure_reason: 'the fees are too high' } as const);
  return { ...sampleReport(), ...verdict, run_id: runId, run_dir: dir, baseline: null, deciding: null };
}

function difference(cwd: string): string {
  try {
    return execFileSync('git', ['diff', '--no-index', '--no-prefix', 'a', 'b'], { cwd, encoding: 'utf8' });
  } catch (error) {
    // Exit code 1: they differ.
    return error instanceof Error && 'stdout' in error ? String(error.stdout) : '';
  }
}

const caller = variables(home);
const proven = [];
for (const change of changes) {
  const place = join(scratch, change);
  mkdirSync(place);
  proven.push(await provenRun(repo, runsDir, change, place));
}
const place = join(scratch, 'land');
mkdirSync(place);
const outcomes = await landRuns(
  proven,
  {
    repo,
    onto: 'main',
    push: remote === '' ? null : remote,
    withTests: false,
    dryRun: false,
    testCommand: null,
    acceptExitCode: false,
    question: null,
    guardedDirs: [],
  },
  {
    caller,
    runsDir,
    key: loadOrCreateKey({ HOME: home }),
    clock: systemClock,
    signal: new AbortController().signal,
    cache: null,
    judge,
    tell: () => {},
  },
  place,
);
console.log(JSON.stringify(outcomes));
