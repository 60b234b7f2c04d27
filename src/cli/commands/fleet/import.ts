import { Command } from '@commander-js/extra-typings';
import { importProject } from '../../../fleet/import/import.ts';
import { EXIT, type ExitCode } from '../../../kernel/exit-codes.ts';
import { engineOption, engineSource, pinOption } from '../../flags/engine-source.ts';
import { handledBy, jsonOption, parseAndRun } from '../../options.ts';
import { print } from '../../print.ts';

export function importCommand(args: readonly string[]): Promise<ExitCode> {
  const command = new Command('import')
    .description(
      'Stage a copy of an existing project, also one of the Python engine, in a new directory with a state of its own. Writes nothing in the live project.',
    )
    .argument('<live>', 'directory of the live project')
    .argument('<staged>', 'directory to create')
    .addOption(engineOption())
    .addOption(pinOption())
    .addOption(jsonOption());
  return parseAndRun(
    handledBy(command, async ([live, staged], { engine, pin, json }) => {
      const result = await importProject(live, staged, { engine: await engineSource(engine, pin), env: process.env });
      const { differences, notImported, warnings, fault } = result;
      print(json, result, () => [
        ...warnings.map((warning) => `warning: ${warning}`),
        ...differences.map((difference) => `differs: ${difference}`),
        ...notImported.map((path) => `not imported: ${path}`),
        ...(fault === null ? [] : [`to mend: ${fault}`]),
        `staged in ${staged}`,
        `next: seatrial parity ${live} ${staged}`,
      ]);
      return fault === null ? EXIT.pass : EXIT.fail;
    }),
    args,
  );
}
