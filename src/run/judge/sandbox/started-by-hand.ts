import type { JudgeRequest } from '../types.ts';

/** What a login leaves behind. Nothing in it makes programs write colours or wait for a key. */
const LOGIN = {
  USER: 'sam',
  LOGNAME: 'sam',
  TERM: 'dumb',
  NO_COLOR: '1',
  PAGER: 'cat',
  MAIL: '/var/mail/sam',
  HISTSIZE: '1000',
  LESS: '-R',
  XDG_SESSION_ID: '4',
  XDG_SESSION_TYPE: 'tty',
  XDG_SESSION_CLASS: 'user',
  XDG_SEAT: 'seat0',
  XDG_VTNR: '2',
  XDG_DATA_DIRS: '/usr/local/share:/usr/share',
  XDG_CONFIG_DIRS: '/etc/xdg',
};
/** As many as a machine has started before anyone has logged in. */
const EARLIER_PROCESSES = 1000;

/**
 * A command of the shell as a person would start it: at a terminal, with the variables of a login, and not as one of the first
 * processes. Code that behaves only in the judge's sandbox does not find its marks here.
 */
export function startedByHand(command: string): string {
  const variables = Object.entries(LOGIN).map(([name, value]) => `${name}=${shellQuoted(value)}`);
  return [
    'unset TMPDIR TZ',
    `export ${variables.join(' ')}`,
    `n=0; while [ $n -lt ${EARLIER_PROCESSES} ]; do (:); n=$((n+1)); done; unset n`,
    `if command -v script >/dev/null 2>&1; then exec script -qec ${shellQuoted(command)} /dev/null </dev/null; fi`,
    `exec sh -c ${shellQuoted(command)} </dev/null`,
  ].join('\n');
}

export const shellQuoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Whether tests run away from their runner here, to see that the code does not need it. */
export const isTriedApart = ({ apartFiles, confinement }: JudgeRequest): boolean =>
  apartFiles !== undefined && confinement.kind !== 'none';

/** The call of a worker so. Its wire is its standard input: no other descriptor is open. */
export function workerByHand(argv: readonly string[]): readonly string[] {
  return ['sh', '-c', startedByHand(`exec ${argv.map(shellQuoted).join(' ')} 0 <&3 3<&-`)];
}
