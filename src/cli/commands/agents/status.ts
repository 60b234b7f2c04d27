import { Command } from '@commander-js/extra-typings';
import { computeStatus } from '../../../agents/status/decide.ts';
import { statusJson, statusLines } from '../../../agents/status/render.ts';
import { systemClock } from '../../../kernel/clock.ts';
import { EXIT, type ExitCode } from '../../../kernel/exit-codes.ts';
import { handledBy, jsonOption, parseAndRun } from '../../options.ts';
import { print } from '../../print.ts';
import { projectOption, readStatusFacts } from '../../environment/project.ts';

export function statusCommand(args: readonly string[]): Promise<ExitCode> {
  const command = new Command('status')
    .description("Show a project's phase and the state of every agent. Writes nothing.")
    .addOption(projectOption())
    .addOption(jsonOption());
  return parseAndRun(
    handledBy(command, async (_args, { project, json }) => {
      const facts = await readStatusFacts(project);
      const status = computeStatus(facts);
      const now = systemClock.now();
      const plain = statusLines(status, now);
      const lines = plain.every((line) => /^[ -~]*$/.test(line))
        ? plain
        : statusLines(status, now, (await import('../../../agents/status/wide-text.ts')).wideWidth);
      print(json, statusJson(status, now), () => lines);
      if (facts.host.kind !== 'unknown') return EXIT.pass;
      process.stderr.write(`seatrial: the states are unknown: ${facts.host.why}\n`);
      return EXIT.blocked;
    }),
    args,
  );
}
