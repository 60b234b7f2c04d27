import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path';
import { pathsShowing } from '../../confine/bwrap/mount-aliases.ts';
import type { PathRule } from '../../confine/bwrap/terminal.ts';
import { findCredentials } from '../../confine/tools/credentials.ts';
import { PANES } from '../../engines/pane/list.ts';
import { keyPaths } from '../../evidence/bundle/keys.ts';
import { packageRoot } from '../../kernel/package-root.ts';
import type { Project } from '../config/project.ts';
import { projectSocket } from '../host/open.ts';
import { userDir } from '../../kernel/user-dirs.ts';

/** Below /run, which is full of sockets that lead out of a sandbox, only what resolves names and what some systems run their programs from. */
const SHOWN_RUN = ['systemd/resolve', 'resolvconf', 'NetworkManager', 'current-system', 'booted-system', 'wrappers'];

/** What agents with a role see of this machine other than by default: no socket of tmux or of the desktop, no credential, a /tmp of their own. */
export function machineRules(project: Project, env: NodeJS.ProcessEnv): readonly PathRule[] {
  const path = env['PATH'] ?? '';
  const home = env['HOME'] ?? homedir();
  return [
    // First: a program's directory that is itself to be hidden stays so.
    ...shown([packageRoot(), dirname(process.execPath), ...path.split(delimiter).flatMap(programPlaces)]),
    ...shown(SHOWN_RUN.map((name) => join('/run', name))),
    ...real(['/tmp', '/var/tmp']).map((place): PathRule => ({ path: place, access: 'private' })),
    ...hidden(['/run']),
    ...hidden([...socketDirs(project, env), env['XDG_RUNTIME_DIR'] ?? '']),
    ...hidden(
      [...findCredentials(env, home), ...signIns(home), ...ownSecrets(env, home)].flatMap((one) => pathsShowing(one)),
    ),
  ];
}

/** A directory of programs, and what they are installed with: `prefix/lib` beside `prefix/bin`. */
function programPlaces(dir: string): readonly string[] {
  return basename(dir) === 'bin' || basename(dir) === '.bin' ? [dirname(dir), dir] : [dir];
}

/** Whole directories: a socket that is made anew would show itself from under a mask of its own. */
function socketDirs(project: Project, env: NodeJS.ProcessEnv): readonly string[] {
  const uid = process.getuid?.() ?? 0;
  return [dirname(projectSocket(project, env)), join(env['TMUX_TMPDIR'] || '/tmp', `tmux-${uid}`)];
}

/** Where programs keep the user's own sign-ins; each agent has its own. */
function signIns(home: string): readonly string[] {
  return [...PANES.values()].flatMap(({ signIn }) => (signIn === null ? [] : [join(home, signIn.usual)]));
}

/** The key that seals proofs, and what was admitted and trusted. */
function ownSecrets(env: NodeJS.ProcessEnv, home: string): readonly string[] {
  return [dirname(keyPaths(env).privateKey), join(userDir('config', { ...env, HOME: home }) ?? '/.config', 'seatrial')];
}

/** Real paths of what exists. */
function real(paths: readonly string[]): readonly string[] {
  return paths.filter((path) => isAbsolute(path) && existsSync(path)).map((path) => realpathSync(path));
}

const shown = (paths: readonly string[]): readonly PathRule[] => real(paths).map((path) => ({ path, access: 'read' }));

const hidden = (paths: readonly string[]): readonly PathRule[] =>
  real(paths).map((path) => ({ path, access: 'hidden', kind: lstatSync(path).isDirectory() ? 'dir' : 'file' }));
