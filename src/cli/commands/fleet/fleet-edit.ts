import { existsSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { writeWhole } from '../../../evidence/storage/durable.ts';
import { withoutProject, withProject } from '../../../fleet/config/edit.ts';
import { acceptFleetText, chosenEntries, findFleet, loadFleet } from '../../../fleet/config/load.ts';
import { SeatrialError } from '../../../kernel/errors.ts';
import { EXIT } from '../../../kernel/exit-codes.ts';
import { isUrl } from '../../../task/git/clone.ts';
import { handledBy } from '../../options.ts';
import { print } from '../../print.ts';
import { fleetFileOption } from './fleet-option.ts';

export function addProject() {
  const command = new Command('add')
    .description('Add a project to fleet.toml, which is created if there is none.')
    .argument('<project>', 'directory of the project, or URL to clone it from')
    .option('--name <name>', 'name in the fleet (default: that of the directory)')
    .option('--disabled', 'list it, and never start it')
    .option('--pin <commit|tag>', 'Seatrial that its engine/ must be at')
    .addOption(fleetFileOption());
  return handledBy(command, ([given], { name, disabled, pin, fleet }) => {
    const file = fileToAddTo(fleet);
    const url = isUrl(given);
    if (!url && !existsSync(join(given, 'agents.toml')))
      throw new SeatrialError(
        'usage',
        `there is no agents.toml in ${resolve(given)}; create a project with \`seatrial new <dir>\``,
      );
    const chosen = name ?? basename(url ? given.replace(/\/+$/, '').replace(/\.git$/, '') : resolve(given));
    changeFleet(file, (text) =>
      withProject(text, {
        name: chosen,
        path: url ? null : relative(dirname(file), resolve(given)) || '.',
        repo: url ? given : null,
        enabled: disabled !== true,
        pin: pin ?? null,
      }),
    );
    print(undefined, null, () => [
      `added ${chosen} to ${file}${disabled === true ? ', disabled' : ''}`,
      'next: seatrial fleet check',
    ]);
    return EXIT.pass;
  });
}

export function removeProject() {
  const command = new Command('remove')
    .description('Take a project out of fleet.toml. Its directory and its agents are left alone.')
    .argument('<name>', 'project to remove')
    .addOption(fleetFileOption());
  return handledBy(command, ([name], { fleet }) => {
    const file = findFleet('.', fleet);
    changeFleet(file, (text) => {
      const [entry] = chosenEntries(loadFleet(file), [name]);
      return withoutProject(text, entry?.index ?? -1);
    });
    print(undefined, null, () => [`removed ${name} from ${file}`]);
    return EXIT.pass;
  });
}

function fileToAddTo(named: string | undefined): string {
  try {
    return findFleet('.', named);
  } catch {
    return resolve('fleet.toml');
  }
}

/** A change that would leave a faulty file is not made. */
function changeFleet(file: string, change: (text: string) => string): void {
  const text = change(existsSync(file) ? loadFleet(file).text : '');
  try {
    acceptFleetText(file, text);
  } catch (error) {
    if (!(error instanceof SeatrialError)) throw error;
    throw new SeatrialError('usage', `nothing was changed: with it ${error.message}`, error);
  }
  writeWhole(file, text);
}
