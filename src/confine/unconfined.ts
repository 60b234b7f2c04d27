import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../kernel/clock.ts';
import { messageOf } from '../kernel/errors.ts';
import { Termination, type EndReason, failedToStart } from './termination.ts';
import { baseEnvironment, GIT_SETTINGS } from './environment.ts';
import { MAX_OUTPUT_BYTES } from './limits/limits.ts';
import { endMarked, killMarked } from './processes/marked-processes.ts';
import type { PipePool } from './streams/pipes.ts';
import { spawnCommand } from './processes/spawn.ts';
import { closeStdio, handOver, openStdio, relayChannels, slotsOf, stdinOf } from './streams/stdio.ts';
import type { Confinement, Limits, Sandboxed, SandboxSpec, SandboxView } from './types.ts';
import { pathInside } from './path-inside.ts';

const MARKER = 'SEATRIAL_COMMAND';

/**
 * `--confine none`: supervises processes but isolates nothing. The run is recorded as unconfined and never counts as stage evidence.
 */
export class Unconfined implements Confinement {
  readonly kind = 'none';
  readonly space = null;
  readonly #limits: Limits;
  readonly #clock: Clock;
  readonly #pool: PipePool;
  readonly #baseEnv: Record<string, string>;

  constructor(scratch: string, pool: PipePool, limits: Limits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
    this.#pool = pool;
    const [home, tmp, gitSettings] = [join(scratch, 'home'), join(scratch, 'tmp'), join(scratch, 'gitconfig')];
    for (const dir of [home, tmp]) mkdirSync(dir, { mode: 0o700 });
    writeFileSync(gitSettings, GIT_SETTINGS);
    this.#baseEnv = baseEnvironment({ home, tmp, gitSettings });
  }

  start(spec: SandboxSpec): Sandboxed {
    try {
      return this.#launch(spec);
    } catch (error) {
      return failedToStart(spec.channels ?? 0, error);
    }
  }

  describe(): ReturnType<Confinement['describe']> {
    return {
      kind: this.kind,
      network: 'host',
      limits: {},
      not_enforced: [
        'file system',
        'network',
        'processes of others',
        'identity',
        'seccomp',
        ...Object.keys(this.#limits),
      ],
      read_only: [],
    };
  }

  view(): SandboxView {
    return { shown: [{ source: '/', target: '/', mode: 'rw' }], masked: [] };
  }

  give(): void {}

  #launch(spec: SandboxSpec): Sandboxed {
    const mark = randomBytes(16).toString('hex');
    let bytes = 0;
    const stdio = openStdio(this.#pool, (count) => {
      bytes += count;
      if (bytes > (spec.outputBytes ?? MAX_OUTPUT_BYTES)) ending.stop({ kind: 'over_limit', limit: 'output' });
    });
    const [file = '', ...args] = spec.argv;
    const channelCount = spec.channels ?? 0;
    const child = handOver(stdio, [], () =>
      spawnCommand({
        file,
        args,
        env: { ...this.#baseEnv, ...spec.env, [MARKER]: mark },
        cwd: pathInside(this, spec.cwd, spec.mounts),
        stdio: [...slotsOf(stdio), ...Array.from({ length: channelCount }, () => 'pipe' as const)],
        identity: null,
        ownGroup: true,
      }),
    );
    const channels = relayChannels(child, channelCount);
    const marked = { group: child.pid ?? -1, variable: `${MARKER}=${mark}` };
    const ending = new Termination(this.#clock, spec.timeoutMs, () => killMarked(marked));
    const itself = new Promise<EndReason>((resolve) => {
      child.once('error', (error) => resolve({ kind: 'not_run', detail: messageOf(error) }));
      child.once('exit', (code, signal) =>
        resolve({ kind: 'exited', exitCode: code ?? 128 + (signal === null ? 0 : constants.signals[signal]) }),
      );
    });
    return {
      stdin: stdinOf(child),
      stdout: stdio.stdout,
      stderr: stdio.stderr,
      channels,
      ended: itself.then(async (reason) => {
        ending.settle(reason);
        await endMarked(marked);
        await closeStdio(stdio, channels);
        return ending.report();
      }),
      kill: () => ending.stop({ kind: 'killed' }),
    };
  }
}
