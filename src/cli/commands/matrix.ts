import { join } from 'node:path';
import { Command, Option } from '@commander-js/extra-typings';
import { runTool } from '../../confine/processes/spawn.ts';
import { resolveTool } from '../../confine/tools/toolchain.ts';
import { writeWhole } from '../../evidence/storage/durable.ts';
import { prettyJson } from '../../kernel/canonical.ts';
import { SeatrialError } from '../../kernel/errors.ts';
import { EXIT, type ExitCode } from '../../kernel/exit-codes.ts';
import { FAILURES } from '../../run/selftest/failures.ts';
import { playRows } from '../../run/selftest/play.ts';
import { type Row, selectRows } from '../../run/selftest/row.ts';
import {
  handledBy,
  jobsOption,
  jsonOption,
  onlyOption,
  parseAndRun,
  runsToWriteOption,
  workspaceOption,
} from '../options.ts';
import { print } from '../print.ts';
import { inOrder, leftOutLines, summaryLine } from '../print/matrix-lines.ts';
import { openPlayground } from '../environment/playground.ts';

interface Flags {
  readonly engine: string;
  readonly jobs: number;
  readonly runs?: string | undefined;
  readonly forgers?: true | undefined;
  readonly honest?: true | undefined;
  readonly drawn?: string | undefined;
  readonly only?: readonly string[] | undefined;
  readonly workspace?: 'overlay' | 'copy' | undefined;
  readonly json?: true | undefined;
}

export function matrixCommand(args: readonly string[]): Promise<ExitCode> {
  const command = new Command('matrix')
    .description(
      'Let the fake engine fail in every known way, and show that each failure is caught with its own reason, event, status and exit code.',
    )
    .option('--forgers', 'run engines that cheat instead; each must be caught, and most fool a weaker judge')
    .addOption(
      new Option('--honest', 'run good work in unusual forms instead; all of it must pass').conflicts('forgers'),
    )
    .option('--drawn <file>', 'with --honest: also commits of public clones, as node bench/draw.mjs wrote them down')
    .addOption(new Option('--engine <name>', 'engine whose misbehaviours to run').choices(['fake']).default('fake'))
    .addOption(onlyOption('rows'))
    .addOption(workspaceOption('in repositories'))
    .addOption(jobsOption())
    .addOption(runsToWriteOption())
    .addOption(
      jsonOption(
        'print {rows: [{name, kind, ok, expected, seen, run}], left_out: [{name, needs}]}; forgers also have weak: {judge, fooled}',
      ),
    );
  return parseAndRun(
    handledBy(command, (_args, options) => matrix(options)),
    args,
  );
}

async function matrix(flags: Flags): Promise<ExitCode> {
  const selected = selectRows(await rowsOf(flags), flags.only);
  const installed = await findInstalledTools(selected);
  const wanted = selected.filter(({ needs }) => needs === undefined || installed.has(needs));
  const leftOut = selected.filter((row) => !wanted.includes(row));
  const { request, runsDir } = openPlayground(`run-all-${flags.engine}`, flags.runs, flags.workspace);
  const progress = inOrder(wanted, (text) => process.stdout.write(text));
  const rows = await playRows(wanted, request, flags.jobs, flags.json === true ? () => {} : progress);
  writeWhole(join(runsDir, 'matrix.json'), prettyJson({ rows }));
  const good = rows.filter((row) => row.ok).length;
  print(flags.json, { rows, left_out: leftOut.map(({ name, needs }) => ({ name, needs })) }, () => [
    '',
    summaryLine(rows, wanted.length),
    ...leftOutLines(leftOut),
    ...(flags.honest === true && flags.drawn === undefined
      ? ['no commits of public repositories were played: draw some with node bench/draw.mjs, and give --drawn <file>']
      : []),
    runsDir,
  ]);
  return good === wanted.length ? EXIT.pass : EXIT.fail;
}

/** The programs that rows need and that work, as the judge would find them: a shim without its toolchain does not. */
async function findInstalledTools(rows: readonly Row[]): Promise<ReadonlySet<string>> {
  const needed = [...new Set(rows.flatMap(({ needs }) => needs ?? []))];
  const search = { path: process.env['PATH'] ?? '', cacheDir: null };
  const found = await Promise.all(
    needed.map((program) => (program.includes('@') ? isPublished(program) : resolveTool(program, search))),
  );
  return new Set(needed.filter((_program, at) => found[at] !== null && found[at] !== false));
}

/** Whether the package can be fetched from here. */
async function isPublished(packageAtVersion: string): Promise<boolean> {
  const args = ['view', packageAtVersion, 'version', '--fetch-retries=0', '--fetch-timeout=20000'];
  const { exitCode, stdout } = await runTool('npm', args, { env: process.env, timeoutMs: 30_000 });
  return exitCode === 0 && stdout.trim() !== '';
}

async function rowsOf({ forgers, honest, drawn }: Flags): Promise<readonly Row[]> {
  if (drawn !== undefined && honest !== true) throw new SeatrialError('usage', '--drawn needs --honest');
  if (forgers === true) return (await import('../../run/selftest/forgers/catalog.ts')).forgerRows();
  if (honest === true) {
    const [{ honestRows }, { readDrawnChanges }] = await Promise.all([
      import('../../run/selftest/honest/rows.ts'),
      import('../../run/selftest/honest/drawn.ts'),
    ]);
    return honestRows(drawn === undefined ? [] : readDrawnChanges(drawn));
  }
  return FAILURES;
}
