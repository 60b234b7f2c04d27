import { randomInt } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JudgeRequest } from '../types.ts';
import { DRIVERS, WORKSPACE } from './layout.ts';

const oneOf = (...choices: readonly string[]): string => choices[randomInt(choices.length)] ?? '';
const someWord = (): string =>
  Array.from({ length: randomInt(3, 9) }, () => String.fromCodePoint(97 + randomInt(26))).join('');

/**
 * What a login leaves behind. Nothing in it makes programs write colours or wait for a key. Another one in each process: code that knew the
 * values would behave where it sees them.
 */
function login(): Readonly<Record<string, string>> {
  const user = someWord();
  return {
    SHELL: existsSync('/bin/bash') ? '/bin/bash' : '/bin/sh',
    // A name that people have. It need not be installed: the other one counts.
    LANG: oneOf('en_US.UTF-8', 'en_GB.UTF-8', 'de_DE.UTF-8'),
    LC_ALL: 'C.UTF-8',
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
    'mkdir -p "$HOME"; cp "$GIT_CONFIG_SYSTEM" "$HOME/.gitconfig" 2>/dev/null; unset TMPDIR TZ GIT_CONFIG_SYSTEM SUBJECT_WORKSPACE',
    `n=0; while [ $n -lt ${EARLIER_PROCESSES} ]; do (:); n=$((n+1)); done; unset n`,
    `if command -v script >/dev/null 2>&1; then exec script -qec ${shellQuoted(command)} /dev/null </dev/null; fi`,
    `exec sh -c ${shellQuoted(command)} </dev/null`,
  ].join('\n');
}

export const shellQuoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Whether this run tries tests apart from their runner. */
export const isTriedApart = ({ apartFiles, confinement }: JudgeRequest): boolean =>
  apartFiles !== undefined && confinement.kind !== 'none';

const HOME_OF_TREES = `/home/${someWord()}`;
const PLACES: readonly (readonly [string, string])[] = [
  [
    WORKSPACE,
    [HOME_OF_TREES, oneOf('src', 'code', 'work', 'dev'), ...(randomInt(2) === 0 ? [] : [someWord()]), someWord()].join(
      '/',
    ),
  ],
  [DRIVERS, `${HOME_OF_TREES}/.local/lib/${someWord()}`],
];

function movedPlace(path: string): string {
  const [from, to] = PLACES.find(([usual]) => path === usual || path.startsWith(`${usual}/`)) ?? ['', ''];
  return to + path.slice(from.length);
}

type PlaceRequest = Pick<JudgeRequest, 'byHand' | 'readOnly'> & {
  readonly confinement: Pick<JudgeRequest['confinement'], 'kind'>;
};

/** Where people have a tree: nowhere in particular, and not where the tests have it. Undefined: in its usual place. */
export function placeByHand({
  byHand,
  confinement,
  readOnly = [],
}: PlaceRequest): ((path: string) => string) | undefined {
  if (byHand === undefined || confinement.kind !== 'bubblewrap') return undefined;
  return readOnly.some(({ source }) => namesItsPlace(source)) ? undefined : movedPlace;
}

/** A Python environment in which modules of the tree are installed by their path. */
function namesItsPlace(environment: string): boolean {
  const lib = join(environment, 'lib');
  if (!existsSync(join(environment, 'pyvenv.cfg')) || !existsSync(lib)) return false;
  const dirs = readdirSync(lib).map((version) => join(lib, version, 'site-packages'));
  const links = dirs
    .filter((dir) => existsSync(dir))
    .flatMap((dir) => readdirSync(dir).map((name) => join(dir, name)))
    .filter((path) => /\.(?:pth|egg-link)$|\/__editable__[^/]*\.py$/.test(path));
  return links.some((path) => readFileSync(path, 'utf8').includes(WORKSPACE));
}

/** The command line of a worker that is started so. Its wire is its standard input: no other descriptor is open. */
export function workerByHand(
  argv: readonly string[],
  place: (path: string) => string = (path) => path,
): readonly string[] {
  const words = argv.map((word) => shellQuoted(place(word)));
  return ['sh', '-c', startedByHand(`exec ${words.join(' ')} 0 <&3 3<&-`)];
}
