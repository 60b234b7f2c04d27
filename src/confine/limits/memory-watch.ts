import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { Descendants } from '../processes/descendants.ts';

const PAUSE_MS = 100;
/** At most this part of a processor is spent on measuring. */
const MAX_SHARE = 0.04;
/** Files in memory are looked for this seldom: that takes a look at every open file. */
const LOOKS_PER_FILES = 10;

/**
 * Calls `over` once when the processes below `first` together use more memory than the limit. For machines without a
 * memory cgroup: limits of single processes (RLIMIT_DATA, RLIMIT_AS) count reserved addresses, and sanitizers reserve
 * terabytes. Returns a function that stops the watch.
 */
export function watchMemory(first: number, limitBytes: number, over: () => void): () => void {
  const processes = new Descendants(first);
  let timer: NodeJS.Timeout;
  let looks = 0;
  let inFiles = 0;
  const look = (): void => {
    const started = performance.now();
    const pids = processes.list();
    if (looks++ % LOOKS_PER_FILES === 0) inFiles = memoryFiles(pids);
    // Pages that processes share count in each of them, so this is the upper bound, and cheap.
    const upper = total(pids.map((pid) => memoryIn(pid, 'status', RESIDENT)));
    if (upper + inFiles > limitBytes && exact(pids, memoryFiles(pids)) > limitBytes) return over();
    timer = setTimeout(look, Math.max(PAUSE_MS, (performance.now() - started) / MAX_SHARE));
  };
  timer = setTimeout(look, PAUSE_MS);
  return () => clearTimeout(timer);
}

interface Memory {
  readonly own: number;
  readonly shared: number;
}

interface Rows {
  readonly own: readonly string[];
  readonly shared: readonly string[];
}

const RESIDENT: Rows = { own: ['RssAnon', 'VmSwap'], shared: ['RssShmem'] };
/** Shared pages count in proportion. */
const PROPORTIONAL: Rows = { own: ['Pss_Anon', 'SwapPss'], shared: ['Pss_Shmem'] };

const total = (all: readonly (Memory | null)[]): number =>
  all.reduce((sum, memory) => sum + (memory?.own ?? 0) + (memory?.shared ?? 0), 0);

/** A process can refuse the exact question, and then counts with its upper bound. */
function exact(pids: readonly number[], inFiles: number): number {
  const all = pids.map((pid) => memoryIn(pid, 'smaps_rollup', PROPORTIONAL) ?? memoryIn(pid, 'status', RESIDENT));
  const mapped = all.reduce((sum, memory) => sum + (memory?.shared ?? 0), 0);
  // Files in memory may be mapped too.
  return total(all) - mapped + Math.max(mapped, inFiles);
}

/** Null: the process has ended, or does not say. Pages of files on disk are not counted, since the kernel can drop them. */
function memoryIn(pid: number, file: 'status' | 'smaps_rollup', rows: Rows): Memory | null {
  try {
    const text = readFileSync(`/proc/${pid}/${file}`, 'latin1');
    const sum = (names: readonly string[]): number =>
      names.reduce(
        (bytes, name) => bytes + 1024 * Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1] ?? 0),
        0,
      );
    return { own: sum(rows.own), shared: sum(rows.shared) };
  } catch {
    return null;
  }
}

/** Bytes of open files that lie on no disk (`memfd_create`). */
function memoryFiles(pids: readonly number[]): number {
  const seen = new Map<string, number>();
  for (const pid of pids)
    for (const path of openFiles(pid))
      try {
        if (!readlinkSync(path).startsWith('/memfd:')) continue;
        const { dev, ino, blocks } = statSync(path);
        seen.set(`${dev}:${ino}`, blocks * 512);
      } catch {
        // Closed in the meantime.
      }
  return [...seen.values()].reduce((sum, bytes) => sum + bytes, 0);
}

function openFiles(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).map((name) => `/proc/${pid}/fd/${name}`);
  } catch {
    return [];
  }
}
