import type { Completed, CompletedCommand, CompletedOption } from './describe.ts';
import { shortText } from './quote.ts';

/** A script for fish, to be saved as `~/.config/fish/completions/seatrial.fish`. */
export function fishCompletions(commands: readonly CompletedCommand[]): string {
  const lines = commands.flatMap((command) => {
    const at = `-n ${quoted(`__seatrial_at ${command.path.join(' ')}`.trim())}`;
    return [
      ...command.subcommands.map(
        ({ name, summary }) => `complete -c seatrial ${at} -a ${name} -d ${quoted(shortText(summary))}`,
      ),
      ...(command.value === 'nothing' ? [] : [`complete -c seatrial ${at} ${argument(command.value)}`]),
      ...command.options.map((option) => `complete -c seatrial ${at} ${optionText(option)}`),
    ];
  });
  const paths = commands.filter(({ path }) => path.length > 0).map(({ path }) => quoted(path.join(' ')));
  return `# fish completion for seatrial
function __seatrial_runs
    echo last
    for report in .seatrial/runs/*/report.json
        basename (dirname $report)
    end
end

# Whether the words typed so far lead to this command, and to none of its subcommands.
function __seatrial_at
    set -l path
    for word in (commandline -opc)[2..]
        if contains -- (string join -- ' ' $path $word) ${paths.join(' ')}
            set path $path $word
        end
    end
    test (string join -- ' ' x $path) = (string join -- ' ' x $argv)
end

complete -c seatrial -f
${lines.join('\n')}
`;
}

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`;

function optionText({ flag, description, value }: CompletedOption): string {
  const name = `-l ${flag.slice(2)} -d ${quoted(shortText(description))}`;
  if (value === 'nothing') return name;
  return `${name} ${value === 'anything' ? '-r' : '-x'} ${argument(value)}`;
}

function argument(value: Completed): string {
  if (value === 'run') return "-a '(__seatrial_runs)'";
  if (value === 'anything' || value === 'nothing') return '-F';
  return `-a ${quoted(value.join(' '))}`;
}
