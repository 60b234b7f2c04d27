import { type MemoryCgroups, type MemoryGroup, makeMemoryGroup } from './cgroup.ts';
import type { Identity } from './identity.ts';
import { type Ceilings, prlimitFlags } from './limits.ts';
import { runTool } from './spawn.ts';
import type { Limits } from './types.ts';

/** `release` undoes what the limits left on the machine, once the command is gone. */
export type Held = { readonly ok: true; readonly release: () => void } | { readonly ok: false; readonly why: string };

/** Puts limits on a first process while it is held back; all its children inherit them. */
export class LimitHolder {
  readonly #prlimit: string;
  readonly #ceilings: Ceilings;
  readonly #identity: Identity | null;
  #cgroups: MemoryCgroups | null;
  #groups = 0;

  constructor(prlimit: string, ceilings: Ceilings, identity: Identity | null, cgroups: MemoryCgroups | null) {
    this.#prlimit = prlimit;
    this.#ceilings = ceilings;
    this.#identity = identity;
    this.#cgroups = cgroups;
  }

  get limitsMemory(): boolean {
    return this.#cgroups !== null;
  }

  async hold(pid: number, limits: Limits): Promise<Held> {
    const group = this.#join(pid, limits.memory_bytes);
    const flags = prlimitFlags(limits, this.#ceilings, group === null ? 'per_process' : 'cgroup');
    // Asked as the very user who is limited: root in a container often lacks the privilege to limit others.
    const done = await runTool(this.#prlimit, ['--pid', String(pid), ...flags], { identity: this.#identity });
    const release = (): void => group?.remove();
    return done.exitCode === 0
      ? { ok: true, release }
      : { ok: false, why: `limits could not be set: ${done.stderr.trim()}` };
  }

  /** A cgroup that looked usable and is not is given up for good, and reported as not enforced. */
  #join(pid: number, bytes: number): MemoryGroup | null {
    if (this.#cgroups === null) return null;
    try {
      const group = makeMemoryGroup(this.#cgroups, `seatrial-${process.pid}-${this.#groups++}`, bytes);
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
