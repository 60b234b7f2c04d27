import { randomBytes } from 'node:crypto';
import { type MemoryCgroups, type MemoryGroup, makeMemoryGroup } from './cgroup.ts';
import type { UserIdentity } from '../processes/identity.ts';
import { type Ceilings, prlimitFlags } from './limits.ts';
import { runTool } from '../processes/spawn.ts';
import type { Limits } from '../types.ts';

/** `release` undoes what the limits left on the machine, once the command is gone. */
export type EnforcedLimits =
  | { readonly ok: true; readonly release: () => void }
  | { readonly ok: false; readonly why: string };

/**
 * Puts limits on a command before it starts; all its children inherit them. A user who exists for this confinement alone starts under
 * them. Anybody else's process count holds what he runs beside it, and would keep bubblewrap itself from starting: there they
 * are put on the first process inside, while it is held back.
 */
export class LimitEnforcer {
  readonly #prlimit: string;
  readonly #ceilings: Ceilings;
  readonly #identity: UserIdentity | null;
  #cgroups: MemoryCgroups | null;

  constructor(prlimit: string, ceilings: Ceilings, identity: UserIdentity | null, cgroups: MemoryCgroups | null) {
    this.#prlimit = prlimit;
    this.#ceilings = ceilings;
    this.#identity = identity;
    this.#cgroups = cgroups;
  }

  get limitsMemory(): boolean {
    return this.#cgroups !== null;
  }

  /** What stands before the command that is to start under these limits. */
  before(limits: Limits): string[] {
    return this.#identity === null ? [] : [this.#prlimit, ...this.#flags(limits), '--'];
  }

  async apply(pid: number, limits: Limits): Promise<EnforcedLimits> {
    const startedUnder = this.#identity === null ? null : this.#flags(limits).join();
    const group = this.#join(pid, limits.memory_bytes);
    const release = (): void => group?.remove();
    const flags = this.#flags(limits);
    if (startedUnder === flags.join()) return { ok: true, release };
    // Asked as the very user who is limited: root in a container often lacks the privilege to limit others.
    const done = await runTool(this.#prlimit, ['--pid', String(pid), ...flags], { identity: this.#identity });
    return done.exitCode === 0
      ? { ok: true, release }
      : { ok: false, why: `limits could not be set: ${done.stderr.trim()}` };
  }

  #flags(limits: Limits): string[] {
    return prlimitFlags(limits, this.#ceilings, this.limitsMemory ? 'cgroup' : 'per_process');
  }

  /** A cgroup that looked usable and is not is given up for good, and reported as not enforced. */
  #join(pid: number, bytes: number): MemoryGroup | null {
    if (this.#cgroups === null) return null;
    try {
      // Not counted: a group that a killed harness left behind may bear the same number.
      const group = makeMemoryGroup(this.#cgroups, `seatrial-${process.pid}-${randomBytes(4).toString('hex')}`, bytes);
      try {
        group.add(pid);
        return group;
      } catch (error) {
        group.remove();
        throw error;
      }
    } catch {
      this.#cgroups = null;
      return null;
    }
  }
}
