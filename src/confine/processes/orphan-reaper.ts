import type { ChildProcess } from 'node:child_process';
import { spawnCommand } from './spawn.ts';

/**
 * Reads `+<pattern>` and `-<pattern>`, for `find`, until the end of its stdin, which means that the harness has died. Then it kills what has a
 * file of a pattern open that was not taken back. Scans at least twice.
 */
const END_WHAT_IS_LEFT = `
trap '' HUP INT TERM
set -f
end='
'
told=$end
while IFS= read -r line; do told=$told$line$end; done
IFS=$end
set --
for line in $told; do
  case $line in -*) continue;; esac
  case $told in *"$end-\${line#+}$end"*) ;; *) set -- "$@" -o -lname "\${line#+}";; esac
done
[ $# != 0 ] || exit 0
shift
set +f
for again in 1 2 3 4 5 6 7 8 9; do
  left=$(find /proc/[0-9]*/fd -maxdepth 1 \\( "$@" \\) 2> /dev/null | cut -d/ -f3 | sort -u)
  [ -n "$left" ] || [ "$again" = 1 ] || exit 0
  [ -z "$left" ] || kill -9 $left 2> /dev/null
  sleep 0.2
done
`;

function startGuard(): ChildProcess {
  const guard = spawnCommand({
    file: '/bin/sh',
    args: ['-c', END_WHAT_IS_LEFT, 'seatrial-guard', String(process.pid)],
    env: { PATH: '/usr/bin:/bin' },
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
    identity: null,
    ownGroup: true,
  });
  guard.on('error', () => {}); // without /bin/sh no command could start either
  guard.stdin?.on('error', () => {});
  return guard;
}

/** Of every file below. `?` stands for a line break too, which would end the pattern. */
const patternOf = (scratch: string): string => `${scratch.replace(/[\\*?[\]]/g, '\\$&').replaceAll('\n', '?')}/*`;

/** The guard of this process and the scratch directories that it watches. One serves all runs at a time: to start a process takes this one milliseconds. */
let shared: { readonly guard: ChildProcess; readonly watched: Set<string> } | null = null;

/**
 * Kills every process that has a file of the scratch directory open if the harness dies without cleaning up. Bubblewrap dies with its
 * parent, but only once it has set its parent-death signal; one that is just starting would hang forever.
 * Returns a function that stops the reaper.
 */
export function startOrphanReaper(scratch: string): () => void {
  if (shared === null || shared.guard.exitCode !== null || shared.guard.signalCode !== null) {
    shared = { guard: startGuard(), watched: new Set() };
    shared.guard.unref();
  }
  const { guard, watched } = shared;
  watched.add(scratch);
  guard.stdin?.write(`+${patternOf(scratch)}\n`);
  return () => {
    watched.delete(scratch);
    guard.stdin?.write(`-${patternOf(scratch)}\n`);
    if (watched.size > 0) return;
    guard.kill('SIGKILL');
    if (shared?.guard === guard) shared = null;
  };
}

/** The same for a harness that has already died. Resolves when no such process is left; never rejects. */
export function endWhatIsLeft(scratch: string): Promise<void> {
  return new Promise((resolve) => {
    const guard = startGuard();
    guard.once('error', () => resolve());
    guard.once('close', () => resolve());
    guard.stdin?.end(`+${patternOf(scratch)}\n`);
  });
}
