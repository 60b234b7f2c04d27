import { type Command, CommanderError } from 'commander';
import { SeatrialError } from '../kernel/errors.ts';
import { EXIT, type ExitCode } from '../kernel/exit-codes.ts';

export type Handler = (
  args: readonly string[],
  options: Readonly<Record<string, unknown>>,
) => Promise<ExitCode> | ExitCode;

/** Parses one command's arguments and calls the handler of the (sub)command that was named. Wrong usage is exit 64. */
export async function parseAndRun(command: Command, args: readonly string[]): Promise<ExitCode> {
  // So that help shows what to type.
  prepare(command.name(`seatrial ${command.name()}`));
  try {
    await command.parseAsync([...args], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return EXIT.pass;
    throw new SeatrialError('usage', `${sentence(error, command)}; see \`${command.name()} --help\``);
  }
  return results.get(command) ?? EXIT.usage;
}

/** What the parser says, as part of one sentence. */
function sentence(error: CommanderError, command: Command): string {
  if (error.code === 'commander.help')
    return `${command.name()} takes one of ${command.commands.map((sub) => sub.name()).join(', ')}`;
  return error.message
    .replace(/^error: /, '')
    .replaceAll(/\.?\n/g, ' ')
    .replace(/\.$/, '');
}

const results = new WeakMap<Command, ExitCode>();

/** Ties a handler to a command: it gets the arguments and the options, and gives the exit code. */
export function handledBy(command: Command, handler: Handler): Command {
  return command.action(async () => {
    results.set(rootOf(command), await handler(command.args, command.opts()));
  });
}

function prepare(command: Command): void {
  command
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
    .allowExcessArguments(false);
  for (const sub of command.commands) prepare(sub);
}

function rootOf(command: Command): Command {
  return command.parent === null ? command : rootOf(command.parent);
}

export function wholeNumber(name: string, least: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= least))
      throw new SeatrialError(
        'usage',
        `${name} takes a whole number of at least ${least}, not ${JSON.stringify(text)}`,
      );
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

export function directoryOption(name: string): (text: string) => string {
  return (text) => {
    if (text === '') throw new SeatrialError('usage', `${name} takes a folder, not an empty text`);
    return text;
  };
}
