import { Command } from '@commander-js/extra-typings';
import { boardLines } from '../../../agents/status/board.ts';
import { computeStatus } from '../../../agents/status/decide.ts';
import { safeLine } from '../../../evidence/report/render/terminal.ts';
import { systemClock } from '../../../kernel/clock.ts';
import { EXIT, type ExitCode } from '../../../kernel/exit-codes.ts';
import { handledBy, parseAndRun } from '../../options.ts';
import { projectOption, readStatusFacts } from '../../environment/project.ts';

const EVERY_MS = 2000;
const CLEAR = '\u001b[H\u001b[2J';

export function boardCommand(args: readonly string[]): Promise<ExitCode> {
  const command = new Command('board')
    .description('Show on one screen who needs a person, since when and why, again every two seconds. Writes nothing.')
    .option('--once', 'show it once')
    .addOption(projectOption());
  return parseAndRun(
    handledBy(command, async (_args, { project, once }) => {
      const live = process.stdout.isTTY && once !== true;
      const ending = new AbortController();
      process.once('SIGINT', () => ending.abort());
      for (;;) {
        const lines = boardLines(computeStatus(await readStatusFacts(project)), systemClock.now());
        process.stdout.write(`${live ? CLEAR : ''}${lines.map((line) => `${safeLine(line)}\n`).join('')}`);
        if (!live || ending.signal.aborted) break;
        await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
      }
      return EXIT.pass;
    }),
    args,
  );
}
