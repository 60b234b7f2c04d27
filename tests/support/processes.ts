import { readdirSync, readFileSync } from 'node:fs';

/** The processes of this machine whose command line has all of these in it. */
export function processesWith(...wanted: readonly (string | RegExp)[]): number[] {
  const matches = (line: string): boolean =>
    wanted.every((one) => (typeof one === 'string' ? line.includes(one) : one.test(line)));
  return pids().filter((pid) => pid !== process.pid && matches(commandLine(pid)));
}

/** What every process of this machine was started with. */
export const commandLines = (): string[] => pids().map(commandLine);

function pids(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}
