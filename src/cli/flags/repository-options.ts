import type { Command, OptionValues } from '@commander-js/extra-typings';
import { acceptOption, allowDecidingOption, mustFixOption, sealedOption, wholeNumber } from '../options.ts';

/** The flags that describe work on a repository instead of a task: `RunSourceFlags`. */
export function withRepositoryOptions<Args extends unknown[], Opts extends OptionValues>(command: Command<Args, Opts>) {
  return command
    .option(
      '--repo <path|url>',
      'work on a copy of this git repository instead of a task; requires --ask or --ask-file',
    )
    .option('--commit <name>', 'with --repo: commit, branch or tag to start from', 'HEAD')
    .option('--dirty', 'with --repo: start from the work tree with its uncommitted changes')
    .option('--ask <text>', 'with --repo: instruction for the engine')
    .option('--ask-file <file>', 'with --repo: file with the instruction, or - for standard input')
    .option('--test <command>', 'with --repo: test command, such as "npm test"')
    .option(
      '--setup <command>',
      'with --repo: setup command, run once with network access (default: detected from the lockfile; "" to skip)',
    )
    .option(
      '--allow <globs...>',
      "with --repo: files that may change (default: all); never git hooks or Seatrial's settings",
    )
    .addOption(allowDecidingOption('with --repo'))
    .addOption(mustFixOption('with --repo'))
    .addOption(acceptOption('with --repo'))
    .addOption(sealedOption('with --repo'))
    .option(
      '--history <n>',
      'with --repo: let the engine see the last n generations of commits, and no other branch (default: none)',
      wholeNumber('--history', 1),
    );
}
