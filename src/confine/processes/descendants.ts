import { readdirSync, readFileSync } from 'node:fs';

/** How often the parent of every process is read again, because process ids are reused. */
const FORGET_AFTER = 20;

/** Finds all processes below one. Only new processes are looked at: an outside process never becomes a descendant. */
export class Descendants {
  readonly #root: number;
  readonly #known = new Map<number, boolean>();
  #scans = 0;

  constructor(root: number) {
    this.#root = root;
  }

  /** The root included. */
  list(): number[] {
    if (++this.#scans % FORGET_AFTER === 0) this.#known.clear();
    const pids = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
    const alive = new Set(pids);
    for (const pid of this.#known.keys()) if (!alive.has(pid)) this.#known.delete(pid);
    return pids.filter((pid) => this.#isBelow(pid));
  }

  #isBelow(pid: number): boolean {
    const path: number[] = [];
    let at = pid;
    while (at !== this.#root && at > 1 && !this.#known.has(at)) {
      path.push(at);
      at = parentPid(at);
    }
    const below = at === this.#root || this.#known.get(at) === true;
    for (const one of path) this.#known.set(one, below);
    return below;
  }
}

/** 0: the process has ended. */
export function parentPid(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return 0;
  }
}
