import { Command } from '@commander-js/extra-typings';
import { reportSince, sinceLines } from '../../../agents/status/since.ts';
import { safeLine } from '../../../evidence/report/render/terminal.ts';
import { SeatrialError } from '../../../kernel/errors.ts';
import { EXIT, type ExitCode } from '../../../kernel/exit-codes.ts';
import { handledBy, jsonOption, parseAndRun } from '../../options.ts';
import { print } from '../../print.ts';
import { withOperation } from '../../environment/operation.ts';
import { projectOption } from '../../environment/project.ts';

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

export function sinceCommand(args: readonly string[]): Promise<ExitCode> {
  const command = new Command('since')
    .description('What happened lately, on one page: phases, restarts, limits, what needed a person. Writes nothing.')
    .argument('[when]', 'a duration such as 8h, or last: since the last `up`', '8h')
    .addOption(projectOption())
    .addOption(jsonOption());
  return parseAndRun(
    handledBy(command, ([when], { project, json }) =>
      withOperation(project, ({ journal, clock }) => {
        const entries = journal.read();
        const now = clock.now();
        const lastUp = entries.findLast((entry) => entry.type === 'agent.wanted' && entry.by === 'up');
        const from = when === 'last' ? new Date(lastUp?.time ?? 0) : new Date(now.getTime() - durationOf(when));
        const report = reportSince(entries, from, now);
        print(json, report, () => sinceLines(report).map(safeLine));
        return Promise.resolve(EXIT.pass);
      }),
    ),
    args,
  );
}

function durationOf(text: string): number {
  const [, count, unit = ''] = /^(\d{1,4})([mhd])$/.exec(text) ?? [];
  if (count === undefined)
    throw new SeatrialError('usage', `since takes a duration such as 8h, or last, not ${JSON.stringify(text)}`);
  return Number(count) * (UNITS[unit] ?? 0);
}
