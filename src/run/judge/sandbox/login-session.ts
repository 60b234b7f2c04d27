import { randomInt } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { JudgeRequest } from '../types.ts';
import { DRIVERS, type SandboxCommand, WORKSPACE } from './layout.ts';
import { IS_MACHINE, MACHINE, machineMounts } from './used-machine.ts';
import { drawOne, someWord } from './random-words.ts';

/**
 * What a login leaves behind. Nothing in it makes programs write colours or wait for a key. Another one in each process: code that knew the
 * values would behave where it sees them.
 */
function login(user: string): Readonly<Record<string, string>> {
  return {
    SHELL: existsSync('/bin/bash') ? '/bin/bash' : '/bin/sh',
    // A name that people have. It need not be installed: the other one counts.
    LANG: drawOne('en_US.UTF-8', 'en_GB.UTF-8', 'de_DE.UTF-8'),
    LC_ALL: 'C.UTF-8',
    USER: user,
    LOGNAME: user,
    HOSTNAME: MACHINE.hostname,
    TERM: 'dumb',
    NO_COLOR: '1',
    PAGER: 'cat',
    MAIL: `${drawOne('/var/mail', '/var/spool/mail')}/${user}`,
    HISTSIZE: drawOne('500', '1000', '2000', '5000'),
    LESS: drawOne('-R', '-M', '-FRX'),
    XDG_SESSION_ID: String(randomInt(1, 60)),
    XDG_SESSION_TYPE: 'tty',
    XDG_SESSION_CLASS: 'user',
    XDG_SEAT: 'seat0',
    XDG_VTNR: String(randomInt(1, 7)),
    XDG_DATA_DIRS: drawOne('/usr/local/share:/usr/share', '/usr/share:/var/lib/snapd/desktop'),
    XDG_CONFIG_DIRS: '/etc/xdg',
    XDG_RUNTIME_DIR: '/run/user/1000',
    LS_COLORS: 'di=01;34:ln=01;36',
    LESSOPEN: '| /usr/bin/lesspipe %s',
    SSH_AGENT_PID: String(randomInt(700, 4000)),
    MOTD_SHOWN: 'pam',
    WINDOWID: String(randomInt(1e6, 9e6)),
    GPG_TTY: '/dev/pts/0',
    DESKTOP_SESSION: drawOne('gnome', 'plasma', 'xfce'),
    GTK_MODULES: 'gail:atk-bridge',
    ...otherVariables(),
  };
}
const USER = someWord();
const HOME = `/home/${USER}`;
const LOGIN = login(USER);

/** Of programs that people have installed. */
function otherVariables(): Readonly<Record<string, string>> {
  const names = Array.from(
    { length: randomInt(25, 50) },
    () => `${someWord()}_${drawOne('home', 'root', 'opts', 'dir')}`,
  );
  return Object.fromEntries(names.map((name) => [name.toUpperCase(), `/opt/${someWord()}`]));
}

/** As many as a machine has started before anyone has logged in. */
const EARLIER_PROCESSES = 1000;

/** Threads are numbered as processes are, and cost a third of what a process does. */
const EARLIER_THREADS = `import _thread; _thread.stack_size(32768); [_thread.start_new_thread(int, ()) for n in range(${EARLIER_PROCESSES})]`;

/** Processes that keep running beside it. */
const OTHER_PROCESSES = randomInt(60, 110);
/** Each waits for input that never comes; starting a program for each would cost five times as much. */
const WAITING = `mkfifo /tmp/.$$; exec 4<>/tmp/.$$; rm /tmp/.$$; n=0; while [ $n -lt ${OTHER_PROCESSES} ]; do read line <&4 & n=$((n+1)); done`;
/** Settings that programs are built with, not started with. */
const OF_COMPILERS =
  'GOPROXY GOTOOLCHAIN GOFLAGS GOCACHE GOPATH GOROOT CARGO_HOME CARGO_TARGET_DIR CARGO_NET_OFFLINE CARGO_INCREMENTAL CARGO_PROFILE_DEV_DEBUG_ASSERTIONS CARGO_PROFILE_DEV_OVERFLOW_CHECKS RUSTFLAGS RUSTUP_HOME';
/** What a home has in it. */
const OF_HOME = '.config .cache .local/share .ssh Documents';

/** Pins the shell to one processor: the count of usable processors then differs from that of all processors. */
const ON_ONE_PROCESSOR = 'taskset -cp "$(taskset -cp $$ | sed \'s/.*[^0-9]//\')" $$ >/dev/null 2>&1';

/**
 * A command of the shell as a person would start it: at a terminal, with the variables of a login, and not as one of the first
 * processes. Code that behaves only in the judge's sandbox does not find its marks here.
 */
export function startedByHand(command: string): string {
  const variables = Object.entries(LOGIN).map(([name, value]) => `${name}=${shellQuoted(value)}`);
  return [
    `umask 0002; export ${variables.join(' ')}`,
    // Git's settings are where a person has them, too.
    `if ${IS_MACHINE}; then HOME=${HOME}; else HOME=/tmp/${USER}; fi; export HOME; mkdir -p "$HOME"; ( cd "$HOME" && mkdir -p ${OF_HOME} && : > .profile && : > .bashrc ); cp "$GIT_CONFIG_SYSTEM" "$HOME/.gitconfig" 2>/dev/null; unset TMPDIR TZ GIT_CONFIG_SYSTEM SUBJECT_WORKSPACE ${OF_COMPILERS}`,
    // They end with the sandbox: without one they would stay. None is a child of what comes next, which would wait for it.
    `if ${IS_MACHINE}; then sh -c ${shellQuoted(WAITING)} </dev/null >/dev/null 2>&1 3>&-; fi`,
    ON_ONE_PROCESSOR,
    `/usr/bin/python3 -I -S -c ${shellQuoted(EARLIER_THREADS)} 2>/dev/null || { n=0; while [ $n -lt ${EARLIER_PROCESSES} ]; do (:); n=$((n+1)); done; unset n; }`,
    `if command -v script >/dev/null 2>&1; then ${IDLE_KEYBOARD}; exec script -qec ${shellQuoted(`${AS_WIDE_AS_USUAL}; ${command}; exit $?`)} /dev/null </tmp/.$$; fi`,
    `exec sh -c ${shellQuoted(command)} </dev/null`,
  ].join('\n');
}

/**
 * Nobody types anything for a while; then the input ends, so that a program that reads it does not
 * wait for ever. It is no child of what comes next.
 */
const IDLE_KEYBOARD = 'mkfifo /tmp/.$$; ( ( rm /tmp/.$$; exec sleep 30 ) >/tmp/.$$ 2>/dev/null 3>&- 4>&- & )';

/** What programs take for the size of a terminal that does not say it: texts are laid out as in the tests. */
const AS_WIDE_AS_USUAL = 'stty cols 80 rows 24 2>/dev/null';

export const shellQuoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Where tests are tried apart from their runner, the sandbox looks like a machine that people use. */
export function machineByHand(request: JudgeRequest): Pick<SandboxCommand, 'machine' | 'mounts'> {
  if (request.byHand === undefined || request.confinement.kind !== 'bubblewrap') return { mounts: [] };
  return { machine: MACHINE, mounts: machineMounts(request.scratch, USER, HOME) };
}

/** Whether this run tries tests apart from their runner. */
export const isTriedApart = ({ apartFiles, confinement }: JudgeRequest): boolean =>
  apartFiles !== undefined && confinement.kind !== 'none';

const HOME_OF_TREES = `/home/${someWord()}`;
const PLACE_OF_TREE = [
  HOME_OF_TREES,
  drawOne('src', 'code', 'work', 'dev'),
  ...(randomInt(2) === 0 ? [] : [someWord()]),
  someWord(),
].join('/');
const PLACE_OF_DRIVERS = `${HOME_OF_TREES}/.local/lib/${someWord()}`;
const INSTALLED = `${PLACE_OF_TREE}/node_modules/${someWord()}`;

const movedTo =
  (tree: string) =>
  (path: string): string => {
    const places = [
      [WORKSPACE, tree],
      [DRIVERS, PLACE_OF_DRIVERS],
    ] as const;
    const [from, to] = places.find(([usual]) => path === usual || path.startsWith(`${usual}/`)) ?? ['', ''];
    return to + path.slice(from.length);
  };

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
  if (readOnly.some(({ source }) => namesItsPlace(source))) return undefined;
  return movedTo(byHand.installed === true ? INSTALLED : PLACE_OF_TREE);
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

/** Said behind the descriptor: the worker goes home before it loads anything. */
const AWAY = '~';

/** The command line of a worker that is started so, with a terminal as its standard input. Its wire is one more descriptor. */
export function workerByHand(
  argv: readonly string[],
  place: (path: string) => string = (path) => path,
  away = false,
): readonly string[] {
  const [program = '', ...words] = argv.map((word) => shellQuoted(place(word)));
  const name = shellQuoted(basename(argv[0] ?? ''));
  // A person types the name of a program that is on PATH, not its whole path.
  const typed = `"$(if [ "$(command -v ${name})" = ${program} ]; then echo ${name}; else echo ${program}; fi)"`;
  return ['sh', '-c', startedByHand(`${[typed, ...words].join(' ')} 3${away ? AWAY : ''}`)];
}
