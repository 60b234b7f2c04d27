import { reason } from '../../evidence/reasons/catalogue.ts';
import { Refused } from '../../evidence/reasons/refused.ts';
import { addChannel, closing } from '../streams/channel.ts';
import { findProgram } from '../tools/find-program.ts';
import { installCommand } from '../install-command.ts';
import { SYSTEM_PATH } from '../bwrap/system-layout.ts';
import type { SandboxSpec } from '../types.ts';

/** System calls that take a path or an address, or change a working directory. */
const TRACED = '%file,fchdir,connect,sendto,sendmsg,sendmmsg,?fork,?vfork,clone,?clone3,seccomp';

/** System calls that could bypass or falsify the trace; they fail under --audit. */
const REFUSED = '?io_uring_setup,ptrace,process_vm_writev,?pidfd_getfd';

/**
 * A process that detaches from strace, or outlives it, can make no file calls: the filter of `--seccomp-bpf` stays active and
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

/** The channel's first line is strace's process id; the line with the traced command's id starts with `COMMAND_IS`. */
export const COMMAND_IS = 'command ';

/**
 * Wraps a command in strace, which reports the calls of it and all its descendants on a channel closed to them. The channel is a
 * socket, so it cannot be opened through `/proc` either.
 */
export function withAudit(spec: SandboxSpec, tracer: string): SandboxSpec {
  const { spec: wider, fd } = addChannel(spec);
  const kept = fd + 1; // the command's stderr; strace writes to the channel instead
  const launch = `echo "${COMMAND_IS}$$" >&${fd}; exec "$@" 2>&${kept} ${closing([fd, kept])}`;
  const trace = `exec ${kept}>&2 2>&${fd}; echo "$$" >&2; tracer=$1; launch=$2; shift 2
exec "$tracer" ${OPTIONS} -- /bin/sh -c "$launch" audit "$@"`;
  return { ...wider, argv: ['/bin/sh', '-c', trace, 'audit', tracer, launch, ...spec.argv] };
}

/** Looks only in system directories: the command's PATH may hold a fake strace. */
export function requireTracer(path: string): string {
  const tracer = findProgram('strace', SYSTEM_PATH);
  if (tracer !== null) return tracer;
  throw new Refused(reason('strace_missing', { install: installCommand('strace', path) }));
}
