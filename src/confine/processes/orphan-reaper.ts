import type { ChildProcess } from 'node:child_process';
import { spawnCommand } from './spawn.ts';

/** Waits for the end of its input, which is the end of the harness: nothing else ever comes. It looks twice at least. `$1` is a pattern of `find`. */
const END_WHAT_IS_LEFT = `
trap '' HUP INT TERM
read -r nothing
for again in 1 2 3 4 5 6 7 8 9; do
  left=$(find /proc/[0-9]*/fd -maxdepth 1 -lname "$1" 2> /dev/null | cut -d/ -f3 | sort -u)
  [ -n "$left" ] || [ "$again" = 1 ] || exit 0
  [ -z "$left" ] || kill -9 $left 2> /dev/null
  sleep 0.2
done
`;

const guardOf = (scratch: string, stdin: 'pipe' | 'ignore'): ChildProcess =>
  spawnCommand({
    file: '/bin/sh',
    args: ['-c', END_WHAT_IS_LEFT, 'seatrial-guard', `${scratch.replace(/[\\*?[\]]/g, '\\$&')}/*`],
    env: { PATH: '/usr/bin:/bin' },
    cwd: '/',
    stdio: [stdin, 'ignore', 'ignore'],
    identity: null,
    ownGroup: true,
  });

/**
 * Ends every process that has a file of the scratch folder open, should the harness die without a word. Bubblewrap dies with its
 * parent, but only from the moment on that it has asked the kernel for that: one that was just being born would wait for ever.
 * Returns what takes the guard away.
 */
export function startOrphanReaper(scratch: string): () => void {
  const guard = guardOf(scratch, 'pipe');
  guard.on('error', () => {}); // without a shell nothing could be run at all
  guard.stdin?.on('error', () => {});
  guard.unref();
  return () => guard.kill('SIGKILL');
}

/** The same for a harness that is dead already. Resolves when nothing of it is left; never rejects. */
export function endWhatIsLeft(scratch: string): Promise<void> {
  return new Promise((resolve) => {
    const guard = guardOf(scratch, 'ignore');
    guard.once('error', () => resolve());
    guard.once('close', () => resolve());
  });
}
