import { Argument, Command } from '@commander-js/extra-typings';
import { EXIT, type ExitCode } from '../../kernel/exit-codes.ts';
import { bashCompletions } from '../completions/bash.ts';
import { type CommandTable, type CompletedCommand, describeCommands } from '../completions/describe.ts';
import { fishCompletions } from '../completions/fish.ts';
import { zshCompletions } from '../completions/zsh.ts';
import { handledBy, parseAndRun } from '../options.ts';

const SHELLS = { bash: bashCompletions, zsh: zshCompletions, fish: fishCompletions } as const;

export function completionsCommand(table: CommandTable, args: readonly string[]): Promise<ExitCode> {
  const command = new Command('completions')
    .description('Print a script that completes commands, options, engines, tasks and runs in a shell.')
    .addArgument(new Argument('<shell>', 'the shell').choices(['bash', 'zsh', 'fish'] as const))
    .addHelpText(
      'after',
      `
bash:  seatrial completions bash > ~/.local/share/bash-completion/completions/seatrial
zsh:   seatrial completions zsh > "\${fpath[1]}/_seatrial"
fish:  seatrial completions fish > ~/.config/fish/completions/seatrial.fish`,
    );
  return parseAndRun(
    handledBy(command, async ([shell]) => {
      const write: (commands: readonly CompletedCommand[]) => string = SHELLS[shell];
      process.stdout.write(write(await describeCommands(table)));
      return EXIT.pass;
    }),
    args,
  );
}
