import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** A cgroup below which this process may create groups with a memory limit. */
export interface MemoryCgroups {
  readonly parent: string;
  readonly limitFile: 'memory.max' | 'memory.limit_in_bytes';
}

/** The text of `/proc/self/cgroup` and `/proc/self/mountinfo`, and the user of this process. */
export interface CgroupFacts {
  readonly membership: string;
  readonly mountinfo: string;
  readonly isRoot: boolean;
}

/**
 * Cgroups below which groups could be created, best first. Only delegated cgroups count: a cgroup belongs to its
 * manager. Root may write to all of them, so for root only the topmost visible cgroup counts (a container's
 * own tree).
 */
export function candidateCgroups({ membership, mountinfo, isRoot }: CgroupFacts): MemoryCgroups[] {
  const lines = membership
    .trim()
    .split('\n')
    .map((line) => line.split(':'));
  const mountOf = (matches: (type: string, options: string) => boolean): string | undefined =>
    mountinfo
      .split('\n')
      .map((line) => ({ point: line.split(' ')[4] ?? '', after: line.split(' - ')[1]?.split(' ') ?? [] }))
      .find(({ after: [type = '', , options = ''] }) => matches(type, options))?.point;
  const v1 = lines.find(([, controllers = '']) => controllers.split(',').includes('memory'))?.[2];
  if (v1 !== undefined) {
    const mount = mountOf((type, options) => type === 'cgroup' && options.split(',').includes('memory'));
    if (mount === undefined || (isRoot && v1 !== '/')) return [];
    return [{ parent: resolve(mount, `.${v1}`), limitFile: 'memory.limit_in_bytes' }];
  }
  const v2 = lines.find(([id, controllers]) => id === '0' && controllers === '')?.[2];
  const mount = mountOf((type) => type === 'cgroup2');
  if (v2 === undefined || mount === undefined || (isRoot && v2 !== '/')) return [];
  const own = resolve(mount, `.${v2}`);
  // A cgroup that contains processes cannot limit its children, so a user session must use its parent.
  const parents = own === mount ? [own] : [own, dirname(own)];
  return parents.map((parent) => ({ parent, limitFile: 'memory.max' }));
}

/** The first candidate that works. Null: memory can only be limited per process. */
export function findMemoryCgroups(facts: CgroupFacts): MemoryCgroups | null {
  return candidateCgroups(facts).find(isUsable) ?? null;
}

function isUsable({ parent, limitFile }: MemoryCgroups): boolean {
  try {
    accessSync(parent, constants.W_OK);
    if (limitFile === 'memory.limit_in_bytes') return existsSync(join(parent, limitFile));
    accessSync(join(parent, 'cgroup.procs'), constants.W_OK);
    return readFileSync(join(parent, 'cgroup.subtree_control'), 'latin1').trim().split(' ').includes('memory');
  } catch {
    return false;
  }
}

export interface MemoryGroup {
  add(pid: number): void;
  /** Call after its last process has ended. */
  remove(): void;
}

export function makeMemoryGroup({ parent, limitFile }: MemoryCgroups, name: string, bytes: number): MemoryGroup {
  const group = join(parent, name);
  mkdirSync(group);
  writeFileSync(join(group, limitFile), String(bytes));
  // Swap would let the group exceed the limit. Machines without swap accounting do not have this file.
  const swap = join(group, 'memory.swap.max');
  if (statSync(swap, { throwIfNoEntry: false }) !== undefined) writeFileSync(swap, '0');
  return {
    add: (pid) => writeFileSync(join(group, 'cgroup.procs'), String(pid)),
    remove: () => {
      try {
        rmdirSync(group);
      } catch {
        // The kernel may still hold the group; an empty one costs nothing.
      }
    },
  };
}
