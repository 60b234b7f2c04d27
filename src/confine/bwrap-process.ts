import type { ChildProcess, StdioOptions } from 'node:child_process';
import { Duplex } from 'node:stream';
import type { Clock } from '../kernel/clock.ts';
import { messageOf } from '../kernel/errors.ts';
import { Ending } from './ending.ts';
import type { PipePool } from './pipes.ts';
import { killNow, type ProcessRef, refOf, untilDead } from './process-life.ts';
import { parseStatus } from './status-stream.ts';
import { closeStdio, openStdio, relayChannels, stdinOf, type Stdio } from './stdio.ts';
import type { Sandboxed } from './types.ts';

/** Descriptors of bubblewrap itself; it closes each of them before the command starts. */
export interface BwrapDescriptors {
  readonly args: number;
  readonly status: number;
  readonly block: number;
}

export function descriptorsAfter(channels: number): BwrapDescriptors {
  return { args: 3 + channels, status: 4 + channels, block: 5 + channels };
}

export interface BwrapLaunch {
  readonly clock: Clock;
  readonly pool: PipePool;
  readonly channels: number;
  readonly timeoutMs: number;
  readonly outputBytes: number;
  readonly bwrapArgs: readonly string[];
  readonly spawn: (stdio: StdioOptions) => ChildProcess;
  /** Puts limits on the first process while it is held back. A text says what failed. */
  readonly holdToLimits: (pid: number) => Promise<string | null>;
  /** Called when the command is let go; returns what undoes it. */
  readonly watch: (overDisk: () => void) => () => void;
  /** Called when nothing is left. */
  readonly cleanUp: () => void;
}

/** How long an end that is wanted waits for bubblewrap to name its child; killed in between, the child would be orphaned. */
const NAMING_GRACE_MS = 2000;

export function launchBwrap(launch: BwrapLaunch): Sandboxed {
  let bytes = 0;
  const stdio = openStdio(launch.pool, (count) => {
    bytes += count;
    if (bytes > launch.outputBytes) ending.stop({ kind: 'over_limit', limit: 'output' });
  });
  const fds = descriptorsAfter(launch.channels);
  const child = launch.spawn([
    'pipe',
    ...stdio.pipes.map((pipe) => pipe.theirs),
    ...Array.from({ length: fds.block - 2 }, () => 'pipe' as const),
  ]);
  for (const pipe of stdio.pipes) pipe.handedOver();
  const channels = relayChannels(child, launch.channels);
  const keeper = new Keeper(child, launch, fds, () => ending);
  const ending = new Ending(launch.clock, launch.timeoutMs, () => keeper.endTree());
  return {
    stdin: stdinOf(child),
    stdout: stdio.stdout,
    stderr: stdio.stderr,
    channels,
    ended: keeper.untilGone(stdio).then(async () => {
      await closeStdio(stdio, channels);
      for (const pipe of stdio.pipes) pipe.giveBack();
      launch.cleanUp();
      return ending.report();
    }),
    kill: () => ending.stop({ kind: 'killed' }),
  };
}

/** Custody of one bubblewrap: from its birth until no process of its namespace is left. */
class Keeper {
  readonly #child: ChildProcess;
  readonly #launch: BwrapLaunch;
  readonly #ending: () => Ending;
  readonly #fds: BwrapDescriptors;
  #statusText = '';
  #first: ProcessRef | null = null;
  #endWanted = false;
  #unwatch: () => void = () => {};

  constructor(child: ChildProcess, launch: BwrapLaunch, fds: BwrapDescriptors, ending: () => Ending) {
    this.#child = child;
    this.#launch = launch;
    this.#fds = fds;
    this.#ending = ending;
    this.#pipe(fds.status)?.on('data', (chunk: Buffer) => this.#readStatus(chunk));
    this.#pipe(fds.args)?.end(launch.bwrapArgs.map((arg) => `${arg}\0`).join(''));
  }

  endTree(): void {
    if (this.#endWanted) return;
    this.#endWanted = true;
    if (this.#first !== null) return this.#killAll();
    const grace = setTimeout(() => this.#killAll(), NAMING_GRACE_MS);
    this.#child.once('close', () => clearTimeout(grace));
  }

  async untilGone(stdio: Stdio): Promise<void> {
    const failure = await this.#untilBwrapEnds();
    this.#unwatch();
    this.#killAll();
    if (this.#first !== null) await untilDead(this.#first);
    const { exitCode } = parseStatus(this.#statusText);
    if (exitCode !== null) return this.#ending().settle({ kind: 'exited', exitCode });
    await stdio.stderr.takeOver();
    const detail = failure ?? stdio.stderr.head.trim();
    this.#ending().settle({ kind: 'not_run', detail: detail || 'bubblewrap ended without a word' });
  }

  /** A text: it could not be started at all. */
  #untilBwrapEnds(): Promise<string | null> {
    return new Promise((resolve) => {
      this.#child.once('error', (error) => resolve(messageOf(error)));
      const status = this.#pipe(this.#fds.status);
      this.#child.once('exit', () => {
        if (status === null || status.readableEnded || status.destroyed) resolve(null);
        else status.once('close', () => resolve(null));
      });
    });
  }

  #readStatus(chunk: Buffer): void {
    this.#statusText += chunk.toString('latin1');
    const { childPid } = parseStatus(this.#statusText);
    if (childPid === null || this.#first !== null) return;
    this.#first = refOf(childPid);
    if (this.#endWanted) this.#killAll();
    else void this.#letGo(childPid);
  }

  async #letGo(pid: number): Promise<void> {
    const failure = await this.#launch.holdToLimits(pid);
    if (failure !== null) return this.#ending().stop({ kind: 'not_run', detail: failure });
    if (this.#endWanted || this.#child.exitCode !== null) return;
    this.#unwatch = this.#launch.watch(() => this.#ending().stop({ kind: 'over_limit', limit: 'disk' }));
    this.#pipe(this.#fds.block)?.end('.');
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
