import { KICKOFF_ARGUMENT } from '../../engines/pane/definition.ts';

/** One word of a POSIX shell. */
export const shellWord = (text: string): string =>
  /^[A-Za-z0-9_@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

interface LaunchScript {
  /** Goes before `argv`. */
  readonly sandbox: readonly string[];
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Lines that fetch further variables. */
  readonly fetch: readonly string[];
  /** A FIFO that the script holds open for as long as it lives. */
  readonly alive: string;
  /** Where the program's exit code goes: tmux loses some. */
  readonly exitFile: string;
  readonly kickoffFile: string | null;
}

/** Whatever the tmux server was started with is not the agent's: it may hold anything. Names that a shell cannot unset, it does not pass on. */
const FORGET_ENVIRONMENT = [
  "for name in $(env | sed -n 's/^\\([A-Za-z_][A-Za-z0-9_]*\\)=.*/\\1/p'); do",
  '  case $name in name|PATH|SHELLOPTS|BASHOPTS|UID|EUID|PPID) ;; *) unset "$name" 2>/dev/null ;; esac',
  'done',
  'unset name',
];

/**
 * The program of a pane. It holds a FIFO open, so that its reader notices its end whatever ends it, and passes the program's exit code on. A
 * file, because tmux refuses long commands; the kickoff is read by the shell, because quoting would double it.
 */
export function launchScript({ sandbox, argv, env, fetch, alive, exitFile, kickoffFile }: LaunchScript): string {
  const kickoff = kickoffFile === null ? "''" : `"$(cat ${shellWord(kickoffFile)})"`;
  const words = [...sandbox, ...argv].map((word) => (word === KICKOFF_ARGUMENT ? kickoff : shellWord(word)));
  return [
    '#!/bin/sh',
    `exec 9<>${shellWord(alive)}`,
    'echo up >&9',
    ...FORGET_ENVIRONMENT,
    ...fetch,
    ...Object.entries(env).map(([name, value]) => `export ${name}=${shellWord(value)}`),
    `${words.join(' ')} 9>&-`,
    'code=$?',
    `echo "$code" >${shellWord(`${exitFile}.tmp`)} && mv ${shellWord(`${exitFile}.tmp`)} ${shellWord(exitFile)}`,
    'exit "$code"',
    '',
  ].join('\n');
}
