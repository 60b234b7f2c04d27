import { Command } from '@commander-js/extra-typings';
import { findRun, readRun, type RunRecord } from '../../../evidence/bundle/runs.ts';
import type { ApprovalAnswer } from '../../../evidence/schema/answer.ts';
import { SeatrialError } from '../../../kernel/errors.ts';
import { EXIT, type ExitCode } from '../../../kernel/exit-codes.ts';
import { answerEnded, chooseOpenQuestions, judgedAgainIn } from './answer-ended.ts';
import { answerLines, answerRunning } from '../../answer-running.ts';
import { openQuestions } from '../../../run/given.ts';
import { runsToRead } from '../../environment/settings.ts';
import { handledBy, jsonOption, parseAndRun, runsToReadOption } from '../../options.ts';
import { print } from '../../print.ts';

export function denyCommand(args: readonly string[]): Promise<ExitCode> {
  const command = new Command('deny')
    .description(
      'Answer questions of a run with no. A run under way goes on without what it asked for; an open question of a run that has ended is closed.',
    )
    .argument('<run>', 'run id, the beginning of one, or `last`')
    .argument('[ids...]', 'questions to deny, such as permission-1 or deciding:tests/test_slug.py')
    .option('--all', 'deny every open question of the run')
    .addOption(runsToReadOption())
    .addOption(jsonOption('print the answers as JSON'));
  return parseAndRun(
    handledBy(command, ([run, ids], { all, runs, json }) => {
      const runsDir = runsToRead(runs, process.cwd());
      const found = readRun(findRun(runsDir, run));
      const wanted = { ids, all: all === true };
      const answers =
        found.state === 'running' ? answerRunning(found.dir, wanted, 'denied') : denyEnded(found, runsDir, wanted);
      print(json, answers, () => answerLines(answers));
      return EXIT.pass;
    }),
    args,
  );
}

function denyEnded(
  { dir, state, runId, report }: RunRecord,
  runsDir: string,
  wanted: Parameters<typeof chooseOpenQuestions>[1],
): readonly ApprovalAnswer[] {
  if (state !== 'sealed' || report === null || openQuestions(report).length === 0)
    throw new SeatrialError('usage', `${runId} is over and left no question open`);
  const chosen = chooseOpenQuestions(report, wanted, new Date());
  const approved = judgedAgainIn(runsDir, report, chosen);
  if (approved !== null)
    throw new SeatrialError('usage', `${runId} was already approved: see run ${approved}; the first answer counts`);
  return answerEnded(dir, chosen, 'denied');
}
