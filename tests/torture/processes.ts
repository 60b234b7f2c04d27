import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

export interface Seen {
  readonly pid: number;
  readonly startTime: string;
  readonly parent: number;
  readonly name: string;
}

/** Every process of this machine, those that only wait to be collected too. */
export function allProcesses(): Seen[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => seen(Number(name)));
}

function seen(pid: number): Seen[] {
  const stat = read(`/proc/${pid}/stat`);
  if (stat === '') return [];
  // The name may hold anything, brackets and spaces included.
  const [, parent = '', ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
  return [{ pid, startTime: rest[17] ?? '', parent: Number(parent), name }];
}

export function descendantsOf(pid: number): Seen[] {
  const all = allProcesses();
  const found: Seen[] = [];
  for (let parents = [pid]; parents.length > 0;) {
    const children = all.filter((one) => parents.includes(one.parent));
    found.push(...children);
    parents = children.map((one) => one.pid);
  }
  return found;
}

/** Processes that have to do with a directory: by their command, environment, current directory, open files or mounts. */
export function processesAt(dir: string): Seen[] {
  return allProcesses().filter(({ pid }) => pid !== process.pid && touches(pid, dir));
}

function touches(pid: number, dir: string): boolean {
  return (
    read(`/proc/${pid}/cmdline`).includes(dir) ||
    read(`/proc/${pid}/environ`).includes(dir) ||
    link(`/proc/${pid}/cwd`).startsWith(dir) ||
    names(`/proc/${pid}/fd`).some((fd) => link(`/proc/${pid}/fd/${fd}`).startsWith(dir)) ||
    (!sharesOurMounts(pid) &&
      read(`/proc/${pid}/mountinfo`)
        .split('\n')
        .some((line) => showsPartOf(line, dir)))
  );
}

/** A whole disk that is mounted there says nothing either: any sandbox that starts meanwhile, also of another test, inherits it. */
const showsPartOf = (line: string, dir: string): boolean => line.includes(dir) && line.split(' ')[3] !== '/';

/** What is mounted for all of us says nothing about one process. */
function sharesOurMounts(pid: number): boolean {
  return link(`/proc/${pid}/ns/mnt`) === link('/proc/self/ns/mnt');
}

export const isSame = (a: Seen, b: Seen): boolean => a.pid === b.pid && a.startTime === b.startTime;

const read = (path: string): string => orElse(() => readFileSync(path, 'latin1'), '');
const link = (path: string): string => orElse(() => readlinkSync(path), '');
const names = (path: string): string[] => orElse(() => readdirSync(path), []);

/** Processes come and go, and some are not ours to look into. */
function orElse<T>(look: () => T, otherwise: T): T {
  try {
    return look();
  } catch {
    return otherwise;
  }
}
