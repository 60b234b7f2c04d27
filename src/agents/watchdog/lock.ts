import { closeSync, fsyncSync, ftruncateSync, futimesSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import * as z from 'zod/mini';
import { refOf } from '../../confine/processes/process-life.ts';
import { spawnCommand } from '../../confine/processes/spawn.ts';
import { makeDirs } from '../../evidence/storage/durable.ts';
import { openNoFollow } from '../../evidence/storage/no-follow.ts';
import { prettyJson } from '../../kernel/canonical.ts';
import { SeatrialError } from '../../kernel/errors.ts';

const holder = z.object({ pid: z.int(), start_time: z.string(), fence: z.int() });
/** Who holds the lock of a prefix. */
export type LockHolder = z.infer<typeof holder>;

/** Null: there is no lock file, or it was never taken. */
export function readLockHolder(path: string): LockHolder | null {
  try {
    const parsed = holder.safeParse(JSON.parse(readFileSync(path, 'utf8')));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** The lock of this process. The kernel releases it when the process ends, however it ends. */
export interface WatchdogLock {
  readonly previousFence: number;
  /** Says who holds it, for `up` and `status`. */
  announce(fence: number): void;
  /** A sign of life: the file's time of change. */
  beat(now: Date): void;
  release(): void;
}

/** Null: another process holds it. */
export async function takeWatchdogLock(path: string): Promise<WatchdogLock | null> {
  makeDirs(dirname(path), 0o700);
  const previousFence = readLockHolder(path)?.fence ?? 0;
  closeSync(openNoFollow(path, 'touch', 0o600));
  const fd = openSync(path, 'r+');
  if (!(await flock(fd))) {
    closeSync(fd);
    return null;
  }
  return {
    previousFence,
    announce: (fence) => {
      const self = refOf(process.pid);
      const text = prettyJson({ pid: process.pid, start_time: self?.startTime ?? '', fence } satisfies LockHolder);
      ftruncateSync(fd, 0);
      writeSync(fd, text, 0);
      fsyncSync(fd);
    },
    beat: (now) => futimesSync(fd, now, now),
    release: () => closeSync(fd),
  };
}

/** The lock belongs to the open file, which the child shares with us and outlives it. */
function flock(fd: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const child = spawnCommand({
      file: 'flock',
      args: ['-n', '3'],
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C' },
      cwd: '/',
      stdio: ['ignore', 'ignore', 'ignore', fd],
      identity: null,
    });
    child.once('error', (error) =>
      reject(new SeatrialError('blocked', 'flock is not installed; install util-linux', error)),
    );
    child.once('close', (code) => resolve(code === 0));
  });
}
