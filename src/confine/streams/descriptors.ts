import { readdirSync, readFileSync } from 'node:fs';

const CLOSE_ON_EXEC = 0o2000000;

/**
 * Descriptors above 2 that this process was born with and that every child would inherit: a job server, a lock, a
 * shell's leftovers. Each would be a way out of a confinement. Everything that Node opens itself is closed on exec.
 */
export function inheritedDescriptors(): number[] {
  return readdirSync('/proc/self/fdinfo')
    .map(Number)
    .filter((fd) => fd > 2 && passesExec(fd));
}

function passesExec(fd: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1'))?.[1] ?? '0';
    return (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0;
  } catch {
    return false; // It was open only while the list was read.
  }
}

export type Slot = 'pipe' | 'ignore' | number;

/** Puts `nothing` in the place of every inherited descriptor that the slots do not replace anyway. */
export function replaceInherited(slots: readonly Slot[], inherited: readonly number[], nothing: number): Slot[] {
  const replaced = inherited.filter((fd) => fd >= slots.length);
  const length = Math.max(slots.length, ...replaced.map((fd) => fd + 1));
  return Array.from({ length }, (_, fd) => slots[fd] ?? (replaced.includes(fd) ? nothing : 'ignore'));
}
