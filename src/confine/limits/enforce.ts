import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { type MemoryCgroups, type MemoryGroup, makeMemoryGroup } from './cgroup.ts';
import type { UserIdentity } from '../processes/identity.ts';
import { type Ceilings, prlimitFlags } from './limits.ts';
import { runTool } from '../processes/spawn.ts';
import type { Limits } from '../types.ts';

/** Call `release` after the command has ended, to remove its memory group. */
export type EnforcedLimits =
  | { readonly ok: true; readonly release: () => void }
  | { readonly ok: false; readonly why: string };

/** The user that commands run as; null: the caller. Reserved: no other sandbox has the same. */
export interface LimitedUser {
  readonly identity: UserIdentity | null;
  readonly isReserved: boolean;
}

/**
 * Limits a command before it starts; all its children inherit the limits. With a user id reserved for this sandbox, bubblewrap starts
 * under the limits. Otherwise the process limit would count the user's other processes and keep bubblewrap from starting, so the limits
 * are set on the sandbox's first process while it is blocked.
 */
export class LimitEnforcer {
  readonly #prlimit: string;
  readonly #ceilings: Ceilings;
  readonly #user: LimitedUser;
  #cgroups: MemoryCgroups | null;

  constructor(prlimit: string, ceilings: Ceilings, user: LimitedUser, cgroups: MemoryCgroups | null) {
    this.#prlimit = prlimit;
    this.#ceilings = ceilings;
    this.#user = user;
    this.#cgroups = cgroups;
  }

  /** False: memory must be watched instead. */
  get usesMemoryGroups(): boolean {
    return this.#cgroups !== null;
  }

  /** The words to put before a command so that it starts under these limits. */
  before(limits: Limits): string[] {
    return !this.#user.isReserved ? [] : [this.#prlimit, ...this.#flags(limits), '--'];
  }

  async apply(pid: number, limits: Limits): Promise<EnforcedLimits> {
    const startedUnder = !this.#user.isReserved ? null : this.#flags(limits).join();
    const group = this.#join(pid, limits.memory_bytes);
    const release = (): void => group?.remove();
    preferInShortage(pid);
    const flags = this.#flags(limits);
    if (startedUnder === flags.join()) return { ok: true, release };
    // Runs as the limited user: root in a container often lacks the privilege to limit other users.
    const done = await runTool(this.#prlimit, ['--pid', String(pid), ...flags], { identity: this.#user.identity });
    return done.exitCode === 0 ? { ok: true, release } : { ok: false, why: `cannot set limits: ${done.stderr.trim()}` };
  }

  #flags(limits: Limits): string[] {
    return prlimitFlags(limits, this.#ceilings);
  }

  /** After a failure, cgroups are not used again. */
  #join(pid: number, bytes: number): MemoryGroup | null {
    if (this.#cgroups === null) return null;
    try {
      // Random, not a counter: a group left behind by a killed harness may have the same number.
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

/** If the machine runs out of memory, the kernel ends this process and its children first. */
function preferInShortage(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, '1000');
  } catch {
    // Of another user, or not allowed in this container: then the kernel chooses by size.
  }
}
