import { SeatrialError } from '../../kernel/errors.ts';
import { addChannel, closing, type WithChannel } from './channel.ts';
import { findProgram } from '../tools/find-program.ts';
import { installCommand } from '../tools/install-command.ts';
import { SYSTEM_PATH } from '../bwrap/system-layout.ts';
import type { Sandboxed, SandboxSpec } from '../types.ts';

/** The one way out of a confinement: a loopback port inside, a Unix socket of ours outside. */
export interface Port {
  /** Holds the socket, by the name `socket`, and nothing else. */
  readonly folder: string;
  readonly number: number;
}

const INSIDE = '/port';

/**
 * The relay is nobody's child but the confinement's own first process, so that no command waits for it. It keeps a channel open that the
 * command never gets: a word or the end on it means that the relay is gone.
 */
const relay = ({ fd, before }: WithChannel): string => `
( ( PATH=${SYSTEM_PATH}; socat "TCP-LISTEN:$1,bind=127.0.0.1,fork,reuseaddr,backlog=128,nodelay" "UNIX-CONNECT:${INSIDE}/socket" <&- >/dev/null 2>&1 ${closing([fd])}; echo gone >&${fd} ) ${closing(before)} & )
until PATH=${SYSTEM_PATH} grep -q ":$2 00000000:0000 0A" /proc/net/tcp; do PATH=${SYSTEM_PATH} sleep 0.01; done
shift 2
exec "$@" ${closing([fd])}
`;

/** The same command with the port open before it starts. The last channel is the relay's: see `portLost`. */
export function withPort(spec: SandboxSpec, port: Port): SandboxSpec {
  const added = addChannel(spec);
  const hex = port.number.toString(16).toUpperCase().padStart(4, '0');
  return {
    ...added.spec,
    argv: ['/bin/sh', '-c', relay(added), 'port', String(port.number), hex, ...spec.argv],
    mounts: [...spec.mounts, { source: port.folder, target: INSIDE, mode: 'ro' }],
  };
}

/** Resolves when the relay of a command is gone, be it before or with the command. */
export function portLost({ channels }: Sandboxed): Promise<void> {
  return new Promise((resolve) => {
    channels.at(-1)?.once('data', resolve).once('close', resolve).once('end', resolve).resume();
  });
}

export function requireRelay(path: string): void {
  if (findProgram('socat', SYSTEM_PATH) !== null) return;
  throw new SeatrialError(
    'blocked',
    `socat is not installed, and no model can be reached without it: ${installCommand('socat', path)}`,
  );
}
