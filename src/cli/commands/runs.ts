import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { Command } from 'commander';
import { describeBundle } from '../../evidence/report/write-pages.ts';
import { pruneRuns } from '../../evidence/bundle/prune.ts';
import { recoverRuns } from '../../evidence/recover/recover.ts';
import { safeLine, verdictLines } from '../../evidence/report/render/terminal.ts';
import { findRun, listRuns, readRun, type RunRecord } from '../../evidence/bundle/runs.ts';
import { prettyJson } from '../../kernel/canonical.ts';
import { systemClock } from '../../kernel/clock.ts';
import { SeatrialError } from '../../kernel/errors.ts';
import { EXIT, type ExitCode } from '../../kernel/exit-codes.ts';
import { directoryOption, handledBy, parseAndRun, wholeNumber } from '../options.ts';
import { readSettings, runsToRead, runsToWrite } from '../environment/settings.ts';

interface Flags {
  readonly runs?: string;
  readonly json?: true;
  readonly keep?: number;
  readonly olderThan?: number;
}

export function runsCommand(args: readonly string[]): Promise<ExitCode> {
  const command = new Command('runs').description('The runs of this project: list, show, open, recover, prune.');
  const sub = (name: string, description: string): Command =>
    command
      .command(name)
      .description(description)
      .option('--runs <dir>', 'the runs folder, instead of what seatrial.toml says', directoryOption('--runs'));
  handledBy(sub('list', 'every run, oldest first').option('--json', 'as JSON'), (_args, flags) => list(flags));
  handledBy(
    sub('show', 'one run: verdict, reasons, paths').argument('<run>').option('--json', 'the report alone'),
    ([id = ''], flags) => show(id, flags),
  );
  handledBy(sub('open', 'open the report in a browser').argument('<run>'), ([id = ''], flags) => open(id, flags));
  handledBy(
    sub('recover', 'finish what interrupted runs left behind; never makes one a pass').option('--json', 'as JSON'),
    (_args, flags) => recover(flags),
  );
  const prune = sub('prune', 'remove old runs; the ledger keeps a line for each')
    .option('--keep <n>', 'keep the newest n', wholeNumber('--keep', 0))
    .option('--older-than <days>', 'remove only what is older', wholeNumber('--older-than', 0))
    .option('--json', 'as JSON');
  handledBy(prune, (_args, flags) => pruneOld(flags));
  return parseAndRun(command, startsWithCommand(args) ? args : ['list', ...args]);
}

/** `seatrial runs --json` is `seatrial runs list --json`. */
function startsWithCommand([first]: readonly string[]): boolean {
  return first !== undefined && (!first.startsWith('-') || first === '--help' || first === '-h');
}

const dirOf = (flags: Flags): string => runsToRead(flags.runs, process.cwd());
const dirToChange = (flags: Flags): string => runsToWrite(dirOf(flags), readSettings(process.cwd()));

function list(flags: Flags): ExitCode {
  const runs = listRuns(dirOf(flags));
  if (flags.json === true) process.stdout.write(prettyJson(runs.map(summary)));
  else if (runs.length === 0) process.stdout.write('no runs yet: try `seatrial run r1-string-slugify`\n');
  else for (const one of runs) process.stdout.write(`${listLine(one)}\n`);
  return EXIT.pass;
}

function summary({ runId, dir, state, report, fault }: RunRecord) {
  return {
    run_id: runId,
    run_dir: dir,
    state,
    status: report?.status ?? null,
    failure_reason: report?.failure_reason ?? fault,
    task: report?.task ?? null,
    backend: report?.backend ?? null,
    duration_ms: report?.duration_ms ?? null,
  };
}

function listLine({ runId, state, report, fault }: RunRecord): string {
  const status = state === 'sealed' ? (report?.status ?? '') : state;
  const ms = report?.duration_ms ?? null;
  const took = ms === null ? '' : `${(ms / 1000).toFixed(1)} s`;
  const why =
    state === 'sealed'
      ? report?.failure_reason
      : (fault ?? (state === 'interrupted' ? '`seatrial runs recover` finishes it' : null));
  return safeLine(
    `${status.padEnd(11)} ${runId}  ${(report?.backend ?? '').padEnd(8)} ${took.padStart(7)}  ${why ?? ''}`,
  ).trimEnd();
}

function show(id: string, flags: Flags): ExitCode {
  const { report, fault, state } = readRun(findRun(dirOf(flags), id));
  if (report === null) throw new SeatrialError('evidence', fault ?? 'the report cannot be read');
  if (flags.json === true) process.stdout.write(prettyJson(report));
  else {
    const style = {
      color: process.stdout.isTTY && process.env['NO_COLOR'] === undefined,
      columns: process.stdout.columns ?? 100,
    };
    process.stdout.write(`${verdictLines(report, style).join('\n')}\n`);
    if (state !== 'sealed') process.stdout.write(`\nthis run is ${state}: what it says is not proven\n`);
  }
  return EXIT.pass;
}

function open(id: string, flags: Flags): ExitCode {
  const page = join(findRun(dirOf(flags), id), 'report.html');
  process.stdout.write(`${page}\n`);
  const viewer = spawn('xdg-open', [page], { detached: true, stdio: 'ignore' });
  viewer.on('error', () =>
    process.stderr.write('no program to open it with (xdg-open): open the path above in a browser\n'),
  );
  viewer.unref();
  return EXIT.pass;
}

async function recover(flags: Flags): Promise<ExitCode> {
  const [{ rescuer }, { createRunEnvironment }] = await Promise.all([
    import('../../run/recover/rescue.ts'),
    import('../environment/run-environment.ts'),
  ]);
  const runsDir = dirToChange(flags);
  const { key, clock, secrets } = createRunEnvironment(readSettings(process.cwd()), { confine: 'bubblewrap', runsDir });
  const examine = rescuer({ secrets, variables: Object.keys(process.env) });
  const done = await recoverRuns(runsDir, { key, clock, describe: describeBundle, examine });
  if (flags.json === true) process.stdout.write(prettyJson(done));
  else if (done.length === 0) process.stdout.write('nothing to recover\n');
  else
    for (const { run_id, did, detail } of done)
      process.stdout.write(safeLine(`${did.padEnd(8)} ${run_id}  ${detail}`) + '\n');
  return done.some(({ did }) => did === 'left') ? EXIT.evidenceLost : EXIT.pass;
}

async function pruneOld(flags: Flags): Promise<ExitCode> {
  const { keep, olderThan } = flags;
  if (keep === undefined && olderThan === undefined)
    throw new SeatrialError('usage', 'prune what? Give --keep <n>, --older-than <days>, or both');
  const rules = {
    ...(keep === undefined ? {} : { keep }),
    ...(olderThan === undefined ? {} : { olderThanDays: olderThan }),
  };
  const gone = await pruneRuns(dirToChange(flags), rules, { clock: systemClock });
  if (flags.json === true) process.stdout.write(prettyJson(gone));
  else
    process.stdout.write(
      `removed ${gone.runs.length} runs and ${gone.blobs.length} stored inputs; the ledger keeps a line for each run\n`,
    );
  return EXIT.pass;
}
