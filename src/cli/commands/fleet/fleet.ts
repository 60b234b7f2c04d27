import { Command } from '@commander-js/extra-typings';
import { checkFleet } from '../../../fleet/config/check.ts';
import { chosenEntries, findFleet, loadFleet, readFleet } from '../../../fleet/config/load.ts';
import { gatherFleet, type FleetRow } from '../../../fleet/status/gather.ts';
import { FLEET_HEAD, fleetCells, fleetJson } from '../../../fleet/status/render.ts';
import { systemClock } from '../../../kernel/clock.ts';
import { EXIT, type ExitCode } from '../../../kernel/exit-codes.ts';
import { handledBy, jsonOption, parseAndRun } from '../../options.ts';
import { print } from '../../print.ts';
import { table } from '../../print/table.ts';
import { showScreen } from '../../terminal/live-screen.ts';
import { addProject, removeProject } from './fleet-edit.ts';
import { fleetFileOption } from './fleet-option.ts';
import { startFleet, stopFleet } from './fleet-start.ts';

export function fleetCommand(args: readonly string[]): Promise<ExitCode> {
  const command = new Command('fleet').description('Look after all projects that a fleet.toml names.');
  handledBy(
    command
      .command('check')
      .description('Find faults in fleet.toml and clashes between its projects. Writes nothing.')
      .addOption(fleetFileOption())
      .addOption(jsonOption()),
    async (_args, { fleet, json }) => {
      const { projects, faults, warnings } = await checkFleet(readFleet(findFleet('.', fleet)), process.env);
      print(json, { ok: faults.length === 0, projects, faults, warnings }, () => [
        ...warnings.map((warning) => `warning: ${warning}`),
        ...faults,
        faults.length === 0
          ? `OK, ${projects} ${projects === 1 ? 'project' : 'projects'}`
          : `${faults.length} ${faults.length === 1 ? 'fault' : 'faults'} in ${projects} ${projects === 1 ? 'project' : 'projects'}`,
      ]);
      return faults.length === 0 ? EXIT.pass : EXIT.fail;
    },
  );
  handledBy(
    command
      .command('status')
      .description('Show phase and agents of every project in one table. Writes nothing.')
      .argument('[projects...]', 'only these projects')
      .option('--watch', 'show it again every two seconds')
      .addOption(fleetFileOption())
      .addOption(jsonOption()),
    async ([names], { fleet, watch, json }) => {
      let rows: readonly FleetRow[] = [];
      const gather = async (): Promise<void> => {
        const entries = chosenEntries(loadFleet(findFleet('.', fleet)), names);
        rows = await gatherFleet(entries, { env: process.env, clock: systemClock });
      };
      if (json === true) {
        await gather();
        print(json, { projects: rows.map((row) => fleetJson(row, systemClock.now())) }, () => []);
      } else
        await showScreen(watch === true, async () => {
          await gather();
          const cells = rows.map((row) => fleetCells(row, systemClock.now()));
          return cells.length === 0 ? ['the fleet has no projects'] : table(FLEET_HEAD, cells);
        });
      return rows.some(({ entry, problem }) => entry.enabled && problem !== null) ? EXIT.blocked : EXIT.pass;
    },
  );
  command.addCommand(startFleet()).addCommand(stopFleet()).addCommand(addProject()).addCommand(removeProject());
  return parseAndRun(command, args);
}
