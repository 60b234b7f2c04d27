import { closeSync, openSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ProcessTable, systemProcesses } from '../../evidence/bundle/running.ts';
import { systemCode } from '../../kernel/errors.ts';

// Beside an entry `<key>` lie `<key>.lock`, whose time is that of its last use, and `<key>.use-<pid>-<start>` for every process that may
// still use it.

const useName = (key: string, pid: number, started: string | null): string => `${key}.use-${pid}-${started ?? '0'}`;
const USE = /^([0-9a-f]{64})\.use-(\d+)-(\d+)$/;

/** Says that this process uses an entry until it ends. To be called before the entry is looked at. A cache that cannot be written is never pruned. */
export function noteUse(cacheDir: string, key: string, table: ProcessTable = systemProcesses): void {
  try {
    const mark = `${table.bootId} ${table.pidNamespace}`;
    writeFileSync(join(cacheDir, useName(key, process.pid, table.startedOf(process.pid))), mark);
    closeSync(openSync(join(cacheDir, `${key}.lock`), 'a', 0o600));
    const now = new Date();
    utimesSync(join(cacheDir, `${key}.lock`), now, now);
  } catch {
    // Then it is not this user's.
  }
}

/** Whether a process that noted its use may still run. Fails closed for processes that cannot be seen from here. */
export function isInUse(cacheDir: string, key: string, table: ProcessTable = systemProcesses): boolean {
  return usesOf(cacheDir, key).some((name) => isLive(name, readFileSync(join(cacheDir, name), 'utf8'), table));
}

export function forgetUses(cacheDir: string, key: string): void {
  for (const name of usesOf(cacheDir, key)) rmSync(join(cacheDir, name), { force: true });
}

/** Null: it was never used. */
export function lastUseMs(cacheDir: string, key: string): number | null {
  return statSync(join(cacheDir, `${key}.lock`), { throwIfNoEntry: false })?.mtimeMs ?? null;
}

function usesOf(cacheDir: string, key: string): readonly string[] {
  try {
    return readdirSync(cacheDir).filter((name) => USE.exec(name)?.[1] === key);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
}

function isLive(name: string, mark: string, table: ProcessTable): boolean {
  const [, , pid = '0', started] = USE.exec(name) ?? [];
  const [bootId, namespace] = mark.split(' ');
  if (bootId !== table.bootId) return false;
  return namespace !== table.pidNamespace || table.startedOf(Number(pid)) === started;
}
