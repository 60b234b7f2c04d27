import { resolve } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { copyArchive, keepClone, restoreClone } from '../../../../agents/archive/keep.ts';
import { listArchives } from '../../../../agents/archive/store.ts';
import { loadProject } from '../../../../agents/config/load.ts';
import { named } from '../../../../agents/lifecycle/down.ts';
import { safeLine } from '../../../../evidence/report/render/terminal.ts';
import { EXIT, type ExitCode } from '../../../../kernel/exit-codes.ts';
import { withOperation } from '../../../environment/operation.ts';
import { projectOption } from '../../../environment/project.ts';
import { handledBy, jsonOption, parseAndRun } from '../../../options.ts';
import { print } from '../../../print.ts';

export function archiveCommand(args: readonly string[]): Promise<ExitCode> {
  const command = new Command('archive').description(
    'List, set aside and restore clones of agents. A clone is moved whole, with everything that was never committed or pushed.',
  );
  const list = command
    .command('list', { isDefault: true })
    .description('List what was set aside, oldest first. Writes nothing.')
    .addOption(projectOption())
    .addOption(jsonOption());
  handledBy(list, (_args, { project, json }) => {
    const archives = listArchives(loadProject(project));
    print(json, archives, () =>
      archives.length === 0
        ? ['nothing was set aside']
        : archives.map(({ id, head, why }) => `${id}  ${head?.slice(0, 12) ?? '-'}  ${safeLine(why)}`),
    );
    return Promise.resolve(EXIT.pass);
  });
  const keep = command
    .command('keep')
    .description('Set the clone of a stopped agent aside and give the agent a new one.')
    .argument('<agent>', 'agent with a role')
    .addOption(projectOption());
  handledBy(keep, ([name], { project }) =>
    withOperation(project, async (operation) => {
      const { id } = await keepClone(operation, named(operation)(name), 'archive keep');
      print(undefined, null, () => [`kept: ${id}; ${name} has a new clone`]);
      return EXIT.pass;
    }),
  );
  const restore = command
    .command('restore')
    .description('Bring a clone back to its agent, which must be stopped; the one that stands there now is set aside.')
    .argument('<archive>', 'id of an archive, or its beginning')
    .option('--to <dir>', 'copy it to a new directory instead; the archive stays')
    .addOption(projectOption());
  handledBy(restore, ([id], { project, to }) =>
    withOperation(project, async (operation) => {
      if (to !== undefined) {
        const archive = await copyArchive(operation, id, resolve(to));
        print(undefined, null, () => [`copied ${archive.id} to ${resolve(to)}`]);
        return EXIT.pass;
      }
      const aside = await restoreClone(operation, id);
      print(undefined, null, () => [
        `restored: ${id}`,
        ...(aside === null ? [] : [`kept: ${aside.id}, which stood there`]),
      ]);
      return EXIT.pass;
    }),
  );
  return parseAndRun(command, args);
}
