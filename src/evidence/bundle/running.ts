import { readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { prettyJson } from '../../kernel/canonical.ts';
import { systemCode } from '../../kernel/errors.ts';
import { linkNew, makeDirs } from '../storage/durable.ts';
import { liveEntry, type LiveEntry } from '../schema/running.ts';

const SUFFIX = '.json';

export const liveDir = (runsDir: string): string => join(runsDir, '.live');
/** Answers to the questions of a run that goes on; removed with its entry. */
export const answersDir = (runsDir: string, runId: string): string => join(liveDir(runsDir), `${runId}.answers`);
const entryPath = (runsDir: string, runId: string): string => join(liveDir(runsDir), `${runId}${SUFFIX}`);

/** Identifies a process on this machine within the current boot. */
export interface ProcessTable {
  readonly bootId: string;
  readonly pidNamespace: string;
  /** Start time of the process in clock ticks, or null if the pid does not exist. */
  startedOf(pid: number): string | null;
}

export const systemProcesses: ProcessTable = {
  get bootId() {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  },
  get pidNamespace() {
    return readlinkSync('/proc/self/ns/pid');
  },
  startedOf(pid) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      // The command name in parentheses can contain anything, so count fields from its end; the next field is the
      // third.
      return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[22 - 3] ?? null;
    } catch {
      return null;
    }
  },
};

/** Fails closed: if the process is in another pid namespace and cannot be checked, the run counts as alive. */
export function isAlive(entry: LiveEntry, table: ProcessTable): boolean {
  if (entry.boot_id !== table.bootId) return false;
  if (entry.pid_namespace !== table.pidNamespace) return true;
  const started = table.startedOf(entry.pid);
  return started !== null && (entry.pid_started === null || started === entry.pid_started);
}

/** The process that owns a run, and the facts needed to finish the run without it. */
export type RunOwner = Pick<LiveEntry, 'pid' | 'scratch' | 'secrets'>;

/** Claims a run id for this process. Returns false if another run already has it. */
export function claimRunId(
  runsDir: string,
  runId: string,
  { pid, scratch, secrets }: RunOwner,
  table: ProcessTable,
): boolean {
  const dir = liveDir(runsDir);
  makeDirs(dir);
  const entry: LiveEntry = {
    run_id: runId,
    pid,
    pid_started: table.startedOf(pid),
    boot_id: table.bootId,
    pid_namespace: table.pidNamespace,
    scratch,
    ...(secrets === undefined ? {} : { secrets }),
  };
  return linkNew(entryPath(runsDir, runId), prettyJson(entry));
}

export function readLiveEntry(runsDir: string, runId: string): LiveEntry | null {
  try {
    return liveEntry.parse(JSON.parse(readFileSync(entryPath(runsDir, runId), 'utf8')));
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}

export function dropLiveEntry(runsDir: string, runId: string): void {
  rmSync(answersDir(runsDir, runId), { recursive: true, force: true });
  rmSync(entryPath(runsDir, runId), { force: true });
}

/** Run ids with an entry, whether or not their process is alive. */
export function liveRunIds(runsDir: string): readonly string[] {
  try {
    const names = readdirSync(liveDir(runsDir));
    return names.filter((name) => name.endsWith(SUFFIX)).map((name) => name.slice(0, -SUFFIX.length));
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return [];
    throw error;
  }
}
