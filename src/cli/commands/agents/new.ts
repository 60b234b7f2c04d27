import { resolve } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { createProject } from '../../../agents/example/create.ts';
import { EXIT, type ExitCode } from '../../../kernel/exit-codes.ts';
import { handledBy, parseAndRun } from '../../options.ts';
import { print } from '../../print.ts';

export function newCommand(args: readonly string[]): Promise<ExitCode> {
  const command = new Command('new')
    .description('Create a project: a git repository with an agents.toml.')
    .argument('<dir>', 'directory to create')
    .option('--example', 'with a small repository, three plans, and demo agents that work on them');
  return parseAndRun(
    handledBy(command, async ([dir], { example }) => {
      await createProject(resolve(dir), example === true);
      print(undefined, null, () => [`created ${dir}`, `next: cd ${dir} && seatrial up`]);
      return EXIT.pass;
    }),
    args,
  );
}
