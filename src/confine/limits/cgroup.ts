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

/** A place in the cgroup tree below which this process may make groups that have a memory limit. */
export interface MemoryCgroups {
  readonly parent: string;
  readonly limitFile: 'memory.max' | 'memory.limit_in_bytes';
}

/** The text of `/proc/self/cgroup` and `/proc/self/mountinfo`, and who asks. */
export interface CgroupFacts {
  readonly membership: string;
  readonly mountinfo: string;
  readonly isRoot: boolean;
}

/**
 * Where groups could be made, likeliest first. Only what was handed to this process counts: a group belongs to whoever
 * manages it, and root may write to all of them, so for root it has to be the top of what it can see (a container's
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
  // A group with processes of its own cannot limit its children, so a user's session has to use the one above.
  const parents = own === mount ? [own] : [own, dirname(own)];
  return parents.map((parent) => ({ parent, limitFile: 'memory.max' }));
}

/** The first candidate that can really be used. Null: memory can only be limited process by process. */
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
  /** When its last process is gone. */
  remove(): void;
}

export function makeMemoryGroup({ parent, limitFile }: MemoryCgroups, name: string, bytes: number): MemoryGroup {
  const group = join(parent, name);
  mkdirSync(group);
  writeFileSync(join(group, limitFile), String(bytes));
  // Swap would only be a slower way past the limit. Machines without swap accounting have no such file.
  const swap = join(group, 'memory.swap.max');
  if (statSync(swap, { throwIfNoEntry: false }) !== undefined) writeFileSync(swap, '0');
  return {
    add: (pid) => writeFileSync(join(group, 'cgroup.procs'), String(pid)),
    remove: () => {
      try {
        rmdirSync(group);
      } catch {
        // The kernel may still be letting go of it; an empty group costs nothing.
      }
    },
  };
}
