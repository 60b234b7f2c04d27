import type { Limits } from '../types.ts';

const GIB = 1024 ** 3;

/** Enough to build a mid-sized project, small enough that a runaway process cannot take down the machine. */
export const DEFAULT_LIMITS: Limits = {
  processes: 512,
  open_files: 4096,
  cpu_seconds: 3600,
  file_bytes: 2 * GIB,
  disk_bytes: 4 * GIB,
  memory_bytes: 4 * GIB,
  tmp_bytes: GIB,
  home_bytes: GIB,
};

/** Default limit of stdout and stderr together. */
export const MAX_OUTPUT_BYTES = 512 * 1024 ** 2;

export const SHARED_MEMORY_BYTES = 256 * 1024 ** 2;

/** This process's own hard limits, which cannot be raised without privilege. */
export interface Ceilings {
  readonly processes: number;
  readonly open_files: number;
  readonly cpu_seconds: number;
  readonly file_bytes: number;
}

const ROWS: Record<keyof Ceilings, string> = {
  processes: 'Max processes',
  open_files: 'Max open files',
  cpu_seconds: 'Max cpu time',
  file_bytes: 'Max file size',
};

/** Parses the text of `/proc/self/limits`. */
export function parseCeilings(text: string): Ceilings {
  const hard = (row: string): number => {
    const line = text.split('\n').find((candidate) => candidate.startsWith(row));
    const word = line?.slice(row.length).trim().split(/\s+/)[1];
    return word === undefined || !/^\d+$/.test(word) ? Infinity : Number(word);
  };
  return {
    processes: hard(ROWS.processes),
    open_files: hard(ROWS.open_files),
    cpu_seconds: hard(ROWS.cpu_seconds),
    file_bytes: hard(ROWS.file_bytes),
  };
}

/**
 * Arguments for `prlimit`. Memory is not among them: address spaces and data segments count what is reserved, and sanitizers,
 * WebAssembly and garbage collectors reserve far more than they use.
 */
export function prlimitFlags(limits: Limits, ceilings: Ceilings): string[] {
  return [
    `--nproc=${Math.min(limits.processes, ceilings.processes)}`,
    `--nofile=${Math.min(limits.open_files, ceilings.open_files)}`,
    `--cpu=${Math.min(limits.cpu_seconds, ceilings.cpu_seconds)}`,
    `--fsize=${Math.min(limits.file_bytes, ceilings.file_bytes)}`,
    '--core=0',
  ];
}
