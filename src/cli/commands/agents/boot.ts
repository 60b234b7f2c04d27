import { Command } from '@commander-js/extra-typings';
import { type BootChange, installBoot, removeBoot } from '../../../agents/boot/install.ts';
import { loadProject } from '../../../agents/config/load.ts';
import { EXIT, type ExitCode } from '../../../kernel/exit-codes.ts';
import { handledBy, jsonOption, parseAndRun } from '../../options.ts';
import { print } from '../../print.ts';
import { projectOption } from '../../environment/project.ts';

export function bootCommand(args: readonly string[]): Promise<ExitCode> {
  const command = new Command('boot').description(
    'Start the agents of a project after a reboot, and look after them every minute.',
  );
  const install = command
    .command('install')
    .description('write and enable a systemd user timer; without systemd, print a line for cron')
    .addOption(projectOption())
    .addOption(jsonOption());
  handledBy(install, async (_arguments, { project: dir, json }) => {
    const change = await installBoot(loadProject(dir), process.env);
    print(json, change, () => [
      ...change.files.map((path) => `written: ${path}`),
      ...(change.cronLine === null
        ? []
        : ['no systemd of your own answers; add this line with `crontab -e`:', change.cronLine]),
      ...change.notes.map((text) => `note: ${text}`),
    ]);
    return EXIT.pass;
  });
  const remove = command
    .command('remove')
    .description('disable and remove that timer; agents that run go on')
    .addOption(projectOption())
    .addOption(jsonOption());
  handledBy(remove, async (_arguments, { project: dir, json }) => {
    const change = await removeBoot(loadProject(dir), process.env);
    print(json, change, () => removed(change));
    return EXIT.pass;
  });
  return parseAndRun(command, args);
}

function removed({ files, cronLine }: BootChange): readonly string[] {
  if (files.length > 0) return files.map((path) => `removed: ${path}`);
  return ['no timer is installed; if cron starts the agents, remove this line with `crontab -e`:', cronLine ?? ''];
}
