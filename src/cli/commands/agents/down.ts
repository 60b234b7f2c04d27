import { Command } from '@commander-js/extra-typings';
import { down } from '../../../agents/lifecycle/down.ts';
import { EXIT, type ExitCode } from '../../../kernel/exit-codes.ts';
import { handledBy, jsonOption, parseAndRun } from '../../options.ts';
import { print } from '../../print.ts';
import { withOperation } from '../../environment/operation.ts';
import { projectOption } from '../../environment/project.ts';

export function downCommand(args: readonly string[]): Promise<ExitCode> {
  const command = new Command('down')
    .description('Stop everything of this project, the watchdog first, or the named agents. They stay down until `up`.')
    .argument('[agents...]', 'agents to stop')
    .addOption(projectOption())
    .addOption(jsonOption());
  return parseAndRun(
    handledBy(command, ([names], { project, json }) =>
      withOperation(project, async (operation) => {
        const result = await down(operation, names);
        print(json, result, () => [
          result.stopped.length === 0 ? 'nothing of this project was running' : `stopped: ${result.stopped.join(', ')}`,
          ...result.foreign.map((session) => `left alone: session ${session} belongs to another project`),
        ]);
        return EXIT.pass;
      }),
    ),
    args,
  );
}
