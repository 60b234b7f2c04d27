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

/**
 * Ends every process that has a file of the scratch folder open, should the harness die without a word. Bubblewrap dies with its
 * parent, but only from the moment on that it has asked the kernel for that: one that was just being born would wait for ever.
 * Returns what takes the guard away.
 */
export function startOrphanReaper(scratch: string): () => void {
  const pattern = `${scratch.replace(/[\\*?[\]]/g, '\\$&')}/*`;
  const guard = spawnCommand({
    file: '/bin/sh',
    args: ['-c', END_WHAT_IS_LEFT, 'seatrial-guard', pattern],
    env: { PATH: '/usr/bin:/bin' },
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
    identity: null,
    ownGroup: true,
  });
  guard.on('error', () => {}); // without a shell nothing could be run at all
  guard.stdin?.on('error', () => {});
  guard.unref();
  return () => guard.kill('SIGKILL');
}
