import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { type ProcessTable, systemProcesses } from '../../evidence/bundle/running.ts';
import { systemCode } from '../../kernel/errors.ts';

// Beside an entry `<key>` lies `<key>.lock`, whose time is that of its last use. Every process that may still use it has a file in `uses/`,
// beside the directory of the entries.

const usesDir = (entriesDir: string): string => join(dirname(entriesDir), 'uses');
const useName = (key: string, pid: number, started: string | null): string => `${key}-${pid}-${started ?? '0'}`;
const USE = /^([0-9a-f]{64})-(\d+)-(\d+)$/;

/** Says that this process uses an entry until it ends. To be called before the entry is looked at. A cache that cannot be written is never pruned. */
export function noteUse(entriesDir: string, key: string, table: ProcessTable = systemProcesses): void {
  try {
    const mark = `${table.bootId} ${table.pidNamespace}`;
    mkdirSync(usesDir(entriesDir), { recursive: true, mode: 0o700 });
    writeFileSync(join(usesDir(entriesDir), useName(key, process.pid, table.startedOf(process.pid))), mark);
    closeSync(openSync(join(entriesDir, `${key}.lock`), 'a', 0o600));
    const now = new Date();
    utimesSync(join(entriesDir, `${key}.lock`), now, now);
  } catch {
    // Then it is not this user's.
  }
}

/** Whether a process that noted its use may still run. Fails closed for processes that cannot be seen from here. */
export function isInUse(entriesDir: string, key: string, table: ProcessTable = systemProcesses): boolean {
  return usesOf(entriesDir, key).some((name) =>
    isLive(name, readFileSync(join(usesDir(entriesDir), name), 'utf8'), table),
  );
}

export function forgetUses(entriesDir: string, key: string): void {
  for (const name of usesOf(entriesDir, key)) rmSync(join(usesDir(entriesDir), name), { force: true });
}

/** Null: it was never used. */
export function lastUseMs(entriesDir: string, key: string): number | null {
  return statSync(join(entriesDir, `${key}.lock`), { throwIfNoEntry: false })?.mtimeMs ?? null;
}

function usesOf(entriesDir: string, key: string): readonly string[] {
  try {
    return readdirSync(usesDir(entriesDir)).filter((name) => USE.exec(name)?.[1] === key);
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
