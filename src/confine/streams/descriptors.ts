import { readdirSync, readFileSync } from 'node:fs';

const CLOSE_ON_EXEC = 0o2000000;

/**
 * Descriptors above 2 that this process inherited and would pass on to every child: a job server, a lock, a
 * shell's redirection. Each would be a way out of the sandbox. Descriptors that Node opens are close-on-exec.
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
    return false; // open only while the directory was read
  }
}

export type Slot = 'pipe' | 'ignore' | number;

/** Puts `nothing` in place of every inherited descriptor that the slots do not replace. */
export function replaceInherited(slots: readonly Slot[], inherited: readonly number[], nothing: number): Slot[] {
  const replaced = inherited.filter((fd) => fd >= slots.length);
  const length = Math.max(slots.length, ...replaced.map((fd) => fd + 1));
  return Array.from({ length }, (_, fd) => slots[fd] ?? (replaced.includes(fd) ? nothing : 'ignore'));
}
