import { SeatrialError } from '../../kernel/errors.ts';
import type { ExitCode } from '../../kernel/exit-codes.ts';
import { describedBy } from '../options.ts';

/** `seatrial help <command> [subcommand]`: the same as `seatrial <command> [subcommand] --help`. */
export async function helpOf(
  name: string,
  command: (args: readonly string[]) => Promise<ExitCode>,
  subcommands: readonly string[],
): Promise<ExitCode> {
  let { commands } = await describedBy(command);
  for (const [index, wanted] of subcommands.entries()) {
    const found = commands.find((one) => one.name() === wanted);
    if (found === undefined) {
      const parent = [name, ...subcommands.slice(0, index)].join(' ');
      throw new SeatrialError(
        'usage',
        `\`seatrial ${parent}\` has no subcommand ${JSON.stringify(wanted)}; see \`seatrial help ${parent}\``,
      );
    }
    ({ commands } = found);
  }
  return command([...subcommands, '--help']);
}
