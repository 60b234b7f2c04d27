import { randomInt } from 'node:crypto';
import type { JudgeRequest } from '../types.ts';

const oneOf = (...choices: readonly string[]): string => choices[randomInt(choices.length)] ?? '';

/**
 * What a login leaves behind. Nothing in it makes programs write colours or wait for a key. Another one in each process: code that knew the
 * values would behave where it sees them.
 */
function login(): Readonly<Record<string, string>> {
  const user = Array.from({ length: randomInt(3, 9) }, () => String.fromCodePoint(97 + randomInt(26))).join('');
  return {
    USER: user,
    LOGNAME: user,
    HOME: `/tmp/${user}`,
    TERM: 'dumb',
    NO_COLOR: '1',
    PAGER: 'cat',
    MAIL: `${oneOf('/var/mail', '/var/spool/mail')}/${user}`,
    HISTSIZE: oneOf('500', '1000', '2000', '5000'),
    LESS: oneOf('-R', '-M', '-FRX'),
    XDG_SESSION_ID: String(randomInt(1, 60)),
    XDG_SESSION_TYPE: 'tty',
    XDG_SESSION_CLASS: 'user',
    XDG_SEAT: 'seat0',
    XDG_VTNR: String(randomInt(1, 7)),
    XDG_DATA_DIRS: oneOf('/usr/local/share:/usr/share', '/usr/share:/var/lib/snapd/desktop'),
    XDG_CONFIG_DIRS: '/etc/xdg',
  };
}
const LOGIN = login();

/** As many as a machine has started before anyone has logged in. */
const EARLIER_PROCESSES = 1000;

/**
 * A command of the shell as a person would start it: at a terminal, with the variables of a login, and not as one of the first
 * processes. Code that behaves only in the judge's sandbox does not find its marks here.
 */
export function startedByHand(command: string): string {
  const variables = Object.entries(LOGIN).map(([name, value]) => `${name}=${shellQuoted(value)}`);
  return [
    `export ${variables.join(' ')}`,
    // Git's settings are where a person has them, too.
    'mkdir -p "$HOME"; cp "$GIT_CONFIG_SYSTEM" "$HOME/.gitconfig" 2>/dev/null; unset TMPDIR TZ GIT_CONFIG_SYSTEM',
    `n=0; while [ $n -lt ${EARLIER_PROCESSES} ]; do (:); n=$((n+1)); done; unset n`,
    `if command -v script >/dev/null 2>&1; then exec script -qec ${shellQuoted(command)} /dev/null </dev/null; fi`,
    `exec sh -c ${shellQuoted(command)} </dev/null`,
  ].join('\n');
}

export const shellQuoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Whether this run tries tests apart from their runner. */
export const isTriedApart = ({ apartFiles, confinement }: JudgeRequest): boolean =>
  apartFiles !== undefined && confinement.kind !== 'none';

/** The command line of a worker that is started so. Its wire is its standard input: no other descriptor is open. */
export function workerByHand(argv: readonly string[]): readonly string[] {
  return ['sh', '-c', startedByHand(`exec ${argv.map(shellQuoted).join(' ')} 0 <&3 3<&-`)];
}
