import { readdirSync, readFileSync } from 'node:fs';
import { killNow, type ProcessRef, refOf } from './process-life.ts';

/**
 * How processes are found again where there is no namespace to hold them: by their group, and by a word in their
 * environment.
 */
export interface Mark {
  /** Of the first process, which leads its group. */
  readonly group: number;
  /** `NAME=value`, unlike any other. */
  readonly variable: string;
}

function bears({ group, variable }: Mark, pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    if (Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2]) === group) return true;
    return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(variable);
  } catch {
    return false; // Gone, or somebody else's.
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

/** Goes on until a whole look at the process table finds none: a killed process may have had time to fork. */
export async function endMarked(mark: Mark): Promise<void> {
  for (let pause = 0; killMarked(mark).length > 0; pause = Math.min(pause + 1, 20)) {
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
