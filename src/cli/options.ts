import { cpus } from 'node:os';
import {
  type Command,
  CommanderError,
  type CommandUnknownOpts,
  Option,
  type OptionValues,
} from '@commander-js/extra-typings';
import { SeatrialError } from '../kernel/errors.ts';
import { EXIT, type ExitCode } from '../kernel/exit-codes.ts';

/** Parses one command's arguments and calls the handler of the (sub)command that was named. Wrong usage is exit 64. */
export async function parseAndRun(command: CommandUnknownOpts, args: readonly string[]): Promise<ExitCode> {
  if (takeDescribed !== null) {
    takeDescribed(command);
    return EXIT.pass;
  }
  // So that help shows what to type.
  prepare(command.name(`seatrial ${command.name()}`));
  try {
    await command.parseAsync([...args], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return EXIT.pass;
    const sub = command.commands.map((one) => one.name()).find((name) => name === args[0]);
    const page = [command.name(), ...(sub === undefined ? [] : [sub]), '--help'].join(' ');
    throw new SeatrialError('usage', `${sentence(error, command)}; see \`${page}\``);
  }
  return results.get(command) ?? EXIT.usage;
}

/** Set while a command is asked for its definition: it is handed over, and not run. */
let takeDescribed: ((command: CommandUnknownOpts) => void) | null = null;

/** The definition of a command: its options, arguments and subcommands. Runs nothing of it. */
export async function describedBy(
  command: (args: readonly string[]) => Promise<ExitCode>,
): Promise<CommandUnknownOpts> {
  return new Promise((resolve, reject) => {
    takeDescribed = resolve;
    // A command builds its definition before it waits for anything.
    const ended = command([]);
    takeDescribed = null;
    ended.catch(reject);
  });
}

/** The parser's message, as part of one sentence. */
function sentence(error: CommanderError, command: CommandUnknownOpts): string {
  if (error.code === 'commander.help')
    return `\`${command.name()}\` needs a subcommand: ${command.commands.map((sub) => sub.name()).join(', ')}`;
  return error.message
    .replace(/^error: /, '')
    .replaceAll(/\.?\n/g, ' ')
    .replace(/\.$/, '');
}

const results = new WeakMap<CommandUnknownOpts, ExitCode>();

/** Sets the handler of a command: it takes the arguments and the options, and returns the exit code. */
export function handledBy<Args extends unknown[], Opts extends OptionValues, Globals extends OptionValues>(
  command: Command<Args, Opts, Globals>,
  handler: (args: Args, options: Opts) => Promise<ExitCode> | ExitCode,
): Command<Args, Opts, Globals> {
  return command.action(async () => {
    results.set(rootOf(command), await handler(command.processedArgs, command.opts()));
  });
}

function prepare(command: CommandUnknownOpts): void {
  command
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
    .allowExcessArguments(false);
  for (const sub of command.commands) prepare(sub);
}

function rootOf(command: CommandUnknownOpts): CommandUnknownOpts {
  return command.parent === null ? command : rootOf(command.parent);
}

// Flags that several commands share. Each call makes a new Option, because a command keeps state in it.

export const runsToReadOption = () =>
  new Option('--runs <dir>', 'runs directory (default: from seatrial.toml)').argParser(directory('--runs'));

export const runsToWriteOption = () =>
  new Option('--runs <dir>', 'directory for the bundles (default: from seatrial.toml)').argParser(directory('--runs'));

export const jobsOption = () =>
  new Option('--jobs <n>', 'number of runs at the same time')
    .argParser(wholeNumber('--jobs', 1))
    .default(cpus().length);

export const onlyOption = (what: string) =>
  new Option('--only <text...>', `run only ${what} whose name contains one of these texts`);

export const signerOption = () =>
  new Option('--key <file>', 'accept only this public key (PEM) as signer (default: the keys trusted on this machine)');

export const jsonOption = (description = 'print the result as JSON') => new Option('--json', description);

/** For commands that print a list of checks. */
export const checksJsonOption = () => jsonOption('print {ok, checks: [{name, ok, detail, run}]}');

/** `when` says which other flag it needs, or what it is about. */
export const workspaceOption = (when: string) =>
  new Option(
    '--workspace <kind>',
    `${when}: lay changes over files that all runs of a commit share, or copy the files (default: overlay where this machine can mount one)`,
  ).choices(['overlay', 'copy'] as const);

// How a change to a repository is judged. `when` says which other flag they need.

export const allowDecidingOption = (when: string) =>
  new Option(
    '--allow-deciding <globs...>',
    `${when}: let the change touch these files although they decide what the tests report (never counts as stage evidence)`,
  );

export const mustFixOption = (when: string) =>
  new Option('--must-fix <tests...>', `${when}: fail unless these tests (ids or files) failed before and pass now`);

export const acceptOption = (when: string) =>
  new Option('--accept <result>', `${when}: accept the exit code of a command that reports no tests`).choices([
    'exit_code',
  ] as const);

export const sealedOption = (when: string | null) =>
  new Option(
    '--sealed <dir>',
    `${when === null ? '' : `${when}: `}directory of your own tests, laid out as in the repository; the author of the change never sees them, and at least one must fail before it`,
  );

/** `mustFix` as the command line has it: `--must-fix`. */
export const flagName = (property: string): string =>
  `--${property.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

// Values of options.

export function wholeNumber(name: string, min: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= min))
      throw new SeatrialError('usage', `${name} takes a whole number of at least ${min}, not ${JSON.stringify(text)}`);
    return value;
  };
}

export function price(name: string): (text: string) => number {
  return (text) => {
    if (!/^\d{1,6}(\.\d{1,6})?$/.test(text))
      throw new SeatrialError('usage', `${name} takes US dollars such as 2.5, not ${JSON.stringify(text)}`);
    return Number(text);
  };
}

function directory(name: string): (text: string) => string {
  return (text) => {
    if (text === '') throw new SeatrialError('usage', `${name} must not be empty`);
    return text;
  };
}
