import type { ChildProcess } from 'node:child_process';
import { spawnCommand } from './spawn.ts';

/** Waits for end of file on stdin, which means that the harness has died. Scans at least twice. `$1` is a pattern for `find`. */
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
 * Kills every process that has a file of the scratch directory open if the harness dies without cleaning up. Bubblewrap dies with its
 * parent, but only once it has set its parent-death signal; one that is just starting would hang forever.
 * Returns a function that stops the reaper.
 */
export function startOrphanReaper(scratch: string): () => void {
  const guard = guardOf(scratch, 'pipe');
  guard.on('error', () => {}); // without /bin/sh no command could start either
  guard.stdin?.on('error', () => {});
  guard.unref();
  return () => guard.kill('SIGKILL');
}

/** The same for a harness that has already died. Resolves when no such process is left; never rejects. */
export function endWhatIsLeft(scratch: string): Promise<void> {
  return new Promise((resolve) => {
    const guard = guardOf(scratch, 'ignore');
    guard.once('error', () => resolve());
    guard.once('close', () => resolve());
  });
}
