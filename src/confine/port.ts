import { SeatrialError } from '../kernel/errors.ts';
import { findProgram } from './find-program.ts';
import { installCommand } from './install-command.ts';
import { SYSTEM_PATH } from './system-layout.ts';
import type { Sandboxed, SandboxSpec } from './types.ts';

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
const RELAY = `
( ( socat "TCP-LISTEN:$1,bind=127.0.0.1,fork,reuseaddr,backlog=128,nodelay" "UNIX-CONNECT:${INSIDE}/socket" <&- >/dev/null 2>&1 3>&-; echo gone >&3 ) & )
until grep -q ":$2 00000000:0000 0A" /proc/net/tcp; do sleep 0.01; done
shift 2
exec "$@" 3>&-
`;

/** The same command with the port open before it starts. Its last channel is the relay's: see `portLost`. */
export function withPort(spec: SandboxSpec, port: Port): SandboxSpec {
  if ((spec.channels ?? 0) > 0) throw new SeatrialError('usage', 'a command with channels of its own gets no port');
  const hex = port.number.toString(16).toUpperCase().padStart(4, '0');
  return {
    ...spec,
    argv: ['/bin/sh', '-c', RELAY, 'port', String(port.number), hex, ...spec.argv],
    mounts: [...spec.mounts, { source: port.folder, target: INSIDE, mode: 'ro' }],
    channels: 1,
  };
}

/** Resolves when the relay of a command is gone, be it before or with the command. */
export function portLost({ channels }: Sandboxed): Promise<void> {
  return new Promise((resolve) => {
    for (const channel of channels) channel.once('data', resolve).once('close', resolve).once('end', resolve).resume();
  });
}

export function requireRelay(path: string): void {
  if (findProgram('socat', SYSTEM_PATH) !== null) return;
  throw new SeatrialError(
    'blocked',
    `socat is not installed, and no model can be reached without it: ${installCommand('socat', path)}`,
  );
}
