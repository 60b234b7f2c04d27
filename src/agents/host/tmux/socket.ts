import { resolve } from 'node:path';
import { sha256 } from '../../../kernel/digest.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Path of the tmux server's socket, as tmux itself would choose it. Always passed as a path, because with a name tmux creates the directory
 * of the socket, even to answer a question. `TMUX` is ignored: the caller's own session says nothing about where agents live.
 */
export function socketPath(named: string | null, env: Environment, uid: number): string {
  const name = named ?? nonEmpty(env['SEATRIAL_TMUX_SOCKET']) ?? 'default';
  if (name.includes('/')) return resolve(name);
  return `${resolve(nonEmpty(env['TMUX_TMPDIR']) ?? '/tmp')}/tmux-${uid}/${name}`;
}

const nonEmpty = (text: string | undefined): string | undefined => (text === '' ? undefined : text);

/** One watchdog a socket and prefix: the name of its lock and fence. */
export function watchdogKey(socket: string, prefix: string): string {
  return sha256(`${socket}\0${prefix}`).slice(0, 16);
}

/** What a tmux server that we start may know of our environment: nothing that could be a secret. */
const SERVER_VARIABLES = [
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'PATH',
  'LANG',
  'LC_ALL',
  'LC_CTYPE',
  'TZ',
  'TMUX_TMPDIR',
  'XDG_RUNTIME_DIR',
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
  'XDG_STATE_HOME',
  'XDG_CACHE_HOME',
];

export function serverEnvironment(env: Environment): Record<string, string> {
  const kept = SERVER_VARIABLES.flatMap((name) => {
    const value = env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(kept), TERM: 'tmux-256color' };
}
