import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { type ProcessRef, refOf } from './process-life.ts';

/** The processes, other than this one, that have a file open. Only root sees those of other users. */
export function processesWithOpenFile(path: string): ProcessRef[] {
  return processesWith((pid) => descriptorsOn(pid, path).length > 0);
}

/** Those that have it open for writing, this one included. */
export function writersOf(path: string): ProcessRef[] {
  const writes = (pid: number): boolean => descriptorsOn(pid, path).some((fd) => opensForWriting(pid, fd));
  const self = refOf(process.pid);
  return [...processesWith(writes), ...(self !== null && writes(process.pid) ? [self] : [])];
}

function processesWith(matches: (pid: number) => boolean): ProcessRef[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 1 && pid !== process.pid && matches(pid))
    .flatMap((pid) => refOf(pid) ?? []);
}

function descriptorsOn(pid: number, path: string): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).filter((fd) => linkOf(`/proc/${pid}/fd/${fd}`) === path);
  } catch {
    return []; // Ended, or owned by another user.
  }
}

function linkOf(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null; // Closed meanwhile.
  }
}

const ACCESS_MODE = 0o3;

function opensForWriting(pid: number, fd: string): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/${pid}/fdinfo/${fd}`, 'latin1'))?.[1] ?? '1';
    return (Number.parseInt(flags, 8) & ACCESS_MODE) !== 0;
  } catch {
    return false; // Closed meanwhile.
  }
}
