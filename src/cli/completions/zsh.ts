import type { Completed, CompletedCommand } from './describe.ts';
import { shortText, singleQuoted } from './quote.ts';

/** A script for zsh, to be saved as `_seatrial` in a directory of `fpath`, or to be sourced after `compinit`. */
export function zshCompletions(commands: readonly CompletedCommand[]): string {
  const paths = commands.filter(({ path }) => path.length > 0).map(({ path }) => singleQuoted(path.join(' ')));
  const values = commands.flatMap(({ path, options }) =>
    options.flatMap(({ flag, value }) =>
      value === 'nothing' ? [] : [`    ${singleQuoted([...path, flag].join(' '))}) ${offer(value)}; return ;;`],
    ),
  );
  const words = commands.map(({ path, subcommands, options, value }) => {
    const named = subcommands.map(({ name, summary }) => described(name, summary));
    const flags = options.map(({ flag, description }) => described(flag, description));
    const lines = [
      ...(named.length === 0 ? [] : [`words=(${named.join(' ')}); _describe command words`]),
      ...(value === 'nothing' ? [] : [`[[ $cur == -* ]] || ${offer(value)}`]),
      `flags=(${flags.join(' ')})`,
    ];
    return [`    ${singleQuoted(path.join(' '))})`, ...lines.map((line) => `      ${line}`), '      ;;'].join('\n');
  });
  return `#compdef seatrial
# zsh completion for seatrial
_seatrial_runs() {
  local -a runs
  runs=(.seatrial/runs/*/report.json(N:h:t))
  compadd last $runs
}

_seatrial() {
  local cur=$words[CURRENT] prev=$words[CURRENT-1] place='' next i
  local -a given=("\${(@)words[2,CURRENT-1]}") words flags
  for i in $given; do
    [[ $i == -- ]] && { _files; return }
    next="\${place:+$place }$i"
    case $next in
    ${paths.join(' | ')}) place=$next ;;
    esac
  done
  case "\${place:+$place }$prev" in
${values.join('\n')}
  esac
  case $place in
${words.join('\n')}
  esac
  _describe option flags
}

if [[ $funcstack[1] == _seatrial ]]; then _seatrial "$@"; else compdef _seatrial seatrial; fi
`;
}

const described = (name: string, summary: string): string =>
  singleQuoted(`${name.replaceAll(':', String.raw`\:`)}:${shortText(summary)}`);

function offer(value: Completed): string {
  if (value === 'run') return '_seatrial_runs';
  if (value === 'anything' || value === 'nothing') return '_files';
  return `compadd ${value.map(singleQuoted).join(' ')}`;
}
