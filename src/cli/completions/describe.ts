import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { ENGINE_NAMES } from '../../engines/list.ts';
import { builtinTasks } from '../../task/task-directory.ts';
import type { ExitCode } from '../../kernel/exit-codes.ts';
import { describedBy } from '../options.ts';

/** What may follow: one of these words, anything (a file, as a shell guesses), a run, or nothing. */
export type Completed = readonly string[] | 'anything' | 'run' | 'nothing';

export interface CompletedOption {
  readonly flag: string;
  readonly description: string;
  readonly value: Completed;
}

/** A command or subcommand, and what a shell offers after it. */
export interface CompletedCommand {
  /** Its words after `seatrial`; empty: none yet. */
  readonly path: readonly string[];
  readonly summary: string;
  readonly subcommands: readonly { readonly name: string; readonly summary: string }[];
  readonly options: readonly CompletedOption[];
  /** Its arguments. */
  readonly value: Completed;
}

/** The table of commands, as far as it is needed here. */
export type CommandTable = ReadonlyMap<
  string,
  { readonly summary: string; readonly load: () => Promise<(args: readonly string[]) => Promise<ExitCode>> }
>;

/** Every command with its subcommands, as their own definitions have them. Starts none. */
export async function describeCommands(table: CommandTable): Promise<readonly CompletedCommand[]> {
  const commands = await Promise.all(
    Array.from(table, async ([name, { summary, load }]) => {
      const command = await describedBy(await load());
      return [
        read([name], summary, command),
        ...command.commands.map((sub) => read([name, sub.name()], sub.description(), sub)),
      ];
    }),
  );
  const names = Array.from(table, ([name, { summary }]) => ({ name, summary }));
  const help = { name: 'help', summary: 'show the options of a command' };
  return [
    { path: [], summary: '', subcommands: [...names, help], options: GENERAL, value: 'nothing' },
    ...commands.flat(),
    { path: ['help'], summary: help.summary, subcommands: [], options: [], value: names.map(({ name }) => name) },
  ];
}

const GENERAL: readonly CompletedOption[] = [
  { flag: '--help', description: 'list the commands', value: 'nothing' },
  { flag: '--version', description: 'print the version', value: 'nothing' },
];

function read(path: readonly string[], summary: string, command: CommandUnknownOpts): CompletedCommand {
  const options = command.options.map(({ long, description, argChoices, required, optional }): CompletedOption => ({
    flag: long ?? '',
    description,
    value: argChoices ?? (required || optional ? valueOf(long ?? '') : 'nothing'),
  }));
  return {
    path,
    summary,
    subcommands: command.commands.map((sub) => ({ name: sub.name(), summary: sub.description() })),
    options: [...options, { flag: '--help', description: 'show help', value: 'nothing' }],
    value: argumentOf(command),
  };
}

function valueOf(flag: string): Completed {
  if (/^--(?:review-)?engine$/.test(flag)) return ENGINE_NAMES;
  return flag === '--replay' ? 'run' : 'anything';
}

function argumentOf({ registeredArguments: [first] }: CommandUnknownOpts): Completed {
  if (first === undefined) return 'nothing';
  if (first.argChoices !== undefined) return first.argChoices;
  if (/^runs?$/.test(first.name())) return 'run';
  return first.name() === 'task' ? [...builtinTasks()] : 'anything';
}
