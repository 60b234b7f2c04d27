import { KICKOFF_ARGUMENT } from '../../engines/pane/definition.ts';

/** One word of a POSIX shell. */
export const shellWord = (text: string): string =>
  /^[A-Za-z0-9_@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

interface LaunchScript {
  readonly cwd: string;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** A FIFO that the script holds open for as long as it lives. */
  readonly alive: string;
  /** Where the program's exit code goes: tmux loses some. */
  readonly exitFile: string;
  readonly kickoffFile: string | null;
}

/** Variables of the tmux server's environment, or of a session that started it, that no agent may see. */
const UNSET = ['TMUX', 'TMUX_PANE', 'CLAUDECODE', 'CLAUDE_CODE_ENTRYPOINT', 'CLAUDE_CODE_SSE_PORT', 'CODEX_SANDBOX'];

/**
 * The program of a pane. It holds a FIFO open, so that its reader notices its end whatever ends it, and passes the program's exit code on. A
 * file, because tmux refuses long commands; the kickoff is read by the shell, because quoting would double it.
 */
export function launchScript({ cwd, argv, env, alive, exitFile, kickoffFile }: LaunchScript): string {
  const kickoff = kickoffFile === null ? "''" : `"$(cat ${shellWord(kickoffFile)})"`;
  const words = argv.map((word) => (word === KICKOFF_ARGUMENT ? kickoff : shellWord(word)));
  return [
    '#!/bin/sh',
    `exec 9<>${shellWord(alive)}`,
    'echo up >&9',
    `cd ${shellWord(cwd)} || exit 72`,
    `unset ${UNSET.join(' ')}`,
    ...Object.entries(env).map(([name, value]) => `export ${name}=${shellWord(value)}`),
    `${words.join(' ')} 9>&-`,
    'code=$?',
    `echo "$code" >${shellWord(`${exitFile}.tmp`)} && mv ${shellWord(`${exitFile}.tmp`)} ${shellWord(exitFile)}`,
    'exit "$code"',
    '',
  ].join('\n');
}
