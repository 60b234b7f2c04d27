import { readFileSync } from 'node:fs';

/** Identifies a process even if its id is reused later. */
export interface ProcessRef {
  readonly pid: number;
  readonly startTime: string;
}

/** Null: there is no such process, or it is a zombie. */
function liveStartTime(pid: number): string | null {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return null;
  }
  // The parenthesised name may contain any character, including parentheses and spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' || fields[0] === 'X' ? null : (fields[19] ?? null);
}

export function refOf(pid: number): ProcessRef | null {
  const startTime = liveStartTime(pid);
  return startTime === null ? null : { pid, startTime };
}

function isAlive(ref: ProcessRef): boolean {
  return liveStartTime(ref.pid) === ref.startTime;
}

export function killNow(ref: ProcessRef): void {
  if (!isAlive(ref)) return;
  try {
    process.kill(ref.pid, 'SIGKILL');
  } catch {
    // Ended in the meantime.
  }
}

/**
 * Resolves when the process has ended. The first process of a PID namespace ends only after all others in it,
 * so for that process this covers the whole tree.
 */
export async function untilDead(ref: ProcessRef): Promise<void> {
  for (let pause = 0; isAlive(ref); pause = Math.min(pause + 1, 20)) {
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
