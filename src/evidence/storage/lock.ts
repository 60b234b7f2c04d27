/*
 * Locks by flock(1): node has no call for flock, and lock files of packages outlive a killed process.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { messageOf, SeatrialError, systemCode } from '../../kernel/errors.ts';
import { openNoFollow } from './no-follow.ts';

const PATIENCE_MS = 120_000;

/** Releases the lock. Call once. */
export type Release = () => void;

const queues = new Map<string, Promise<void>>();

/** Runs `work` while holding the lock on a file; see `acquireLock`. */
export async function withLock<T>(
  file: string,
  work: () => T | Promise<T>,
  patienceMs = PATIENCE_MS,
  signal?: AbortSignal,
): Promise<T> {
  const release = await acquireLock(file, patienceMs, signal);
  try {
    return await work();
  } finally {
    release();
  }
}

/**
 * Takes `flock(2)` on a file, creating it if missing. A child process holds the lock and lives only as long as our end
 * of its pipe is open, so the kernel releases the lock however this process ends. Callers within one process queue up.
 * `signal` aborts waiting, not holding.
 */
export async function acquireLock(file: string, patienceMs = PATIENCE_MS, signal?: AbortSignal): Promise<Release> {
  const before = queues.get(file) ?? Promise.resolve();
  let leave: Release = () => {};
  const mine = before.then(() => new Promise<void>((resolve) => (leave = resolve)));
  queues.set(file, mine);
  const done = (): void => {
    leave();
    if (queues.get(file) === mine) queues.delete(file);
  };
  await before;
  try {
    makeLockFile(file);
    const holder = await holdLock(file, patienceMs, signal);
    return () => {
      holder.stdin?.end(); // the child's exit frees the lock; the next waiter depends on the kernel, not on this process
      done();
    };
  } catch (error) {
    done();
    throw error;
  }
}

/** Created here because `flock` would follow a symbolic link. */
function makeLockFile(file: string): void {
  try {
    closeSync(openNoFollow(file, 'touch'));
  } catch (error) {
    const why = systemCode(error) === 'ELOOP' ? 'it is a symbolic link; remove it' : messageOf(error);
    throw new SeatrialError('evidence', `cannot lock ${file}: ${why}`, error);
  }
}

function holdLock(file: string, patienceMs: number, signal?: AbortSignal): Promise<ChildProcess> {
  return new Promise((resolve, reject) => {
    // `cat` starts only once the lock is held, so the echoed byte confirms the lock. Its own process group keeps a
    // Ctrl-C on the terminal from releasing the lock during the work.
    const child = spawn('flock', [file, 'cat'], {
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C' },
    });
    let problem = '';
    const fail = (text: string, cause?: unknown): void => {
      settle();
      child.stdin.destroy();
      reject(new SeatrialError('evidence', text, cause));
    };
    const giveUp = (): void => {
      child.kill();
      fail(`waiting for the lock ${file} was interrupted`);
    };
    const settle = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
    };
    signal?.addEventListener('abort', giveUp, { once: true });
    const timer = setTimeout(() => {
      child.kill();
      fail(`cannot get the lock ${file} within ${patienceMs / 1000} s; is another seatrial stuck there?`);
    }, patienceMs);
    child.stdin.on('error', () => undefined); // the child's exit gives a better reason than EPIPE
    child.stderr.on('data', (chunk: Buffer) => (problem += chunk.toString()));
    child.once('error', (error) => {
      const missing = systemCode(error) === 'ENOENT';
      fail(missing ? 'flock is not installed; install util-linux' : `cannot lock ${file}: ${messageOf(error)}`, error);
    });
    child.once('close', () => fail(`cannot lock ${file}: ${problem.trim() || 'flock ended'}`));
    child.stdout.once('data', () => {
      settle();
      resolve(child);
    });
    child.stdin.write('\n');
  });
}
