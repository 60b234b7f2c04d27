import { resolve } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { createProject } from '../../../agents/example/create.ts';
import { addEngine } from '../../../fleet/pin/add-engine.ts';
import { keepBuiltProgram } from '../../../fleet/pin/cache.ts';
import { EXIT, type ExitCode } from '../../../kernel/exit-codes.ts';
import { engineOption, engineSource, pinOption } from '../../flags/engine-source.ts';
import { handledBy, parseAndRun } from '../../options.ts';
import { print } from '../../print.ts';

export function newCommand(args: readonly string[]): Promise<ExitCode> {
  const command = new Command('new')
    .description('Create a project: a git repository with an agents.toml, and Seatrial pinned at engine/.')
    .argument('<dir>', 'directory to create')
    .option(
      '--example',
      'with a small repository, three plans, and demo agents that work on them (pinned only with --engine)',
    )
    .addOption(engineOption())
    .addOption(pinOption());
  return parseAndRun(
    handledBy(command, async ([dir], { example, engine, pin }) => {
      const source = example === true && engine === undefined ? null : await engineSource(engine, pin);
      const warnings: string[] = [];
      await createProject(resolve(dir), example === true, async (made) => {
        if (source === null) return;
        const added = await addEngine(made, source, process.env);
        warnings.push(...added.warnings);
        await keepBuiltProgram(added.commit, process.env);
      });
      if (source === null && example !== true && engine === undefined)
        warnings.push('Seatrial is not pinned, because this one is no clone; pin it with --engine <url>');
      print(undefined, null, () => [
        ...warnings.map((warning) => `warning: ${warning}`),
        `created ${dir}`,
        `next: cd ${dir} && ${source === null ? '' : 'engine/'}seatrial up`,
      ]);
      return EXIT.pass;
    }),
    args,
  );
}
