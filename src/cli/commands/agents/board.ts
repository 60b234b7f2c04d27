import { Command } from '@commander-js/extra-typings';
import { boardLines } from '../../../agents/status/board.ts';
import { computeStatus } from '../../../agents/status/decide.ts';
import { systemClock } from '../../../kernel/clock.ts';
import { EXIT, type ExitCode } from '../../../kernel/exit-codes.ts';
import { handledBy, parseAndRun } from '../../options.ts';
import { showScreen } from '../../terminal/live-screen.ts';
import { projectOption, readStatusFacts } from '../../environment/project.ts';

export function boardCommand(args: readonly string[]): Promise<ExitCode> {
  const command = new Command('board')
    .description('Show on one screen who needs a person, since when and why, again every two seconds. Writes nothing.')
    .option('--once', 'show it once')
    .addOption(projectOption());
  return parseAndRun(
    handledBy(command, async (_args, { project, once }) => {
      await showScreen(once !== true, async () =>
        boardLines(computeStatus(await readStatusFacts(project)), systemClock.now()),
      );
      return EXIT.pass;
    }),
    args,
  );
}
