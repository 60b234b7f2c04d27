import { SeatrialError } from '../../kernel/errors.ts';
import type { MountMask } from './mount-masks.ts';
import { SHARED_MEMORY_BYTES } from '../limits/limits.ts';
import type { SyntheticEtc } from './synthetic-etc.ts';
import type { TopDir } from './system-layout.ts';
import type { Limits, Mount, SandboxMachine } from '../types.ts';

export interface BwrapRequest {
  readonly layout: readonly TopDir[];
  readonly etc: readonly string[];
  readonly standIns: SyntheticEtc;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly mounts: readonly Mount[];
  readonly covers: readonly MountMask[];
  readonly limits: Limits;
  readonly network: 'none' | 'host';
  readonly machine: SandboxMachine;
  readonly statusFd: number;
  readonly blockFd: number;
  /** Where bubblewrap reads the system call filter; null: there is none for this machine. */
  readonly filterFd: number | null;
  /** Files of /proc that exist here and tell about the whole machine. */
  readonly hiddenProc: readonly string[];
}

const NAMESPACES = [
  '--unshare-user',
  '--unshare-pid',
  '--unshare-ipc',
  '--unshare-uts',
  '--unshare-cgroup-try',
  '--disable-userns',
  '--die-with-parent',
  '--new-session',
  '--cap-drop',
  'ALL',
  '--uid',
  '1000',
  '--gid',
  '1000',
];

/** Files needed to resolve host names. */
const NAME_RESOLUTION = ['/etc/hosts', '/etc/resolv.conf', '/etc/host.conf', '/etc/gai.conf'];

const depth = (path: string): number => path.split('/').filter((part) => part !== '').length;

const tmpfs = (target: string, bytes: number, mode: string): string[] => [
  '--perms',
  mode,
  '--size',
  String(bytes),
  '--tmpfs',
  target,
];

const MOUNT_OPTIONS = { ro: '--ro-bind', rw: '--bind', link: '--symlink' } as const;
const bind = (mount: Mount): string[] => [MOUNT_OPTIONS[mount.mode], mount.source, mount.target];

function cover({ target, kind }: MountMask, empty: string): string[] {
  return kind === 'dir'
    ? ['--perms', '0555', '--size', '4096', '--tmpfs', target, '--remount-ro', target]
    : ['--ro-bind', empty, target];
}

/** NUL-separated, for bubblewrap to read from a pipe: on its command line, the confined command could see them. */
export function encodeArgs(args: readonly string[]): string {
  const split = args.find((arg) => arg.includes('\0'));
  if (split !== undefined)
    throw new SeatrialError('usage', `a command cannot contain a NUL byte: ${JSON.stringify(split)}`);
  return args.map((arg) => `${arg}\0`).join('');
}

/** The whole sandbox as bubblewrap options. Later mounts hide earlier ones, so masks come after every bind. */
export function bwrapArgs(request: BwrapRequest): string[] {
  const { standIns, limits } = request;
  const outerFirst = [...request.mounts].sort((a, b) => depth(a.target) - depth(b.target));
  return [
    ...NAMESPACES,
    '--hostname',
    request.machine.hostname,
    ...(request.network === 'none' ? ['--unshare-net'] : []),
    '--clearenv',
    ...Object.entries(request.env).flatMap(([name, value]) => ['--setenv', name, value]),
    ...request.layout.flatMap((top) =>
      top.kind === 'link' ? ['--symlink', top.to, top.path] : ['--ro-bind', top.path, top.path],
    ),
    '--dir',
    '/etc',
    ...request.etc.flatMap((path) => ['--ro-bind-try', path, path]),
    '--ro-bind',
    standIns.passwd,
    '/etc/passwd',
    '--ro-bind',
    standIns.group,
    '/etc/group',
    '--ro-bind',
    standIns.gitSettings,
    '/etc/gitconfig',
    ...(request.network === 'none'
      ? ['--ro-bind', standIns.hosts, '/etc/hosts']
      : NAME_RESOLUTION.flatMap((path) => ['--ro-bind-try', path, path])),
    '--proc',
    '/proc',
    ...request.hiddenProc.flatMap((path) => ['--ro-bind', standIns.empty, path]),
    '--dev',
    '/dev',
    ...tmpfs('/dev/shm', SHARED_MEMORY_BYTES, '1777'),
    '--remount-ro',
    '/dev',
    ...tmpfs('/tmp', limits.tmp_bytes, '1777'),
    ...tmpfs('/home', limits.home_bytes, '0755'),
    '--dir',
    '/home/agent',
    ...request.machine.dirs.flatMap((path) => ['--dir', path]),
    ...outerFirst.flatMap(bind),
    ...request.covers.flatMap((item) => cover(item, standIns.empty)),
    '--remount-ro',
    '/',
    '--chdir',
    request.cwd,
    '--json-status-fd',
    String(request.statusFd),
    '--block-fd',
    String(request.blockFd),
    ...(request.filterFd === null ? [] : ['--seccomp', String(request.filterFd)]),
  ];
}
