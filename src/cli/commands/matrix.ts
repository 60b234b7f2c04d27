import { cpus } from 'node:os';
import { join } from 'node:path';
import { Command, Option } from 'commander';
import { writeWhole } from '../../evidence/storage/durable.ts';
import { prettyJson } from '../../kernel/canonical.ts';
import { EXIT, type ExitCode } from '../../kernel/exit-codes.ts';
import { FAILURES } from '../../run/selftest/failures.ts';
import { playRows } from '../../run/selftest/play.ts';
import { type Row, selectRows } from '../../run/selftest/row.ts';
import { directoryOption, handledBy, parseAndRun, wholeNumber } from '../options.ts';
import { inOrder, summaryLine } from '../print/matrix-lines.ts';
import { openPlayground } from '../environment/playground.ts';

interface Flags {
  readonly engine: string;
  readonly jobs: number;
  readonly runs?: string;
  readonly forgers?: true;
  readonly honest?: true;
  readonly only?: readonly string[];
  readonly json?: true;
}

export function matrixCommand(args: readonly string[]): Promise<ExitCode> {
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
    .option('--runs <dir>', 'where bundles go, instead of what seatrial.toml says', directoryOption('--runs'))
    .option('--json', 'print {rows: [{name, kind, ok, expected, seen, run}]}; forgers also have weak: {judge, fooled}');
  return parseAndRun(
    handledBy(command, (_args, options) => matrix(options as unknown as Flags)),
    args,
  );
}

async function matrix(flags: Flags): Promise<ExitCode> {
  const wanted = selectRows(await rowsOf(flags), flags.only);
  const { order, runsDir } = openPlayground(`run-all-${flags.engine}`, flags.runs);
  const print = inOrder(wanted, (text) => process.stdout.write(text));
  const rows = await playRows(wanted, order, flags.jobs, flags.json === true ? () => {} : print);
  writeWhole(join(runsDir, 'matrix.json'), prettyJson({ rows }));
  const good = rows.filter((row) => row.ok).length;
  if (flags.json === true) process.stdout.write(prettyJson({ rows }));
  else process.stdout.write(`\n${summaryLine(rows, wanted.length)}\n${runsDir}\n`);
  return good === wanted.length ? EXIT.pass : EXIT.fail;
}

async function rowsOf({ forgers, honest }: Flags): Promise<readonly Row[]> {
  if (forgers === true) return (await import('../../run/selftest/forgers/catalog.ts')).forgerRows();
  if (honest === true) return (await import('../../run/selftest/honest/rows.ts')).honestRows();
  return FAILURES;
}
