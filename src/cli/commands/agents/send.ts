import { Command } from '@commander-js/extra-typings';
import { sendMessage } from '../../../agents/lifecycle/send.ts';
import { safeLine } from '../../../evidence/report/render/terminal.ts';
import { EXIT, type ExitCode } from '../../../kernel/exit-codes.ts';
import { handledBy, jsonOption, parseAndRun } from '../../options.ts';
import { print } from '../../print.ts';
import { withOperation } from '../../environment/operation.ts';
import { projectOption } from '../../environment/project.ts';

export function sendCommand(args: readonly string[]): Promise<ExitCode> {
  const command = new Command('send')
    .description('Type a message into the pane of an agent. Exit 1 if the agent was not seen to take it.')
    .argument('<agent>', 'agent')
    .argument('<text>', 'message')
    .addOption(projectOption())
    .addOption(jsonOption());
  return parseAndRun(
    handledBy(command, ([name, text], { project, json }) =>
      withOperation(project, async (operation) => {
        const result = await sendMessage(operation, name, text);
        print(json, result, () => [`${result.taken ? 'taken' : 'not taken'}: ${safeLine(result.evidence)}`]);
        return result.taken ? EXIT.pass : EXIT.fail;
      }),
    ),
    args,
  );
}
