import type { ChildProcess } from 'node:child_process';
import { Duplex } from 'node:stream';
import type { Clock } from '../../kernel/clock.ts';
import { messageOf } from '../../kernel/errors.ts';
import { encodeArgs } from './arguments.ts';
import type { Slot } from '../streams/descriptors.ts';
import { Termination } from '../termination.ts';
import type { EnforcedLimits } from '../limits/enforce.ts';
import { processesWithOpenFile } from '../processes/open-files.ts';
import type { Gate, PipePool } from '../streams/pipes.ts';

import { killNow, type ProcessRef, refOf, untilDead } from '../processes/process-life.ts';
import { NetworkCounters } from './network-counters.ts';
import { parseStatus } from './status-stream.ts';
import { closeStdio, handOver, openStdio, relayChannels, slotsOf, stdinOf, type Stdio } from '../streams/stdio.ts';
import type { Sandboxed } from '../types.ts';

/** Descriptors that bubblewrap itself uses and closes before the command starts. */
export interface BwrapDescriptors {
  readonly args: number;
  readonly status: number;
  readonly block: number;
  /** Used only where there is a filter. */
  readonly filter: number;
}

export function descriptorsAfter(channels: number): BwrapDescriptors {
  return { args: 3 + channels, status: 4 + channels, block: 5 + channels, filter: 6 + channels };
}

export interface BwrapLaunch {
  readonly clock: Clock;
  readonly pool: PipePool;
  readonly channels: number;
  readonly timeoutMs: number;
  readonly outputBytes: number;
  readonly bwrapArgs: readonly string[];
  readonly spawn: (slots: readonly Slot[]) => ChildProcess;
  readonly holdToLimits: (pid: number) => Promise<EnforcedLimits>;
  /** Called when the command is released; returns a function that stops the watch. */
  readonly watchDisk: (over: () => void) => () => void;
  readonly watchNetwork: boolean;
  /** The same for the memory of all processes below this one. */
  readonly watchMemory: (first: number, over: () => void) => () => void;
}

/**
 * How long a requested stop waits for bubblewrap to report its child; if bubblewrap were killed earlier, the child would be
 * orphaned.
 */
const NAMING_GRACE_MS = 2000;

export function launchBwrap(launch: BwrapLaunch): Sandboxed {
  const options = encodeArgs(launch.bwrapArgs);
  let bytes = 0;
  const stdio = openStdio(launch.pool, (count) => {
    bytes += count;
    if (bytes > launch.outputBytes) ending.stop({ kind: 'over_limit', limit: 'output' });
  });
  const gate = launch.pool.gate();
  const control = Array.from({ length: launch.channels + 2 }, (): Slot => 'pipe');
  const child = handOver(stdio, [gate], () => launch.spawn([...slotsOf(stdio), ...control, gate.theirs]));
  const channels = relayChannels(child, launch.channels);
  const keeper = new Keeper(child, launch, gate, () => ending);
  keeper.begin(options);
  const ending = new Termination(launch.clock, launch.timeoutMs, () => keeper.endTree());
  return {
    stdin: stdinOf(child),
    stdout: stdio.stdout,
    stderr: stdio.stderr,
    channels,
    ended: keeper.untilGone(stdio).then(async () => {
      await closeStdio(stdio, channels);
      for (const pipe of [...stdio.pipes, gate]) pipe.giveBack();
      return ending.report();
    }),
    ...(launch.watchNetwork ? { reachedOut: () => keeper.reachedOut } : {}),
    kill: () => ending.stop({ kind: 'killed' }),
  };
}

/** Supervises one bubblewrap from its start until no process of its namespace is left. */
class Keeper {
  readonly #child: ChildProcess;
  readonly #launch: BwrapLaunch;
  readonly #ending: () => Termination;
  readonly #gate: Gate;
  readonly #status: Duplex | null;
  #statusText = '';
  #named = false;
  #first: ProcessRef | null = null;
  #endWanted = false;
  #unwatch: () => void = () => {};
  #release: () => void = () => {};
  #network: NetworkCounters | null = null;
  reachedOut = false;

  constructor(child: ChildProcess, launch: BwrapLaunch, gate: Gate, ending: () => Termination) {
    this.#child = child;
    this.#launch = launch;
    this.#gate = gate;
    this.#status = this.#pipe(descriptorsAfter(launch.channels).status);
    this.#ending = ending;
  }

  begin(options: string): void {
    this.#status?.on('data', (chunk: Buffer) => this.#readStatus(chunk));
    this.#pipe(descriptorsAfter(this.#launch.channels).args)?.end(options);
  }

  endTree(): void {
    if (this.#endWanted) return;
    this.#endWanted = true;
    if (this.#named) return this.#killAll();
    const grace = setTimeout(() => this.#killAll(), NAMING_GRACE_MS);
    this.#child.once('close', () => clearTimeout(grace));
  }

  async untilGone(stdio: Stdio): Promise<void> {
    const failure = await this.#untilBwrapEnds();
    this.#unwatch();
    this.#killAll();
    if (this.#first !== null) await untilDead(this.#first);
    this.#release();
    this.reachedOut = this.#network?.close() ?? false;
    const { exitCode } = parseStatus(this.#statusText);
    if (exitCode !== null) return this.#ending().settle({ kind: 'exited', exitCode });
    await stdio.stderr.takeOver();
    const detail = failure ?? stdio.stderr.head.trim();
    this.#ending().settle({ kind: 'not_run', detail: detail || 'bubblewrap exited without an error message' });
  }

  /** A string: the error that prevented the start. */
  #untilBwrapEnds(): Promise<string | null> {
    return new Promise((resolve) => {
      this.#child.once('error', (error) => resolve(messageOf(error)));
      const status = this.#status;
      this.#child.once('exit', (_code, signal) => {
        if (signal !== null) this.#endOrphans();
        if (status === null || status.readableEnded || status.destroyed) resolve(null);
        else status.once('close', () => resolve(null));
      });
    });
  }

  /** Bubblewrap was killed. A child it had not reported yet does not have its parent-death signal set either, and would hold our pipes open. */
  #endOrphans(): void {
    this.#endWanted = true;
    this.#killAll();
    if (!this.#named) for (const ref of processesWithOpenFile(this.#gate.path)) killNow(ref);
  }

  #readStatus(chunk: Buffer): void {
    this.#statusText += chunk.toString('latin1');
    const { childPid } = parseStatus(this.#statusText);
    if (childPid === null || this.#named) return;
    this.#named = true;
    this.#first = refOf(childPid);
    if (this.#endWanted) this.#killAll();
    else void this.#letGo(childPid);
  }

  async #letGo(pid: number): Promise<void> {
    const held = await this.#launch.holdToLimits(pid);
    if (!held.ok) return this.#ending().stop({ kind: 'not_run', detail: held.why });
    this.#release = held.release;
    if (this.#endWanted || this.#child.exitCode !== null) return;
    const stop = (limit: 'disk' | 'memory') => (): void => this.#ending().stop({ kind: 'over_limit', limit });
    const watches = [this.#launch.watchDisk(stop('disk')), this.#launch.watchMemory(pid, stop('memory'))];
    this.#unwatch = () => {
      for (const unwatch of watches) unwatch();
    };
    if (this.#launch.watchNetwork) this.#network = NetworkCounters.open(pid);
    this.#gate.open();
  }

  #killAll(): void {
    if (this.#child.exitCode === null && this.#child.signalCode === null) this.#child.kill('SIGKILL');
    if (this.#first !== null) killNow(this.#first);
  }

  #pipe(fd: number): Duplex | null {
    const stream = this.#child.stdio[fd];
    if (!(stream instanceof Duplex)) return null;
    if (stream.listenerCount('error') === 0) stream.on('error', () => stream.destroy());
    return stream;
  }
}
