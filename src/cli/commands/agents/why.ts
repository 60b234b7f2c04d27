import { Command } from '@commander-js/extra-typings';
import { computeStatus } from '../../../agents/status/decide.ts';
import { stateText } from '../../../agents/status/render.ts';
import { safeLine } from '../../../evidence/report/render/terminal.ts';
import { systemClock } from '../../../kernel/clock.ts';
import { SeatrialError } from '../../../kernel/errors.ts';
import { EXIT, type ExitCode } from '../../../kernel/exit-codes.ts';
import { handledBy, jsonOption, parseAndRun } from '../../options.ts';
import { print } from '../../print.ts';
import { projectOption, readStatusFacts } from '../../environment/project.ts';

export function whyCommand(args: readonly string[]): Promise<ExitCode> {
  const command = new Command('why')
    .description('Show the facts behind the state of an agent. Writes nothing.')
    .argument('<agent>', 'name of an agent, or watchdog')
    .addOption(projectOption())
    .addOption(jsonOption());
  return parseAndRun(
    handledBy(command, async ([name], { project, json }) => {
      const { rows } = computeStatus(await readStatusFacts(project));
      const row = rows.find((one) => one.name === name);
      if (row === undefined)
        throw new SeatrialError(
          'usage',
          `there is no agent ${JSON.stringify(name)}; the agents are ${rows.map((one) => one.name).join(', ')}`,
        );
      const state = stateText(row.state, systemClock.now());
      const since = row.since?.toISOString() ?? null;
      print(json, { name, state, since, because: row.because }, () => [
        `${name}: ${state}${since === null ? '' : ` since ${since}`}`,
        ...row.because.map((sentence) => `  ${safeLine(sentence)}`),
      ]);
      return EXIT.pass;
    }),
    args,
  );
}
