import { assemble, type Instruction, jumpIf, label, load, returns } from './assembler.ts';
import { type Architecture, type CallName, NEWEST_CALL } from './architecture.ts';

const ALLOW = 0x7fff0000;
const fail = (errno: number): number => 0x00050000 | errno;
const EPERM = 1;
const ENOSYS = 38;
const EAFNOSUPPORT = 97;

/** Offsets in `struct seccomp_data`; of arguments, the lower 32 bits. */
const CALL_NUMBER = 0;
const ARCHITECTURE = 4;
const FIRST_ARGUMENT = 16;
const SECOND_ARGUMENT = 24;

/**
 * As if the kernel did not have them: programs fall back to older calls. `clone3` takes its flags from memory, where a
 * filter cannot look; io_uring makes calls that no filter sees.
 */
const ABSENT: readonly CallName[] = ['clone3', 'io_uring_setup', 'io_uring_enter', 'io_uring_register'];

/** Keyrings have no namespace. The rest is what Docker's default profile refuses a container without capabilities. */
const REFUSED: readonly CallName[] = [
  ...(['add_key', 'request_key', 'keyctl'] as const),
  ...(['bpf', 'perf_event_open', 'userfaultfd', 'kcmp', 'pidfd_getfd', 'process_madvise'] as const),
  ...(['unshare', 'setns', 'chroot', 'pivot_root', 'mount', 'umount2', 'mount_setattr', 'move_mount'] as const),
  ...(['open_tree', 'open_tree_attr', 'fsopen', 'fsconfig', 'fsmount', 'fspick'] as const),
  ...(['open_by_handle_at', 'fanotify_init', 'lookup_dcookie', 'quotactl', 'quotactl_fd', 'nfsservctl'] as const),
  ...(['acct', 'swapon', 'swapoff', 'reboot', 'syslog', 'vhangup', 'sethostname', 'setdomainname'] as const),
  ...(['settimeofday', 'clock_settime', 'clock_adjtime', 'kexec_load', 'kexec_file_load'] as const),
  ...(['create_module', 'init_module', 'finit_module', 'delete_module', 'get_kernel_syms', 'query_module'] as const),
  ...(['mbind', 'get_mempolicy', 'set_mempolicy', 'set_mempolicy_home_node', 'migrate_pages', 'move_pages'] as const),
  ...(['iopl', 'ioperm', 'uselib', 'ustat', 'sysfs', '_sysctl'] as const),
];

/** AF_UNIX, AF_INET, AF_INET6, AF_NETLINK. */
const SOCKET_FAMILIES = [1, 2, 10, 16];
/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET. */
const NEW_NAMESPACES = 0x7e020000;
/** Linux itself, with the variants that Docker lets through, and the question which one it is. */
const PERSONALITIES = [0, 0x8, 0x20000, 0x20008, 0xffffffff];
/** TIOCSTI and TIOCLINUX type into the terminal of the caller. */
const TYPING = [0x5412, 0x541c];

/**
 * The system calls that a command in the sandbox may make, for `bwrap --seccomp`. ptrace stays allowed, because leak
 * checkers need it: the process namespace is the wall there.
 */
export function seccompFilter({ audit, calls, foreignBit }: Architecture): Uint8Array {
  const numbers = (names: readonly CallName[]): number[] =>
    names.flatMap((name) => calls[name] ?? []).toSorted((a, b) => a - b);
  const goTo = (names: readonly CallName[], place: string): Instruction[] =>
    numbers(names).map((number) => jumpIf('equal', number, place));
  return assemble([
    load(ARCHITECTURE),
    jumpIf('equal', audit, null, 'absent'),
    load(CALL_NUMBER),
    ...(foreignBit === null ? [] : [jumpIf('any bit of', foreignBit, 'absent')]),
    jumpIf('at least', NEWEST_CALL + 1, 'absent'),
    ...goTo(ABSENT, 'absent'),
    ...goTo(['socket', 'socketpair'], 'sockets'),
    ...goTo(['clone'], 'clones'),
    ...goTo(['personality'], 'personalities'),
    ...goTo(['ioctl'], 'device controls'),
    ...goTo(REFUSED, 'refused'),
    returns(ALLOW),

    label('sockets'),
    load(FIRST_ARGUMENT),
    ...SOCKET_FAMILIES.map((family) => jumpIf('equal', family, 'allowed')),
    returns(fail(EAFNOSUPPORT)),

    label('clones'),
    load(FIRST_ARGUMENT),
    jumpIf('any bit of', NEW_NAMESPACES, 'refused', 'allowed'),

    label('personalities'),
    load(FIRST_ARGUMENT),
    ...PERSONALITIES.map((personality) => jumpIf('equal', personality, 'allowed')),
    returns(fail(EPERM)),

    label('device controls'),
    load(SECOND_ARGUMENT),
    ...TYPING.map((request) => jumpIf('equal', request, 'refused')),

    label('allowed'),
    returns(ALLOW),
    label('refused'),
    returns(fail(EPERM)),
    label('absent'),
    returns(fail(ENOSYS)),
  ]);
}
