import type { Completed, CompletedCommand } from './describe.ts';
import { singleQuoted } from './quote.ts';

/** A script for bash 4 and newer; it needs no package of completions. */
export function bashCompletions(commands: readonly CompletedCommand[]): string {
  const paths = commands.filter(({ path }) => path.length > 0).map(({ path }) => singleQuoted(path.join(' ')));
  const values = commands.flatMap(({ path, options }) =>
    options.flatMap(({ flag, value }) =>
      value === 'nothing' ? [] : [`    ${singleQuoted([...path, flag].join(' '))}) ${offer(value)}; return ;;`],
    ),
  );
  const words = commands.map(({ path, subcommands, options, value }) => {
    const listed = [...subcommands.map(({ name }) => name), ...options.map(({ flag }) => flag)];
    const more = value === 'nothing' ? [] : [`[[ $cur == -* ]] || ${offer(value)}`];
    return [
      `    ${singleQuoted(path.join(' '))})`,
      ...[`words=${singleQuoted(listed.join(' '))}`, ...more].map((line) => `      ${line}`),
      '      ;;',
    ].join('\n');
  });
  return `# bash completion for seatrial: source <(seatrial completions bash)
_seatrial_runs() {
  local runs=(.seatrial/runs/*/report.json) run
  COMPREPLY+=($(compgen -W 'last' -- "$1"))
  for run in "\${runs[@]}"; do
    run=\${run%/report.json} run=\${run##*/}
    [[ $run != '*' && $run == "$1"* ]] && COMPREPLY+=("$run")
  done
}

_seatrial_files() {
  local file
  while IFS= read -r file; do COMPREPLY+=("$file"); done < <(compgen -f -- "$1")
  compopt -o filenames 2>/dev/null
}

_seatrial() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]} path='' next words='' i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    [[ \${COMP_WORDS[i]} == -- ]] && { _seatrial_files "$cur"; return; }
    next="\${path:+$path }\${COMP_WORDS[i]}"
    case $next in
    ${paths.join(' | ')}) path=$next ;;
    esac
  done
  case "\${path:+$path }$prev" in
${values.join('\n')}
  esac
  case $path in
${words.join('\n')}
  esac
  COMPREPLY+=($(compgen -W "$words" -- "$cur"))
}

complete -F _seatrial seatrial ./seatrial
`;
}

function offer(value: Completed): string {
  if (value === 'run') return '_seatrial_runs "$cur"';
  if (value === 'anything' || value === 'nothing') return '_seatrial_files "$cur"';
  return `COMPREPLY+=($(compgen -W ${singleQuoted(value.join(' '))} -- "$cur"))`;
}
