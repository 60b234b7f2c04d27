import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { Descendants } from '../processes/descendants.ts';

const MIN_PAUSE_MS = 100;
/** A program with many processes must not put off the next look. */
const MAX_PAUSE_MS = 1000;
/** Up to the longest pause, this part of a processor is spent on measuring. */
const SHARE = 0.04;
/** How many open files are looked at, because a program can open millions. */
const MAX_OPEN_FILES = 20_000;

/**
 * Calls `over` once when the processes below `first` together use more memory than the limit. For machines without a
 * memory cgroup: limits of single processes (RLIMIT_DATA, RLIMIT_AS) count reserved addresses, and sanitizers reserve
 * terabytes. Returns a function that stops the watch.
 */
export function watchMemory(first: number, limitBytes: number, over: () => void): () => void {
  const processes = new Descendants(first);
  const inFilesAtFirst = machineMemoryFiles();
  let timer: NodeJS.Timeout;
  const look = (): void => {
    const started = performance.now();
    const pids = processes.list();
    // Both are upper bounds, and cheap: shared pages count in each process, and files in memory whoever made them.
    const inFiles = Math.max(0, machineMemoryFiles() - inFilesAtFirst);
    const upper = total(pids.map(resident)) + inFiles;
    if (upper > limitBytes && exact(pids, memoryFiles(pids) ?? inFiles) > limitBytes) return over();
    const pause = (performance.now() - started) / SHARE;
    timer = setTimeout(look, Math.min(Math.max(pause, MIN_PAUSE_MS), MAX_PAUSE_MS));
  };
  timer = setTimeout(look, MIN_PAUSE_MS);
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
  const all = pids.map((pid) => memoryIn(`${pid}/smaps_rollup`, PROPORTIONAL) ?? resident(pid));
  const mapped = all.reduce((sum, memory) => sum + (memory?.shared ?? 0), 0);
  // Files in memory may be mapped too.
  return total(all) - mapped + Math.max(mapped, inFiles);
}

/** A process whose first thread has ended says nothing, but its other threads do. */
function resident(pid: number): Memory | null {
  const own = memoryIn(`${pid}/status`, RESIDENT);
  if (own !== null) return own;
  return entriesOf(`/proc/${pid}/task`).reduce<Memory | null>(
    (found, thread) => found ?? memoryIn(`${pid}/task/${thread}/status`, RESIDENT),
    null,
  );
}

/** Null: the process has ended, or does not say. Pages of files on disk are not counted, since the kernel can drop them. */
function memoryIn(file: string, rows: Rows): Memory | null {
  try {
    const text = readFileSync(`/proc/${file}`, 'latin1');
    const sum = (names: readonly string[]): number => names.reduce((bytes, name) => bytes + bytesInRow(text, name), 0);
    return text.includes(`${rows.own[0]}:`) ? { own: sum(rows.own), shared: sum(rows.shared) } : null;
  } catch {
    return null;
  }
}

/** Bytes of all files in memory on this machine. */
function machineMemoryFiles(): number {
  return bytesInRow(readFileSync('/proc/meminfo', 'latin1'), 'Shmem');
}

/** Bytes of open files that lie on no disk (`memfd_create`). Null: there are too many open files to look at. */
function memoryFiles(pids: readonly number[]): number | null {
  const seen = new Map<string, number>();
  let looked = 0;
  for (const pid of pids)
    for (const name of entriesOf(`/proc/${pid}/fd`)) {
      const path = `/proc/${pid}/fd/${name}`;
      if (++looked > MAX_OPEN_FILES) return null;
      try {
        if (!readlinkSync(path).startsWith('/memfd:')) continue;
        const { dev, ino, blocks } = statSync(path);
        seen.set(`${dev}:${ino}`, blocks * 512);
      } catch {
        // Closed in the meantime.
      }
    }
  return [...seen.values()].reduce((sum, bytes) => sum + bytes, 0);
}

function entriesOf(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
}

/** The bytes in a row such as `RssAnon:   123 kB`; 0 if there is none. */
function bytesInRow(text: string, name: string): number {
  return 1024 * Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1] ?? 0);
}
