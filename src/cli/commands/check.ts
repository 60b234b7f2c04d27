import { cpus } from 'node:os';
import { Command } from 'commander';
import { prettyJson } from '../../kernel/canonical.ts';
import { SeatrialError } from '../../kernel/errors.ts';
import { EXIT, type ExitCode } from '../../kernel/exit-codes.ts';
import { directoryOption, handledBy, parseAndRun, wholeNumber } from '../options.ts';
import { checkLines } from '../print/check-lines.ts';
import { runSuite, CHECK_SUITES } from '../suites.ts';

interface Flags {
  readonly bin?: string;
  readonly only?: readonly string[];
  readonly jobs: number;
  readonly runs?: string;
  readonly json?: true;
}

export function checkCommand(args: readonly string[]): Promise<ExitCode> {
  const command = new Command('check')
    .description(
      [
        'Show that an adapter does what it must, by whole runs with a scripted model:',
        ...Object.entries(CHECK_SUITES).map(([name, { summary }]) => `  ${name.padEnd(22)} ${summary}`),
        'Needs neither Case nor a model: a stand-in for Case ships with Seatrial.',
      ].join('\n'),
    )
    .argument('<suite>', Object.keys(CHECK_SUITES).join(', '))
    .option('--bin <ca>', 'check with this program instead of CTO_HARNESS_CASE_BIN or, without it, the stand-in')
    .option('--only <text...>', 'only checks whose name has one of these texts; earns nothing')
    .option('--jobs <n>', 'how many at the same time', wholeNumber('--jobs', 1), cpus().length)
    .option('--runs <dir>', 'where bundles go, instead of what seatrial.toml says', directoryOption('--runs'))
    .option('--json', 'print {ok, checks: [{name, ok, detail, run}]}');
  return parseAndRun(
    handledBy(command, ([suite], options) => check(suite ?? '', options as unknown as Flags)),
    args,
  );
}

async function check(name: string, flags: Flags): Promise<ExitCode> {
  const suite = Object.hasOwn(CHECK_SUITES, name) ? CHECK_SUITES[name] : undefined;
  if (suite === undefined)
    throw new SeatrialError(
      'usage',
      `there is no suite ${JSON.stringify(name)}: there are ${Object.keys(CHECK_SUITES).join(', ')}`,
    );
  const print = flags.json === true ? () => {} : (text: string) => process.stdout.write(text);
  const { ok, checks, where } = await runSuite(await suite.load(), flags, print);
  if (flags.json === true) process.stdout.write(prettyJson({ ok, checks }));
  else process.stdout.write(checkLines(name, checks, where));
  return ok ? EXIT.pass : EXIT.fail;
}
