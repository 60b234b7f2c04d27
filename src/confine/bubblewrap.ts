import { closeSync, mkdirSync, openSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StdioOptions } from 'node:child_process';
import type { Clock } from '../kernel/clock.ts';
import { SeatrialError } from '../kernel/errors.ts';
import { type BwrapRequest, bwrapArgs } from './bwrap-args.ts';
import { descriptorsAfter, launchBwrap } from './bwrap-process.ts';
import { type Boundaries, coversFor, refuseSource } from './cover.ts';
import { inheritedDescriptors } from './descriptors.ts';
import { watchDisk } from './disk-watch.ts';
import { stillborn } from './ending.ts';
import { baseEnvironment } from './environment.ts';
import { type Identity, giveTree } from './identity.ts';
import { type Ceilings, prlimitFlags } from './limits.ts';
import { PipePool } from './pipes.ts';
import { runTool, spawnCommand } from './spawn.ts';
import type { TopFolder } from './system-layout.ts';
import type { Confinement, Limits, Mount, Sandboxed, SandboxSpec } from './types.ts';

export interface BubblewrapFacts {
  readonly bwrap: string;
  readonly prlimit: string;
  readonly identity: Identity | null;
  readonly layout: readonly TopFolder[];
  readonly ceilings: Ceilings;
  readonly boundaries: Boundaries;
  readonly readOnly: readonly Mount[];
  readonly limits: Limits;
  readonly clock: Clock;
}

const BASE_ENV = baseEnvironment('/home/agent', '/tmp');
const NO_DATA = '/dev/null';

export class Bubblewrap implements Confinement {
  readonly kind = 'bubblewrap';
  readonly #facts: BubblewrapFacts;
  readonly #pool: PipePool;
  readonly #standIns: BwrapRequest['standIns'];
  readonly #inherited = inheritedDescriptors();
  readonly #shown = new Set<string>();

  constructor(facts: BubblewrapFacts) {
    this.#facts = facts;
    this.#pool = new PipePool(facts.boundaries.scratch);
    this.#standIns = writeStandIns(facts.boundaries.scratch);
    for (const { source } of facts.readOnly) this.#shown.add(source);
  }

  start(spec: SandboxSpec): Sandboxed {
    try {
      return this.#launch(spec);
    } catch (error) {
      return stillborn(spec.channels ?? 0, error);
    }
  }

  describe(): ReturnType<Confinement['describe']> {
    return {
      kind: this.kind,
      network: 'none',
      limits: { ...this.#facts.limits },
      not_enforced: ['memory'],
      read_only: [...this.#shown].sort(),
    };
  }

  pathInside(target: string): string {
    return target;
  }

  give(path: string): void {
    if (this.#facts.identity !== null) giveTree(path, this.#facts.identity);
  }

  #launch(spec: SandboxSpec): Sandboxed {
    const facts = this.#facts;
    const channels = spec.channels ?? 0;
    const mounts = this.#resolveMounts([...facts.readOnly, ...spec.mounts]);
    const fds = descriptorsAfter(channels);
    const system = ['/usr', ...facts.layout.flatMap((top) => (top.kind === 'folder' ? [top.path] : []))];
    const binds = [...system.map((path) => ({ source: path, target: path })), ...mounts];
    const writable = mounts.filter(({ mode }) => mode === 'rw').map(({ source }) => source);
    return launchBwrap({
      clock: facts.clock,
      pool: this.#pool,
      channels,
      timeoutMs: spec.timeoutMs,
      outputBytes: spec.outputBytes ?? Infinity,
      bwrapArgs: bwrapArgs({
        layout: facts.layout,
        standIns: this.#standIns,
        env: { ...BASE_ENV, ...spec.env },
        cwd: spec.cwd,
        mounts,
        covers: coversFor(binds, facts.boundaries.covered),
        limits: spec.limits,
        statusFd: fds.status,
        blockFd: fds.block,
      }),
      spawn: (stdio) => this.#spawn(stdio, fds.args, spec.argv),
      holdToLimits: (pid) => this.#holdToLimits(pid, spec.limits),
      watch: (over) => watchDisk(writable, spec.limits.disk_bytes, over),
      cleanUp: () => {},
    });
  }

  #resolveMounts(mounts: readonly Mount[]): Mount[] {
    return mounts.map((mount) => {
      const source = realpathSync(mount.source);
      const refusal = refuseSource(source, this.#facts.boundaries);
      if (refusal !== null) throw new SeatrialError('blocked', `cannot be shown to a confined command: ${refusal}`);
      if (mount.mode === 'ro' && !source.startsWith(this.#facts.boundaries.scratch)) this.#shown.add(source);
      return { ...mount, source };
    });
  }

  /** Descriptors that this process inherited are replaced by empty argument lists, which bubblewrap reads and closes. */
  #spawn(stdio: StdioOptions, argsFd: number, argv: readonly string[]): ReturnType<typeof spawnCommand> {
    const slots = Array.isArray(stdio) ? [...stdio] : [];
    const stray = this.#inherited.filter((fd) => fd >= slots.length);
    const nothing = openSync(NO_DATA, 'r');
    try {
      for (const fd of stray) {
        while (slots.length < fd) slots.push('ignore');
        slots[fd] = nothing;
      }
      const emptied = stray.flatMap((fd) => ['--args', String(fd)]);
      return spawnCommand({
        file: this.#facts.bwrap,
        args: [...emptied, '--args', String(argsFd), '--', ...argv],
        env: {},
        cwd: '/',
        stdio: slots,
        identity: this.#facts.identity,
      });
    } finally {
      closeSync(nothing);
    }
  }

  async #holdToLimits(pid: number, limits: Limits): Promise<string | null> {
    const flags = prlimitFlags(limits, this.#facts.ceilings, 'per_process');
    const result = await runTool(this.#facts.prlimit, ['--pid', String(pid), ...flags], { identity: this.#facts.identity });
    return result.exitCode === 0 ? null : `limits could not be set: ${result.stderr.trim()}`;
  }
}

function writeStandIns(scratch: string): BwrapRequest['standIns'] {
  const folder = join(scratch, 'etc');
  mkdirSync(folder, { mode: 0o755 });
  const write = (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, text, { mode: 0o644 });
    return path;
  };
  return {
    passwd: write('passwd', 'agent:x:1000:1000:agent:/home/agent:/bin/sh\nnobody:x:65534:65534:nobody:/nonexistent:/bin/false\n'),
    group: write('group', 'agent:x:1000:\nnogroup:x:65534:\n'),
    hosts: write('hosts', '127.0.0.1 localhost\n::1 localhost\n127.0.1.1 seatrial\n'),
    empty: write('empty', ''),
  };
}
