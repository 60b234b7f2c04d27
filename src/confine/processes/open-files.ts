import { readdirSync, readlinkSync } from 'node:fs';
import { type ProcessRef, refOf } from './process-life.ts';

/** The processes, other than this one, that have a file open. Only root sees those of other users. */
export function processesWithOpenFile(path: string): ProcessRef[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 1 && pid !== process.pid && holds(pid, path))
    .flatMap((pid) => refOf(pid) ?? []);
}

function holds(pid: number, path: string): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`) === path);
  } catch {
    return false; // Ended, or owned by another user.
  }
}
