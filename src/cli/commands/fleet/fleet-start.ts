import { Command } from '@commander-js/extra-typings';
import pMap from 'p-map';
import { checkFleet } from '../../../fleet/config/check.ts';
import { chosenEntries, findFleet, loadFleet } from '../../../fleet/config/load.ts';
import { callInProject, ensureCloned, type ProjectOutcome } from '../../../fleet/operate.ts';
import { SeatrialError } from '../../../kernel/errors.ts';
import { EXIT, type ExitCode } from '../../../kernel/exit-codes.ts';
import { handledBy, jsonOption } from '../../options.ts';
import { print } from '../../print.ts';
import { fleetFileOption } from './fleet-option.ts';

const AT_ONCE = 4;

export function startFleet() {
  const command = new Command('up')
    .description(
      'Start the agents of every enabled project, or of the named ones. A disabled project is never started.',
    )
    .argument('[projects...]', 'projects to start')
    .option('--resume', 'go on with phases and conversations')
    .option('--fresh', 'go on with phases, with new conversations')
    .addOption(fleetFileOption())
    .addOption(jsonOption());
  return handledBy(command, async ([names], { fleet, resume, fresh, json }) => {
    const read = loadFleet(findFleet('.', fleet));
    const chosen = chosenEntries(read, names);
    const disabled = names.length === 0 ? [] : chosen.filter(({ enabled }) => !enabled);
    if (disabled.length > 0)
      throw new SeatrialError(
        'blocked',
        `nothing was started: ${disabled.map(({ name }) => name).join(', ')} is disabled in ${read.file}; set \`enabled = true\` there first`,
      );
    const cloned = await pMap(
      chosen.filter(({ enabled }) => enabled),
      async (entry) => ({ entry, problem: await ensureCloned(entry, process.env) }),
      { concurrency: AT_ONCE },
    );
    const { faults } = await checkFleet(read, process.env);
    if (faults.length > 0)
      throw new SeatrialError('blocked', `nothing was started:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
    const args = ['up', ...(fresh === true ? ['--fresh'] : resume === true ? ['--resume'] : [])];
    const outcomes = await pMap(
      cloned,
      ({ entry, problem }) =>
        problem === null ? callInProject(entry, args, process.env) : { name: entry.name, ok: false, text: problem },
      { concurrency: AT_ONCE },
    );
    return report(outcomes, json);
  });
}

export function stopFleet() {
  const command = new Command('down')
    .description('Stop the agents of every enabled project, or of the named ones.')
    .argument('[projects...]', 'projects to stop; by name also disabled ones')
    .addOption(fleetFileOption())
    .addOption(jsonOption());
  return handledBy(command, async ([names], { fleet, json }) => {
    const chosen = chosenEntries(loadFleet(findFleet('.', fleet)), names);
    const outcomes = await pMap(
      chosen.filter(({ enabled }) => enabled || names.length > 0),
      (entry) => callInProject(entry, ['down'], process.env),
      { concurrency: AT_ONCE },
    );
    return report(outcomes, json);
  });
}

function report(outcomes: readonly ProjectOutcome[], json: true | undefined): ExitCode {
  const ok = outcomes.every((outcome) => outcome.ok);
  print(json, { ok, projects: outcomes }, () =>
    outcomes.length === 0
      ? ['no project is enabled']
      : outcomes.flatMap(({ name, text }) => [`${name}:`, ...text.split('\n').map((line) => `  ${line}`)]),
  );
  return ok ? EXIT.pass : EXIT.blocked;
}
