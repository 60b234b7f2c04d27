/** Starts ava with its TAP reporter replaced: tests run in processes of their own, and this one hears of each. */
import { existsSync, mkdtempSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const require = createRequire(import.meta.url);
const { plan, idOf, report, collected, say, finish } = require('../../shared/node/drivers/module-reports.cjs');
const own = (path) => import(pathToFileURL(join(plan.package, path)).href);

const isNewer = existsSync(join(plan.package, 'entrypoints/cli.mjs'));
if (!isNewer) {
  // Version 3 wants its colours set once, and before a reporter is loaded.
  const { default: colours } = await own('lib/chalk.js');
  const made = colours.set({ level: 0 });
  colours.set = () => made;
}
const { default: TapReporter } = await own('lib/reporters/tap.js');
const { default: Api } = await own('lib/api.js');
const cache = mkdtempSync(join(tmpdir(), 'ava-'));
// Its usual place is in node_modules, which is not to be written to.
Api.prototype._getLocalCacheDir = () => cache;
// Version 3 makes it, too.
Api.prototype._createCacheDir = () => cache;

// Where the repository names no limit, ava gives up after 10 s in which no test ends. Tracing and a busy machine can take longer than that.
const OWN_IDLE_LIMIT = '10s';
const IDLE_LIMIT = '2m';
const { run } = Api.prototype;
Api.prototype.run = function runPatiently(...given) {
  if (this.options.timeout === OWN_IDLE_LIMIT) this.options.timeout = IDLE_LIMIT;
  return run.apply(this, given);
};

/** Selected tests that have not ended, by id. */
const open = new Map();
const broken = new Set();
let interrupted = false;
const textOf = (error) => error?.stack ?? error?.formattedError ?? error?.message ?? '';
const detailsOf = (error) =>
  (error?.formattedDetails ?? error?.values ?? []).map(({ label, formatted }) => `${label}\n${formatted}`);

function tell({ testFile, title, err }, outcome) {
  const id = idOf('', testFile, [title]);
  open.delete(id);
  report(id, outcome, err === undefined ? [] : [textOf(err), ...detailsOf(err)], testFile);
}

/** What goes wrong outside of any test is a fault of the file. */
function breakFile({ testFile, err, type }) {
  say(`${type}: ${textOf(err)}\n`);
  if (testFile === undefined || broken.has(testFile)) return;
  broken.add(testFile);
  report(idOf('', testFile, []), 'error', [], testFile);
}

function hear(event, declared) {
  switch (event.type) {
    case 'declared-test':
      declared.add(event.testFile);
      break;
    case 'selected-test':
      if (event.skip || event.todo) tell(event, 'skipped');
      else open.set(idOf('', event.testFile, [event.title]), event);
      break;
    case 'test-passed':
      // One that is known to fail shows nothing by failing.
      tell(event, event.knownFailing ? 'skipped' : 'passed');
      break;
    case 'test-failed':
      tell(event, 'failed');
      break;
    case 'hook-failed':
      tell(event, 'error');
      break;
    case 'internal-error':
    case 'missing-ava-import':
    case 'process-exit':
    case 'uncaught-exception':
    case 'unhandled-rejection':
    case 'worker-failed':
      breakFile(event);
      break;
    case 'worker-finished':
      if (!declared.has(event.testFile)) breakFile({ ...event, type: 'no tests found' });
      break;
    case 'worker-stdout':
    case 'worker-stderr':
      say(event.chunk);
      break;
    case 'interrupt':
      interrupted = true;
      break;
    default:
  }
}

TapReporter.prototype.startRun = function startRun({ files, status }) {
  const declared = new Set();
  for (const file of files) collected(file);
  status.on('stateChange', (event) => {
    // Newer versions wrap what they emit.
    const { data = event } = event;
    if (data.type === 'stats') this.stats = data.stats;
    hear(data, declared);
  });
};
TapReporter.prototype.endRun = () => {
  if (interrupted) return;
  for (const test of open.values()) tell(test, 'error');
  finish();
};

await own(isNewer ? 'entrypoints/cli.mjs' : 'cli.js');
