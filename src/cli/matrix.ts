import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { Command, Option } from 'commander';
import { fakeEngine } from '../engines/fake/engine.ts';
import { makeFolders, reportingWrite } from '../evidence/durable.ts';
import { prettyJson } from '../kernel/canonical.ts';
import { compactStamp } from '../kernel/clock.ts';
import { SeatrialError } from '../kernel/errors.ts';
import { EXIT, type ExitCode } from '../kernel/exit-codes.ts';
import { FAILURES } from '../run/matrix/failures.ts';
import { playRows } from '../run/matrix/play.ts';
import type { Row } from '../run/matrix/row.ts';
import { findTask, readTask } from '../task/read.ts';
import { folder, handledBy, parseAndRun, wholeNumber } from './arguments.ts';
import { interruptible } from './interrupt.ts';
import { inOrder, summaryLine } from './matrix-lines.ts';
import { showProgress } from './progress.ts';
import { readSettings } from './settings.ts';
import { openSite } from './site.ts';

const TASK = 'r1-string-slugify';

interface Flags {
  readonly engine: string;
  readonly jobs: number;
  readonly runs?: string;
  readonly forgers?: true;
  readonly honest?: true;
  readonly only?: readonly string[];
  readonly json?: true;
}

export function run(args: readonly string[]): Promise<ExitCode> {
  const command = new Command('matrix')
    .description(
      'Let the fake engine fail in every known way and show that each is caught with its own reason, event, status and exit code.',
    )
    .option('--forgers', 'instead: engines that cheat, each caught although it fools a weaker judge')
    .addOption(
      new Option('--honest', 'instead: good work in unusual shapes, all of which must pass').conflicts('forgers'),
    )
    .addOption(new Option('--engine <name>', 'whose misbehaviours').choices(['fake']).default('fake'))
    .option('--only <text...>', 'only rows whose name has one of these texts')
    .option('--jobs <n>', 'how many at the same time', wholeNumber('--jobs', 1), cpus().length)
    .option('--runs <dir>', 'where bundles go, instead of what seatrial.toml says', folder('--runs'))
    .option('--json', 'print {rows: [{name, kind, ok, expected, seen, run}]}; forgers also have weak: {judge, fooled}');
  return parseAndRun(
    handledBy(command, (_args, options) => matrix(options as unknown as Flags)),
    args,
  );
}

async function matrix(flags: Flags): Promise<ExitCode> {
  const wanted = selectRows(await rowsOf(flags), flags.only);
  const task = readTask(findTask(TASK, process.cwd()));
  const settings = readSettings(process.cwd());
  const home = flags.runs ?? settings.runs;
  const name = `${compactStamp(new Date())}-run-all-${flags.engine}-${process.pid}`;
  const runsDir = join(home, name);
  reportingWrite(runsDir, () => makeFolders(runsDir));
  // Unattended without policy is one of the rows: nobody is asked, whatever the settings say.
  const site = {
    ...openSite({ ...settings, approvals: {} }, { confine: 'bubblewrap', runsDir }),
    ask: () => Promise.resolve(null),
  };
  const order = {
    site: { ...site, covered: [...site.covered, home] },
    terms: task.terms,
    inputs: task,
    solutionDir: task.solutionDir,
    taskDir: task.dir,
    engine: fakeEngine(),
    watch: showProgress('none', process.stderr),
    signal: interruptible(),
  };
  const print = inOrder(wanted, (text) => process.stdout.write(text));
  const rows = await playRows(wanted, order, flags.jobs, flags.json === true ? () => {} : print);
  writeFileSync(join(runsDir, 'matrix.json'), prettyJson({ rows }));
  const good = rows.filter((row) => row.ok).length;
  if (flags.json === true) process.stdout.write(prettyJson({ rows }));
  else process.stdout.write(`\n${summaryLine(rows, wanted.length)}\n${runsDir}\n`);
  return good === wanted.length ? EXIT.pass : EXIT.fail;
}

function selectRows(rows: readonly Row[], only: readonly string[] | undefined): readonly Row[] {
  if (only === undefined) return rows;
  const strange = only.find((text) => !rows.some(({ name }) => name.includes(text)));
  if (strange !== undefined)
    throw new SeatrialError('usage', `no row of this matrix has ${JSON.stringify(strange)} in its name`);
  return rows.filter(({ name }) => only.some((text) => name.includes(text)));
}

async function rowsOf({ forgers, honest }: Flags): Promise<readonly Row[]> {
  if (forgers === true) return (await import('../run/forgers/catalog.ts')).forgerRows();
  if (honest === true) return (await import('../run/honest/rows.ts')).honestRows();
  return FAILURES;
}
