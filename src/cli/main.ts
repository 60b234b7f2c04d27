import { EXIT, EXIT_CODE_OF_ERROR, type ExitCode } from '../kernel/exit-codes.ts';
import { SeatrialError } from '../kernel/errors.ts';
import manifest from '../../package.json' with { type: 'json' };
import type { CommandEntry } from './command-entry.ts';
import { COMMANDS, HELP_TEXT } from './commands.ts';
import { exitCodeAfter, guardOutput, type Printed, readerWentAway } from './terminal/output.ts';
import { growYoungGeneration } from './start/young-generation.ts';

async function main(argv: readonly string[]): Promise<ExitCode> {
  const [name, ...rest] = argv;
  if (name === undefined || name === '--help' || name === '-h' || (name === 'help' && rest.length === 0)) {
    process.stdout.write(HELP_TEXT);
    return name === undefined ? EXIT.usage : EXIT.pass;
  }
  if (name === '--version' || name === '-V') {
    process.stdout.write(`${manifest.version}\n`);
    return EXIT.pass;
  }
  if (name === 'help') {
    const [wanted = '', ...subcommands] = rest;
    const { helpOf } = await import('./print/help.ts');
    return helpOf(wanted, await loadCommand(wanted), subcommands);
  }
  return (await loadCommand(name))(rest);
}

function loadCommand(name: string): ReturnType<CommandEntry['load']> {
  const entry = COMMANDS.get(name);
  if (entry === undefined)
    throw new SeatrialError('usage', `unknown command ${JSON.stringify(name)}; \`seatrial --help\` lists the commands`);
  if (entry.needs === 'system') growYoungGeneration();
  return entry.load();
}

/** A user's mistake is one sentence; anything else is a bug of ours and comes with its stack. */
async function explain(error: unknown): Promise<ExitCode> {
  const { withoutSecrets } = await import('./environment/caller-secrets.ts');
  if (error instanceof SeatrialError) {
    process.stderr.write(`seatrial: ${withoutSecrets(error.message)}\n`);
    return EXIT_CODE_OF_ERROR[error.code];
  }
  const where = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`seatrial: internal error, please report it: ${withoutSecrets(where)}\n`);
  return EXIT.blocked;
}

function printedBy([name = '', ...rest]: readonly string[]): Printed {
  return COMMANDS.get(name)?.prints === 'account' && !rest.some((argument) => ASKS_FOR_OUTPUT.has(argument))
    ? 'account'
    : 'result';
}

const ASKS_FOR_OUTPUT: ReadonlySet<string> = new Set(['--json', '--help', '-h']);

async function endWith(error: unknown): Promise<never> {
  process.exit(await explain(error));
}

/**
 * The one place where an exit code is set, after all output has been written or lost. Ends the process at once: otherwise node takes its heap
 * apart first, object by object.
 */
async function call(argv: readonly string[]): Promise<void> {
  const output = guardOutput();
  const code = await main(argv).catch(explain);
  const lost = await output.settled();
  if (lost !== null && !readerWentAway(lost))
    process.stderr.write(`seatrial: standard output could not be written: ${lost.message}\n`);
  process.exit(exitCodeAfter(code, lost, printedBy(argv)));
}

// Node's own exit code for a bug is 1, which here says that a run failed.
process.on('uncaughtException', (error) => void endWith(error));

void call(process.argv.slice(2));
