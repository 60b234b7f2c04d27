import { readdirSync, readFileSync } from 'node:fs';
import { killNow, type ProcessRef, refOf } from './process-life.ts';

/**
 * How the processes of a command are found without a namespace: by their process group, and by a variable in their
 * environment.
 */
export interface Mark {
  /** Id of the first process, the leader of its group. */
  readonly group: number;
  /** A unique `NAME=value`. */
  readonly variable: string;
}

function bears({ group, variable }: Mark, pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    if (Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2]) === group) return true;
    return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(variable);
  } catch {
    return false; // Ended, or owned by another user.
  }
}

function marked(mark: Mark): ProcessRef[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 1 && pid !== process.pid && bears(mark, pid))
    .flatMap((pid) => refOf(pid) ?? []);
}

export function killMarked(mark: Mark): ProcessRef[] {
  const found = marked(mark);
  for (const ref of found) killNow(ref);
  return found;
}

/** Repeats until a full scan of the process table finds none: a process may fork before the kill reaches it. */
export async function endMarked(mark: Mark): Promise<void> {
  for (let pause = 0; killMarked(mark).length > 0; pause = Math.min(pause + 1, 20)) {
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
