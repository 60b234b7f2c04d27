import { Command } from '@commander-js/extra-typings';
import { durationText } from '../../../evidence/report/render/text/words.ts';
import { EXIT, type ExitCode } from '../../../kernel/exit-codes.ts';
import { DECIDING_QUESTION } from '../../../run/approvals/deciding.ts';
import { runsToRead } from '../../environment/settings.ts';
import { handledBy, jsonOption, parseAndRun, runsToReadOption } from '../../options.ts';
import { print } from '../../print.ts';
import { table } from '../../print/table.ts';
import { type WaitingQuestion, waitingQuestions } from '../../waiting-questions.ts';

export function approvalsCommand(args: readonly string[]): Promise<ExitCode> {
  const command = new Command('approvals')
    .description(
      'List the questions that wait for `seatrial approve` or `seatrial deny`: since when, until when, for whom, and of which run.',
    )
    .addOption(runsToReadOption())
    .addOption(jsonOption('print the questions as JSON'));
  return parseAndRun(
    handledBy(command, (_none, { runs, json }) => {
      const waiting = waitingQuestions(runsToRead(runs, process.cwd()), new Date());
      print(json, waiting, () => listed(waiting, Date.now()));
      return EXIT.pass;
    }),
    args,
  );
}

function listed(waiting: readonly WaitingQuestion[], now: number): string[] {
  const [first] = waiting;
  if (first === undefined) return ['nothing waits for an answer'];
  const { run_id: run, id } = first;
  return [
    ...table(
      ['WAITS', 'UNTIL', 'FOR', 'RUN', 'BY', 'KIND', 'QUESTION', 'ASKS FOR'],
      waiting.map((one) => row(one, now)),
    ),
    '',
    `yes: seatrial approve ${run} ${id}`,
    `no:  seatrial deny ${run} ${id}`,
  ];
}

function row(
  { run_id: run, id, kind, action, engine, for: person, asked_at: asked, answer_by: until }: WaitingQuestion,
  now: number,
): string[] {
  const left = until === null ? 'no limit' : `in ${timeLeft(Math.max(0, Date.parse(until) - now))}`;
  const asksFor =
    kind === 'deciding' ? `let ${id.slice(DECIDING_QUESTION.length)} decide as the change has it` : action;
  return [durationText(Math.max(0, now - Date.parse(asked))), left, person, run, engine, kind, id, asksFor];
}

const DAY_MS = 86_400_000;

const timeLeft = (ms: number): string => (ms < 2 * DAY_MS ? durationText(ms) : `${Math.floor(ms / DAY_MS)} days`);
