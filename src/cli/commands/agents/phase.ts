import { Command } from '@commander-js/extra-typings';
import { setPhase } from '../../../agents/lifecycle/set-phase.ts';
import { historyOf } from '../../../agents/lifecycle/operate.ts';
import { readPhaseIndex } from '../../../agents/phases/index-file.ts';
import { phaseLog } from '../../../agents/status/phase-log.ts';
import { safeLine } from '../../../evidence/report/render/terminal.ts';
import { EXIT, type ExitCode } from '../../../kernel/exit-codes.ts';
import { handledBy, jsonOption, parseAndRun } from '../../options.ts';
import { print } from '../../print.ts';
import { withOperation } from '../../environment/operation.ts';
import { projectOption } from '../../environment/project.ts';

export function phaseCommand(args: readonly string[]): Promise<ExitCode> {
  const command = new Command('phase').description('Show, choose and look back on the phases of a project.');
  const show = command
    .command('show', { isDefault: true })
    .description('List the phases and how each stands. Writes nothing.')
    .addOption(projectOption())
    .addOption(jsonOption());
  handledBy(show, (_args, { project, json }) => withOperation(project, (operation) => showPhases(operation, json)));
  const log = command
    .command('log')
    .description('What happened in the phases: claims, verdicts, proofs. Writes nothing.')
    .addOption(projectOption())
    .addOption(jsonOption());
  handledBy(log, (_args, { project, json }) =>
    withOperation(project, ({ journal }) => {
      const lines = phaseLog(journal.read());
      print(json, lines, () => lines.map(({ time, text }) => `${time}  ${safeLine(text)}`));
      return Promise.resolve(EXIT.pass);
    }),
  );
  const set = command
    .command('set')
    .description('Go to a phase. Its protocol files and those of later phases are set aside.')
    .argument('<id>', 'id of a phase')
    .addOption(projectOption());
  handledBy(set, ([id], { project }) =>
    withOperation(project, async (operation) => {
      const index = await setPhase(operation, id);
      print(undefined, null, () => [
        `at phase ${id} (${index + 1}/${operation.project.phases.length}); next: seatrial up --fresh`,
      ]);
      return EXIT.pass;
    }),
  );
  return parseAndRun(command, args);
}

type Shown = Parameters<Parameters<typeof withOperation>[1]>[0];

function showPhases(operation: Shown, json: true | undefined): Promise<ExitCode> {
  const { project } = operation;
  const index = readPhaseIndex(project);
  const history = historyOf(operation);
  const phases = project.phases.map(({ id, plan, proof }, at) => {
    const own = history.phases.get(id);
    const state = at < index ? (own?.ended?.outcome ?? 'done') : at === index ? 'in progress' : 'to do';
    return { id, plan, proof: proof !== null, state, rounds: own?.rounds ?? 0, commit: own?.ended?.commit ?? null };
  });
  print(json, phases, () =>
    phases.map(
      ({ id, plan, state, rounds }, at) =>
        `${at + 1}  ${id}  ${state}${rounds > 0 ? `, ${rounds} turned down` : ''}  ${plan}`,
    ),
  );
  return Promise.resolve(EXIT.pass);
}
