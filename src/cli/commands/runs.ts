import { spawn } from 'node:child_process';
import { basename, join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { Command, Option } from '@commander-js/extra-typings';
import { EXPORT_FORMATS, type ExportFormat, isExportFormat } from '../../evidence/export/formats.ts';
import { readExportSource } from '../../evidence/export/read.ts';
import { pruneRuns } from '../../evidence/bundle/prune.ts';
import { safeLine } from '../../evidence/report/render/terminal.ts';
import { findRun, newestRunNames, readRun, type RunRecord } from '../../evidence/bundle/runs.ts';
import { systemClock } from '../../kernel/clock.ts';
import { messageOf, SeatrialError } from '../../kernel/errors.ts';
import { EXIT, type ExitCode } from '../../kernel/exit-codes.ts';
import { handledBy, jsonOption, parseAndRun, runsToReadOption, wholeNumber } from '../options.ts';
import { questionsOfRunning } from '../answer-running.ts';
import { print } from '../print.ts';
import { table } from '../print/table.ts';
import { readSettings, runsToRead, runsToWrite } from '../environment/settings.ts';
import { attemptLines } from '../print/attempt-lines.ts';
import { eventsIn, runVerdictLines } from '../print/run-output.ts';
import type { Report } from '../../evidence/schema/report.ts';
import { durationText } from '../../evidence/report/render/text/words.ts';

interface Flags {
  readonly runs?: string | undefined;
  readonly json?: true | undefined;
  readonly keep?: number | undefined;
  readonly olderThan?: number | undefined;
}

export function runsCommand(args: readonly string[]): Promise<ExitCode> {
  const command = new Command('runs').description(
    'The runs of this project: list, show, open, export, recover, prune.',
  );
  const sub = (name: string, description: string) =>
    command.command(name).description(description).addOption(runsToReadOption());
  handledBy(
    sub('list', 'list the newest runs, the last one at the bottom')
      .option(
        '-n, --newest <n>',
        `list this many (default: ${LISTED_RUNS}; with --json all)`,
        wholeNumber('--newest', 1),
      )
      .option('--all', 'list every run')
      .addOption(jsonOption()),
    (_args, flags) => list(flags),
  );
  handledBy(
    sub('show', 'show verdict, reasons and paths of one run')
      .argument('<run>')
      .addOption(jsonOption('print the report as JSON')),
    ([id], flags) => show(id, flags),
  );
  handledBy(sub('open', 'open the report in a browser').argument('<run>'), ([id], flags) => open(id, flags));
  handledBy(
    sub('recover', 'seal the evidence of interrupted runs; never makes one a pass').addOption(jsonOption()),
    (_args, flags) => recover(flags),
  );
  handledBy(
    sub(
      'export',
      'write one run to a file that can be verified and judged again elsewhere, or in a format of other tools',
    )
      .argument('<run>')
      .addOption(exportFormatOption())
      .option('-o, --output <file>', 'file to write (default: <run>.tar for the bundle, else standard output)'),
    ([id], flags) => exportOne(id, flags),
  );
  const prune = sub('prune', 'remove old runs; the ledger keeps an entry for each')
    .option('--keep <n>', 'keep the newest n runs', wholeNumber('--keep', 0))
    .option('--older-than <days>', 'remove only runs older than this', wholeNumber('--older-than', 0))
    .addOption(jsonOption());
  handledBy(prune, (_args, flags) => pruneOld(flags));
  return parseAndRun(command, startsWithCommand(args) ? args : ['list', ...args]);
}

/** `seatrial runs --json` is `seatrial runs list --json`. */
function startsWithCommand([first]: readonly string[]): boolean {
  return first !== undefined && (!first.startsWith('-') || first === '--help' || first === '-h');
}

const dirOf = (flags: Flags): string => runsToRead(flags.runs, process.cwd());
const dirToChange = (flags: Flags): string => runsToWrite(dirOf(flags), readSettings(process.cwd()));

const LISTED_RUNS = 100;

interface ListFlags extends Flags {
  readonly newest?: number | undefined;
  readonly all?: true | undefined;
}

function list(flags: ListFlags): ExitCode {
  const { newest, all } = flags;
  if (newest !== undefined && all === true) throw new SeatrialError('usage', 'give --newest <n> or --all, not both');
  const most = newest ?? (all === true || flags.json === true ? Infinity : LISTED_RUNS);
  const dir = dirOf(flags);
  // One more than is shown, to know whether there are others.
  const names = newestRunNames(dir, most + 1);
  const shown = names.slice(Math.max(0, names.length - most));
  const runs = shown.map((name) => readRun(join(dir, name)));
  print(flags.json, runs.map(summary), () =>
    runs.length === 0
      ? ['no runs yet; try `seatrial run r1-string-slugify`']
      : [
          ...table(['STATUS', 'RUN', 'ENGINE', 'TIME', 'REASON'], runs.map(row)),
          ...(names.length === shown.length
            ? []
            : ['', `older runs are not listed; \`seatrial runs list --all\` lists every run`]),
        ],
  );
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
    work_item: report?.work_item ?? null,
    backend: report?.backend ?? null,
    duration_ms: report?.duration_ms ?? null,
  };
}

function row({ runId, state, report, fault }: RunRecord): string[] {
  const ms = report?.duration_ms ?? null;
  const why =
    state === 'sealed'
      ? report?.failure_reason
      : (fault ?? (state === 'interrupted' ? '`seatrial runs recover` seals it' : null));
  return [
    state === 'sealed' ? (report?.status ?? '') : state,
    runId,
    report?.backend ?? '',
    ms === null ? '' : `${(ms / 1000).toFixed(1)} s`,
    why ?? '',
  ];
}

function show(id: string, flags: Flags): ExitCode {
  const { report, fault, state, dir } = readRun(findRun(dirOf(flags), id));
  if (report === null) throw new SeatrialError('evidence', fault ?? 'the report cannot be read');
  print(flags.json, report, () => [
    ...(state === 'running' ? runningLines(report, dir) : shownLines(report, dir, state)),
  ]);
  return EXIT.pass;
}

function shownLines(report: Report, dir: string, state: RunRecord['state']): readonly string[] {
  return [
    ...runVerdictLines(report, dir),
    ...attemptLines(report, dir),
    ...(state === 'sealed' ? [] : ['', `this run is ${state}: its report is not proven`]),
  ];
}

/** A run has a report from its first moment; until it is sealed that says nothing. */
function runningLines({ task, backend, run_started_at: started }: Report, dir: string): readonly string[] {
  const last = eventsIn(dir).at(-1);
  const seconds = Math.round((Date.now() - Date.parse(started)) / 1000);
  return [
    `RUNNING  ${safeLine(task)} by ${safeLine(backend)} for ${durationText(seconds * 1000)}`,
    `         last event: ${last?.type ?? 'none'}; there is no verdict yet`,
    ...questionsOfRunning(dir).map(({ id, action }) => `         asks ${id}: ${safeLine(action)}`),
    '',
    `         run:  ${safeLine(dir)}`,
  ];
}

function open(id: string, flags: Flags): ExitCode {
  const page = join(findRun(dirOf(flags), id), 'report.html');
  process.stdout.write(`${page}\n`);
  const viewer = spawn('xdg-open', [page], { detached: true, stdio: 'ignore' });
  viewer.on('error', () => process.stderr.write('xdg-open is not installed; open the path above in a browser\n'));
  viewer.unref();
  return EXIT.pass;
}

const exportFormatOption = () =>
  new Option(
    '--format <format>',
    [
      'bundle: the whole run with all that it refers to (tar)',
      ...Object.entries(EXPORT_FORMATS).map(([name, { description }]) => `${name}: ${description}`),
    ].join('; '),
  )
    .choices(['bundle' as const, ...Object.keys(EXPORT_FORMATS).filter(isExportFormat)])
    .default('bundle' as const);

interface ExportFlags extends Flags {
  readonly format: ExportFormat | 'bundle';
  readonly output?: string | undefined;
}

async function exportOne(id: string, flags: ExportFlags): Promise<ExitCode> {
  const dir = findRun(dirOf(flags), id);
  if (flags.format === 'bundle') return exportWhole(dir, flags.output ?? `${basename(dir)}.tar`);
  const { state, source } = readExportSource(dir);
  if (state !== 'sealed') process.stderr.write(safeLine(`note: ${dir} is ${state}: its report is not proven`) + '\n');
  const written = EXPORT_FORMATS[flags.format].write(source);
  if (flags.output === undefined) process.stdout.write(written);
  else writeExport(flags.output, written);
  return EXIT.pass;
}

async function exportWhole(dir: string, file: string): Promise<ExitCode> {
  const [{ exportBundle }, { interruptible }] = await Promise.all([
    import('../../run/trees/export-bundle.ts'),
    import('../terminal/interrupt.ts'),
  ]);
  const { bytes, sha256 } = await exportBundle(dir, file, interruptible());
  print(undefined, null, () => [
    `${file}: ${bytes} bytes, SHA-256 ${sha256}`,
    `elsewhere: tar xf ${basename(file)} && seatrial verify ./${basename(dir)} --rerun`,
  ]);
  return EXIT.pass;
}

function writeExport(file: string, content: string | Uint8Array): void {
  try {
    writeFileSync(file, content);
  } catch (error) {
    throw new SeatrialError('usage', `cannot write ${file}: ${messageOf(error)}`, error);
  }
}

async function recover(flags: Flags): Promise<ExitCode> {
  const { recoverAllIn } = await import('../environment/recover-runs.ts');
  const done = await recoverAllIn(dirToChange(flags));
  print(flags.json, done, () =>
    done.length === 0
      ? ['nothing to recover']
      : done.map(({ run_id: runId, did, detail }) => safeLine(`${did.padEnd(8)} ${runId}  ${detail}`)),
  );
  return done.some(({ did }) => did === 'left') ? EXIT.evidenceLost : EXIT.pass;
}

async function pruneOld(flags: Flags): Promise<ExitCode> {
  const { keep, olderThan } = flags;
  if (keep === undefined && olderThan === undefined)
    throw new SeatrialError('usage', 'give --keep <n>, --older-than <days>, or both');
  const rules = {
    ...(keep === undefined ? {} : { keep }),
    ...(olderThan === undefined ? {} : { olderThanDays: olderThan }),
  };
  const gone = await pruneRuns(dirToChange(flags), rules, { clock: systemClock });
  print(flags.json, gone, () => [
    `removed ${gone.runs.length} runs and ${gone.blobs.length} stored inputs; the ledger keeps an entry for each run`,
  ]);
  return EXIT.pass;
}
