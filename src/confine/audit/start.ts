import { SeatrialError } from '../../kernel/errors.ts';
import { addChannel, closing } from '../streams/channel.ts';
import { findProgram } from '../tools/find-program.ts';
import { installCommand } from '../tools/install-command.ts';
import { SYSTEM_PATH } from '../bwrap/system-layout.ts';
import type { SandboxSpec } from '../types.ts';

/** Whatever takes a path, looks for an address, or says where a process stands. */
const TRACED = '%file,fchdir,connect,sendto,sendmsg,sendmmsg,?fork,?vfork,clone,?clone3,seccomp';

/** Ways to do such a thing unseen, or to change what the tracer says: they fail under an audit. */
const REFUSED = '?io_uring_setup,ptrace,process_vm_writev,?pidfd_getfd';

/**
 * A process that slips away from the tracer, or outlives it, has no file calls left: the filter of `--seccomp-bpf` stays on it and
 * makes each of them fail.
 */
const OPTIONS = [
  '--follow-forks',
  '--seccomp-bpf',
  '--decode-fds=path',
  '--string-limit=4096',
  '--quiet=attach,personality',
  `--trace=${TRACED},${REFUSED}`,
  `--inject=${REFUSED}:error=EPERM`,
].join(' ');

/** The first word that comes over the channel is the tracer's process id; the traced command's is marked by `COMMAND_IS`. */
export const COMMAND_IS = 'command ';

/**
 * The same command with every call of interest, of it and all its descendants, told on a channel that it never gets. A channel is a
 * socket, which nobody can open by its name in `/proc`.
 */
export function withAudit(spec: SandboxSpec, tracer: string): SandboxSpec {
  const { spec: wider, fd } = addChannel(spec);
  const kept = fd + 1; // the command's own stderr: the tracer speaks on its own
  const launch = `echo "${COMMAND_IS}$$" >&${fd}; exec "$@" 2>&${kept} ${closing([fd, kept])}`;
  const trace = `exec ${kept}>&2 2>&${fd}; echo "$$" >&2; tracer=$1; launch=$2; shift 2
exec "$tracer" ${OPTIONS} -- /bin/sh -c "$launch" audit "$@"`;
  return { ...wider, argv: ['/bin/sh', '-c', trace, 'audit', tracer, launch, ...spec.argv] };
}

/** Where the system's own is: one that lies on the PATH of the command might be anything. */
export function requireTracer(path: string): string {
  const tracer = findProgram('strace', SYSTEM_PATH);
  if (tracer !== null) return tracer;
  throw new SeatrialError(
    'blocked',
    `strace is not installed, and --audit needs it: ${installCommand('strace', path)}, or leave --audit out`,
  );
}
