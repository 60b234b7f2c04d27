/**
 * Runs every check of CI. Static checks run beside the unit tests and print their output when they fail; other tests print as they run.
 * Starts nothing more after a failure. The last line is `N passed, N failed, N skipped`; each check counts as one.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const TOTALS = join(ROOT, '.build', 'test-totals.json');
const ENV = {
  ...process.env,
  PATH: `${join(ROOT, 'node_modules', '.bin')}${delimiter}${process.env.PATH}`,
  SEATRIAL_TEST_TOTALS: TOTALS,
};
const PLAYS_ALL = process.env.SEATRIAL_TESTS === 'all';
const VITEST = ['vitest', 'run', '--allowOnly=false'];
const SHORT = PLAYS_ALL ? [] : ['--tags-filter=!long'];

const given = process.argv.slice(2);
const unknown = given.find((argument) => argument.startsWith('-') && argument !== '--quick');
if (unknown !== undefined) {
  console.error(`unknown option ${unknown}: use ./test, ./test --quick or ./test <pattern>…`);
  process.exit(64);
}
const quick = given.includes('--quick');
const patterns = given.filter((argument) => argument !== '--quick');

const readers = [
  step('types', ['tsc', '-p', '.', '--incremental', '--tsBuildInfoFile', '.build/types.tsbuildinfo']),
  step('import rules', ['node', 'scripts/import-rules.mjs']),
  step('exported names', ['node', 'scripts/exported-names.mjs']),
  step('directory sizes', ['node', 'scripts/directory-sizes.mjs']),
  step('lint', ['oxlint']),
  step('dead code', ['knip', '--no-progress', '--cache', '--cache-location', '.build/knip']),
  step('format', ['oxfmt', '--check']),
  step('schemas current', ['node', 'scripts/schemas.mjs', '--check']),
  step('agent verdicts current', ['node', 'scripts/agent-verdicts.mjs', '--check']),
];
/** Comes first: tests use what it makes. */
const build = step('build', ['node', 'scripts/build.mjs']);
const testers =
  patterns.length > 0
    ? [step('tests', [...VITEST, ...patterns, ...(quick ? ['--project', 'unit'] : [])])]
    : [
        step('unit tests', [...VITEST, '--project', 'unit']),
        // Together, so that no core waits for the last file of one kind before the other kind begins.
        step(
          'component + program',
          [...VITEST, ...SHORT, '--project', 'component', '--project', 'program'],
          quick ? 'left out by --quick' : null,
        ),
      ];
const steps = [build, ...(patterns.length > 0 ? [] : readers), ...testers];

mkdirSync(join(ROOT, '.build'), { recursive: true });
const totals = { passed: 0, failed: 0, skipped: 0 };
await read(build);
const waiting = testers.filter(({ leftOut }) => leftOut === null);
if (patterns.length === 0) await Promise.all([readInTurn(readers), testBeside(waiting.shift())]);
for (const tester of waiting) if (totals.failed === 0) await test(tester);
summarize();

function step(name, command, leftOut = null) {
  return { name, command, leftOut, outcome: null };
}

async function readInTurn(checks) {
  for (const check of checks) if (totals.failed === 0) await read(check);
}

async function read(check) {
  const output = await run(check, 'pipe');
  count(check.outcome.ok ? { passed: 1 } : { failed: 1 });
  console.log(describe(check));
  if (!check.outcome.ok) console.log(output.trimEnd());
}

/** Its output comes at its end, not between that of the static checks. */
async function testBeside(tester) {
  if (totals.failed > 0) return;
  rmSync(TOTALS, { force: true });
  const output = await run(tester, 'pipe');
  takeTotals(tester);
  console.log(`\n${tester.name}\n${output.trimEnd()}\n`);
}

async function test(tester) {
  console.log(`\n${tester.name}`);
  rmSync(TOTALS, { force: true });
  await run(tester, 'inherit');
  takeTotals(tester);
}

function takeTotals(tester) {
  const own = totalsOfTests();
  // A test runner that exits with an error is a failure, even without a failed test.
  const failed = own.failed === 0 && !tester.outcome.ok ? 1 : own.failed;
  count({ ...own, failed });
  tester.outcome.ok = failed === 0;
}

function totalsOfTests() {
  try {
    return JSON.parse(readFileSync(TOTALS, 'utf8'));
  } catch {
    return { failed: 1 };
  }
}

function count({ passed = 0, failed = 0, skipped = 0 }) {
  totals.passed += passed;
  totals.failed += failed;
  totals.skipped += skipped;
}

/** Resolves to the output of the command, stdout and stderr interleaved. */
function run(one, stdio) {
  const started = performance.now();
  const [program, ...rest] = one.command;
  const child = spawn(program, rest, { cwd: ROOT, env: ENV, stdio: ['ignore', stdio, stdio] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text) => (output += text));
  return new Promise((resolve) => {
    const end = (ok) => {
      one.outcome = { ok, seconds: (performance.now() - started) / 1000 };
      resolve(output);
    };
    child.on('error', (error) => {
      output += `cannot start ${program}: ${error.message}\n`;
      end(false);
    });
    child.on('close', (code) => end(code === 0));
  });
}

function describe(one) {
  const name = one.name.padEnd(20);
  if (one.leftOut !== null) return `  -  ${name} ${one.leftOut}`;
  if (one.outcome === null) return `  -  ${name} not run, because an earlier check failed`;
  return `  ${one.outcome.ok ? 'ok' : 'NO'} ${name} ${one.outcome.seconds.toFixed(1)} s`;
}

function summarize() {
  console.log(`\n${steps.map(describe).join('\n')}\n`);
  if (!quick && !PLAYS_ALL)
    console.log(
      'Of long sweeps a fifth was played, of forgers and matrices some; `npm run test:all` plays all of them, and the long tests.',
    );
  console.log(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`);
  process.exitCode = totals.failed === 0 ? 0 : 1;
}
