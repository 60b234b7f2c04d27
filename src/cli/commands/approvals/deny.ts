import { Command } from '@commander-js/extra-typings';
import { findRun, readRun } from '../../../evidence/bundle/runs.ts';
import { SeatrialError } from '../../../kernel/errors.ts';
import { EXIT, type ExitCode } from '../../../kernel/exit-codes.ts';
import { answerLines, answerRunning } from '../../answer-running.ts';
import { runsToRead } from '../../environment/settings.ts';
import { handledBy, jsonOption, parseAndRun, runsToReadOption } from '../../options.ts';
import { print } from '../../print.ts';

export function denyCommand(args: readonly string[]): Promise<ExitCode> {
  const command = new Command('deny')
    .description('Answer questions of a run under way with no. The run goes on without what it asked for.')
    .argument('<run>', 'run id, the beginning of one, or `last`')
    .argument('[ids...]', 'questions to deny, such as permission-1')
    .option('--all', 'deny every open question of the run')
    .addOption(runsToReadOption())
    .addOption(jsonOption('print the answers as JSON'));
  return parseAndRun(
    handledBy(command, ([run, ids], { all, runs, json }) => {
      const { dir, state, runId } = readRun(findRun(runsToRead(runs, process.cwd()), run));
      if (state !== 'running')
        throw new SeatrialError('usage', `${runId} is over; a question that it left open counts as denied`);
      const answers = answerRunning(dir, { ids, all: all === true }, 'denied');
      print(json, answers, () => answerLines(answers));
      return EXIT.pass;
    }),
    args,
  );
}
