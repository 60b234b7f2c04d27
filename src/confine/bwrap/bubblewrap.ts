import type { ChildProcess } from 'node:child_process';
import { closeSync, existsSync, openSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../kernel/clock.ts';
import { reason } from '../../evidence/reasons/catalogue.ts';
import { Refused } from '../../evidence/reasons/refused.ts';
import { bwrapArgs } from './arguments.ts';
import { distinctMounts } from './distinct-mounts.ts';
import { descriptorsAfter, launchBwrap } from './process.ts';
import { type Boundaries, masksFor, refuseSource } from './mount-masks.ts';
import { isWithin } from '../../kernel/path-text.ts';
import { inheritedDescriptors, replaceInherited, type Slot } from '../streams/descriptors.ts';
import { watchMemory } from '../limits/memory-watch.ts';
import { watchDisk } from '../limits/disk-watch.ts';
import { failedToStart } from '../termination.ts';
import { baseEnvironment, SANDBOX_PATH } from '../environment.ts';
import type { LimitEnforcer } from '../limits/enforce.ts';
import { giveTree, type UserIdentity } from '../processes/identity.ts';
import { giveChanges } from '../overlay/give-changes.ts';
import type { OverlaySpace } from '../overlay/space.ts';
import { MAX_OUTPUT_BYTES } from '../limits/limits.ts';
import type { PipePool } from '../streams/pipes.ts';
import { type Stage, commandAs, stagedCommand, Staging, type StagingTools } from './staging.ts';
import { spawnCommand } from '../processes/spawn.ts';
import { type SyntheticEtc, writeSyntheticEtc } from './synthetic-etc.ts';
import type { TopDir } from './system-layout.ts';
import type { Confinement, Limits, Mount, Sandboxed, SandboxMachine, SandboxSpec, SandboxView } from '../types.ts';

export interface BubblewrapFacts {
  /** Below the scratch directory; used by this sandbox only. */
  readonly ownDir: string;
  readonly bwrap: string;
  readonly pool: PipePool;
  readonly stagingTools: StagingTools;
  readonly limitHolder: LimitEnforcer;
  readonly identity: UserIdentity | null;
  /** Where the overlays among the mounts are mounted. */
  readonly space: OverlaySpace | null;
  readonly layout: readonly TopDir[];
  /** Where the system's programs are, if not where this machine has them. */
  readonly systemPath?: string;
  /** Paths below /etc that exist on this machine. */
  readonly etc: readonly string[];
  readonly boundaries: Boundaries;
  readonly readOnly: readonly Mount[];
  readonly limits: Limits;
  readonly clock: Clock;
  /** The system calls that commands may make; null: unknown for this machine. */
  readonly filter: Uint8Array | null;
}

/** Keyrings have no namespace: these name the keys of every process that has the same user. */
const KEYRING_FILES = ['/proc/keys', '/proc/key-users'];

const BARE_MACHINE: SandboxMachine = { hostname: 'seatrial', dirs: [] };

const BASE_ENV = baseEnvironment({ home: '/home/agent', tmp: '/tmp', gitSettings: '/etc/gitconfig' });

export class Bubblewrap implements Confinement {
  readonly kind = 'bubblewrap';
  readonly #facts: BubblewrapFacts;
  readonly #pool: PipePool;
  readonly #standIns: SyntheticEtc;
  readonly #staging: Staging | null;
  readonly #inherited = inheritedDescriptors();
  readonly #hiddenProc = KEYRING_FILES.filter((path) => existsSync(path));
  readonly #filterFile: string | null;
  readonly #shown = new Set<string>();

  constructor(facts: BubblewrapFacts) {
    this.#facts = facts;
    this.#pool = facts.pool;
    this.#standIns = writeSyntheticEtc(facts.ownDir);
    this.#staging = facts.identity === null ? null : new Staging(facts.ownDir, facts.identity);
    this.#filterFile = facts.filter === null ? null : writeFilter(facts.ownDir, facts.filter);
    this.#checkMounts(facts.readOnly);
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
      network: 'none',
      limits: { ...this.#facts.limits },
      not_enforced: this.#filterFile === null ? ['seccomp'] : [],
      read_only: [...this.#shown].sort(),
      session_keyring: this.#filterFile === null ? 'inherited' : 'inherited, calls refused',
    };
  }

  get space(): OverlaySpace | null {
    return this.#facts.space;
  }

  view(given: readonly Mount[]): SandboxView {
    const { system, mounts, masks } = this.#layOut(given);
    const shown = mounts.map(
      ({ source, target, mode }) => ({ source, target, mode: mode === 'rw' ? mode : 'ro' }) as const,
    );
    return {
      shown: [...system.map((path) => ({ source: path, target: path, mode: 'ro' }) as const), ...shown],
      masked: masks.map(({ target }) => target),
    };
  }

  give(path: string): void {
    const { identity, space } = this.#facts;
    if (identity === null) return;
    const overlay = space?.overlayAt(path) ?? null;
    if (overlay === null) giveTree(path, identity);
    else giveChanges(overlay, identity);
  }

  #launch(spec: SandboxSpec): Sandboxed {
    const { layout, etc, clock, limitHolder } = this.#facts;
    const { system, mounts, masks } = this.#layOut(spec.mounts);
    const links = linksBeside(spec.mounts);
    for (const path of system) this.#shown.add(path);
    const staged = this.#staging?.stage(mounts) ?? { mounts, binds: [] };
    const channels = spec.channels ?? 0;
    const fds = descriptorsAfter(channels);
    return launchBwrap({
      clock,
      pool: this.#pool,
      channels,
      timeoutMs: spec.timeoutMs,
      outputBytes: spec.outputBytes ?? MAX_OUTPUT_BYTES,
      watchNetwork: spec.watchNetwork === true,
      bwrapArgs: bwrapArgs({
        layout,
        etc,
        standIns: this.#standIns,
        env: this.#environmentOf(spec),
        cwd: spec.cwd,
        mounts: [...staged.mounts, ...links],
        covers: masks,
        limits: spec.limits,
        network: spec.network ?? 'none',
        machine: spec.machine ?? BARE_MACHINE,
        statusFd: fds.status,
        blockFd: fds.block,
        filterFd: this.#filterFile === null ? null : fds.filter,
        hiddenProc: this.#hiddenProc,
      }),
      spawn: (slots) => this.#spawn(slots, fds.args, spec, staged.binds),
      holdToLimits: (pid) => limitHolder.apply(pid, spec.limits),
      watchDisk: (over) => {
        const { space } = this.#facts;
        const writable = mounts
          .filter(({ mode }) => mode === 'rw')
          .map(({ source }) => space?.overlayAt(source)?.changes ?? source);
        return watchDisk(writable, spec.limits.disk_bytes, over);
      },
      watchMemory: (first, over) =>
        limitHolder.usesMemoryGroups ? () => {} : watchMemory(first, spec.limits.memory_bytes, over),
    });
  }

  #environmentOf(spec: SandboxSpec): Readonly<Record<string, string>> {
    const env = { ...BASE_ENV, ...spec.env };
    const { systemPath } = this.#facts;
    if (systemPath === undefined) return env;
    return { ...env, PATH: (env['PATH'] ?? '').replace(SANDBOX_PATH, systemPath) };
  }

  #layOut(given: readonly Mount[]) {
    const { layout, etc, boundaries, readOnly } = this.#facts;
    const mounts = this.#checkMounts([...readOnly, ...given]);
    const system = [...layout.filter(({ kind }) => kind === 'dir').map(({ path }) => path), ...etc];
    const binds = [...system.map((path) => ({ source: path, target: path })), ...mounts];
    return { system, mounts, masks: masksFor(binds, boundaries.covered) };
  }

  /** Resolves links first: the real source decides whether a mount is allowed. Leaves out what another mount shows already. */
  #checkMounts(given: readonly Mount[]): Mount[] {
    const distinct = new Set(distinctMounts(given));
    const mounts = given.filter(({ mode }) => mode !== 'link');
    return mounts.flatMap((mount) => {
      const source = this.#facts.space?.insidePath(mount.source) ?? realpathSync(mount.source);
      const refusal = refuseSource(source, this.#facts.boundaries);
      if (refusal !== null) throw new Refused(reason('mount_refused', { why: refusal }));
      if (mount.mode === 'ro' && !isWithin(source, this.#facts.boundaries.scratch)) this.#shown.add(source);
      return distinct.has(mount) ? [{ ...mount, source }] : [];
    });
  }

  /** Inherited descriptors become empty argument lists, which bubblewrap reads and closes before the command starts. */
  #spawn(slots: readonly Slot[], argsFd: number, spec: SandboxSpec, binds: Stage['binds']): ChildProcess {
    const { bwrap, stagingTools, identity, limitHolder, space } = this.#facts;
    const opened = ['/dev/null', ...(this.#filterFile === null ? [] : [this.#filterFile])].map((path) =>
      openSync(path, 'r'),
    );
    const [nothing = 0, ...filter] = opened;
    const all = [...slots, ...filter];
    const stray = this.#inherited.filter((fd) => fd >= all.length);
    const lists = [...stray, argsFd].flatMap((fd) => ['--args', String(fd)]);
    const command = [...limitHolder.before(spec.limits), bwrap, ...lists, '--', ...spec.argv];
    const entering = space?.entering ?? [];
    // Whoever enters the space or mounts must still be root, so the user is changed after that.
    const isRoot = identity !== null && (binds.length > 0 || entering.length > 0);
    const asUser = isRoot ? commandAs(stagingTools, identity, command) : command;
    const words = [...entering, ...(binds.length > 0 ? stagedCommand(stagingTools, binds, asUser) : asUser)];
    const [file = bwrap, ...args] = words;
    try {
      const stdio = replaceInherited(all, stray, nothing);
      // Own process group: Ctrl-C must reach only the harness, which ends the command and then collects its output.
      return spawnCommand({ file, args, env: {}, cwd: '/', stdio, identity: isRoot ? null : identity, ownGroup: true });
    } finally {
      for (const fd of opened) closeSync(fd);
    }
  }
}

function writeFilter(dir: string, filter: Uint8Array): string {
  const path = join(dir, 'seccomp.bpf');
  writeFileSync(path, filter, { mode: 0o600 });
  return path;
}

/** Removes duplicates, and paths that a mount already provides. */
function linksBeside(mounts: readonly Mount[]): Mount[] {
  const shown = mounts.filter(({ mode }) => mode !== 'link');
  const links = mounts.filter(
    ({ mode, target }) => mode === 'link' && !shown.some((mount) => isWithin(target, mount.target)),
  );
  return [...new Map(links.map((link) => [link.target, link])).values()];
}
