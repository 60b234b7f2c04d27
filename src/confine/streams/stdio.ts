import type { ChildProcess } from 'node:child_process';
import { Duplex, Writable } from 'node:stream';
import type { Slot } from './descriptors.ts';
import type { Pipe, PipePool } from './pipes.ts';
import { Relay } from './relay.ts';

/** The output streams of one command. */
export interface Stdio {
  readonly pipes: readonly [Pipe, Pipe];
  readonly stdout: Relay;
  readonly stderr: Relay;
}

export function openStdio(pool: PipePool, onOutput: (bytes: number) => void): Stdio {
  const pipes = [pool.open(), pool.open()] as const;
  return {
    pipes,
    stdout: new Relay(pipes[0].ours, 'read', onOutput),
    stderr: new Relay(pipes[1].ours, 'read', onOutput),
  };
}

export function slotsOf({ pipes }: Stdio): Slot[] {
  return ['pipe', ...pipes.map((pipe) => pipe.theirs)];
}

/** Closes the harness's copies of the command's ends, once the command has started or failed to start. */
export function handOver(
  stdio: Stdio,
  others: readonly { handedOver(): void }[],
  spawn: () => ChildProcess,
): ChildProcess {
  try {
    return spawn();
  } catch (error) {
    for (const pipe of stdio.pipes) pipe.ours.destroy();
    throw error;
  } finally {
    for (const end of [...stdio.pipes, ...others]) end.handedOver();
  }
}

/** Writing to a command that has ended is not an error: its result reports the end. */
export function stdinOf(child: ChildProcess): Writable {
  const stdin = child.stdin ?? new Writable({ write: (_chunk, _encoding, done) => done() });
  return stdin.on('error', () => stdin.destroy());
}

/** The extra channels: descriptors 3, 4, … of the child. */
export function relayChannels(child: ChildProcess, count: number): Relay[] {
  return child.stdio
    .slice(3, 3 + count)
    .flatMap((stream) => (stream instanceof Duplex ? [new Relay(stream, 'both')] : []));
}

/** Longer than draining any pipe takes; only an escaped process can keep one open beyond that. */
const TAKE_OVER_MS = 2000;

/** Call when no process of the command is left: drains its pipes and closes them. */
export async function closeStdio(stdio: Stdio, channels: readonly Relay[]): Promise<void> {
  const relays = [stdio.stdout, stdio.stderr, ...channels];
  const giveUp = setTimeout(() => relays.forEach((relay) => relay.cutOff()), TAKE_OVER_MS);
  await Promise.all(relays.map((relay) => relay.takeOver()));
  clearTimeout(giveUp);
}
