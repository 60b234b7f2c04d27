import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ATTESTATION_FILE, MANIFEST_FILE } from '../../src/evidence/bundle/manifest.ts';
import type { Followed } from './followed.ts';
import { descendantsOf } from './processes.ts';
import { pick, type Random } from './random.ts';
import { Ground } from './scene.ts';
import { SmallDisk } from './small-disk.ts';

/** Something that goes wrong in the middle of a run, and how the machine is mended afterwards. */
export interface Strike {
  readonly ground: Ground;
  /** False: there was nothing to strike. */
  hit(run: Followed, random: Random): Promise<boolean>;
  mend(): void;
}

const NOTHING_TO_MEND = (): void => {};

export const STRIKES = {
  'bwrap killed': (): Strike => ({ ground: new Ground('caller'), hit: killBubblewrap, mend: NOTHING_TO_MEND }),
  'runs disk full': (): Strike => fullDisk(new Ground('caller'), (ground) => ground.dir(ground.place.runs)),
  'tmp disk full': (): Strike => fullDisk(new Ground('caller'), (ground) => ground.tmp),
  'read-only': (): Strike => readOnly(new Ground('plain')),
  replaced: (): Strike => replaced(new Ground('caller')),
} as const;

/** What only root can stage. */
export const NEEDS_ROOT: ReadonlySet<string> = new Set(['runs disk full', 'tmp disk full']);

export function killHarness(run: Followed): Promise<boolean> {
  return Promise.resolve(run.ended === null && run.running.child.kill('SIGKILL'));
}

async function killBubblewrap(run: Followed, random: Random): Promise<boolean> {
  while (run.ended === null) {
    const [first, ...rest] = descendantsOf(run.pid).filter(({ name }) => name === 'bwrap');
    if (first !== undefined && killNow(pick([first, ...rest], random).pid)) return true;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  return false;
}

/** False: it has just ended by itself. */
function killNow(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
}

const DISK_BYTES = 24 * 1024 * 1024;

function fullDisk(ground: Ground, dirOf: (ground: Ground) => string): Strike {
  const disk = new SmallDisk(dirOf(ground), DISK_BYTES);
  return {
    ground,
    hit: (_run, random) => {
      disk.fill(Math.floor(random() * 5) * 4096);
      return Promise.resolve(true);
    },
    mend: () => disk.free(),
  };
}

function readOnly(ground: Ground): Strike {
  const closed: string[] = [];
  return {
    ground,
    hit: (run, random) => {
      const runDir = run.runId === null ? ground.dir(ground.place.runs) : join(ground.place.runs, run.runId);
      const path = pick([runDir, ground.place.runs], random);
      closed.push(path);
      chmodSync(path, 0o555);
      return Promise.resolve(true);
    },
    mend: () => closed.forEach((path) => chmodSync(path, 0o755)),
  };
}

const REPLACEABLE = ['patch.diff', 'test.log', 'backend', 'report.md', 'manifest.json', 'report.json.tmp'] as const;

/** Something else lies where an artifact belongs, or the whole directory is another. */
function replaced(ground: Ground): Strike {
  const undo: (() => void)[] = [];
  return {
    ground,
    hit: (run, random) => {
      if (run.runId === null) return Promise.resolve(false);
      const dir = join(ground.place.runs, run.runId);
      // What is listed was looked at for the last time: `verify` tells of what others do to it from now on.
      if (existsSync(join(dir, MANIFEST_FILE))) return Promise.resolve(false);
      const path = random() < 0.25 ? dir : join(dir, pick(REPLACEABLE, random));
      const aside = `${join(ground.place.root, 'aside')}-${undo.length}`;
      const wasThere = existsSync(path);
      if (wasThere) renameSync(path, aside);
      if (path.endsWith('backend')) writeFileSync(path, 'in the way\n');
      else mkdirSync(path);
      undo.push(() => {
        // A bundle that was sealed without the file takes no further one.
        if (path !== dir && existsSync(join(dir, ATTESTATION_FILE))) return;
        const inTheWay = path === dir || path.endsWith('backend') || readdirSync(path).length === 0;
        if (inTheWay) rmSync(path, { recursive: true, force: true });
        if (wasThere && !existsSync(path)) renameSync(aside, path);
      });
      return Promise.resolve(true);
    },
    mend: () => undo.forEach((put) => put()),
  };
}
