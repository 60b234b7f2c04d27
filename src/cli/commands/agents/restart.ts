import { Command } from '@commander-js/extra-typings';
import { down } from '../../../agents/lifecycle/down.ts';
import { up } from '../../../agents/lifecycle/up.ts';
import { EXIT, type ExitCode } from '../../../kernel/exit-codes.ts';
import { handledBy, parseAndRun } from '../../options.ts';
import { print } from '../../print.ts';
import { withPinnedOperation } from '../../environment/operation.ts';
import { projectOption } from '../../environment/project.ts';
import { projectChecks } from '../../environment/project-checks.ts';

export function restartCommand(args: readonly string[]): Promise<ExitCode> {
  const command = new Command('restart')
    .description('Stop agents and start them again with the current agents.toml.')
    .argument('<agents...>', 'agents to restart')
    .option('--resume', 'go on with their conversations')
    .addOption(projectOption());
  return parseAndRun(
    handledBy(command, ([names], { project, resume }) =>
      withPinnedOperation(project, async (operation) => {
        const mode = resume === true ? 'resume' : 'fresh';
        await down(operation, names);
        const { started } = await up(operation, { names, mode, checks: projectChecks(operation.project) });
        print(undefined, null, () => [`restarted: ${started.join(', ')}`]);
        return EXIT.pass;
      }),
    ),
    args,
  );
}
