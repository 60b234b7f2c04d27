import { Command } from '@commander-js/extra-typings';
import { named } from '../../agents/lifecycle/down.ts';
import { EXIT, type ExitCode } from '../../kernel/exit-codes.ts';
import { handledBy, parseAndRun } from '../options.ts';
import { print } from '../print.ts';
import { withOperation } from './operation.ts';
import { projectOption } from './project.ts';

interface Pausing {
  readonly name: string;
  readonly paused: boolean;
  readonly description: string;
}

/** `pause` and `unpause` are one command with two words. */
export function pauseOrNot(args: readonly string[], { name, paused, description }: Pausing): Promise<ExitCode> {
  const command = new Command(name)
    .description(description)
    .argument('[agent]', 'agent (default: all)')
    .addOption(projectOption());
  return parseAndRun(
    handledBy(command, ([agent], { project }) =>
      withOperation(project, async (operation) => {
        const who = agent === undefined ? null : named(operation)(agent).name;
        await operation.journal.append({ type: 'agent.paused', agent: who, paused });
        print(undefined, null, () => [`${who ?? 'all agents'}: ${paused ? 'paused' : 'no longer paused'}`]);
        return EXIT.pass;
      }),
    ),
    args,
  );
}
