import { reason } from '../../evidence/reasons/catalogue.ts';
import { Refused } from '../../evidence/reasons/refused.ts';
import { addChannel, closing, type WithChannel } from './channel.ts';
import { type CarriedProgram, carryProgram } from '../tools/carry-program.ts';
import { findProgram } from '../tools/find-program.ts';
import { installCommand } from '../install-command.ts';
import { SYSTEM_PATH } from '../bwrap/system-layout.ts';
import type { Sandboxed, SandboxSpec } from '../types.ts';

/** The only way out of a sandbox: a loopback port inside, relayed to the harness's Unix socket outside. */
export interface Port {
  /** Contains only the socket, named `socket`. */
  readonly dir: string;
  readonly number: number;
}

const INSIDE = '/port';

/**
 * The relay is reparented to the sandbox's first process, so that no command waits for it. It holds a channel open that the
 * command never gets: data or end of file on it means that the relay has ended.
 */
const relay = ({ fd, before }: WithChannel, socat: string): string => `
( ( PATH=${SYSTEM_PATH}; ${socat} "TCP-LISTEN:$1,bind=127.0.0.1,fork,reuseaddr,backlog=128,nodelay" "UNIX-CONNECT:${INSIDE}/socket" <&- >/dev/null 2>&1 ${closing([fd])}; echo gone >&${fd} ) ${closing(before)} & )
until PATH=${SYSTEM_PATH} grep -q ":$2 00000000:0000 0A" /proc/net/tcp; do PATH=${SYSTEM_PATH} sleep 0.01; done
shift 2
exec "$@" ${closing([fd])}
`;

/** Opens the port before the command starts. The last channel is the relay's: see `portLost`. `carried`: socat, where the system inside has none. */
export function withPort(spec: SandboxSpec, port: Port, carried: CarriedProgram | null = null): SandboxSpec {
  const added = addChannel(spec);
  const hex = port.number.toString(16).toUpperCase().padStart(4, '0');
  return {
    ...added.spec,
    argv: ['/bin/sh', '-c', relay(added, carried?.command ?? 'socat'), 'port', String(port.number), hex, ...spec.argv],
    mounts: [...spec.mounts, ...(carried?.mounts ?? []), { source: port.dir, target: INSIDE, mode: 'ro' }],
  };
}

/** Resolves when the relay of a command has ended, before the command or with it. */
export function portLost({ channels }: Sandboxed): Promise<void> {
  return new Promise((resolve) => {
    channels.at(-1)?.once('data', resolve).once('close', resolve).once('end', resolve).resume();
  });
}

/** The relay's program with its libraries, for the system of an image. */
export function carryRelay(path: string): CarriedProgram {
  const socat = findProgram('socat', SYSTEM_PATH);
  if (socat === null) throw new Refused(reason('socat_missing', { install: installCommand('socat', path) }));
  return carryProgram(socat, '/engine/relay');
}

export function requireRelay(path: string): void {
  if (findProgram('socat', SYSTEM_PATH) !== null) return;
  throw new Refused(reason('socat_missing', { install: installCommand('socat', path) }));
}
