import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { clear, plain, repository, seatrialIn } from './ground.mjs';
import { median, timeAndBytesOf } from './measure.mjs';

/** Files of the repository, and their megabytes. */
const SIZES = { 10: 0.1, 2500: 50, 25_000: 100, 100_000: 100 };
const ADDED_MS = 500;
/** What the command changes is a few bytes; the rest is the bundle. */
const WRITTEN_MB = 10;

let smallest = null;

/** Runs on repositories of growing size: the first on an empty cache, and later ones. A later run must cost what the change costs. */
export const BENCHMARKS = Object.fromEntries(
  Object.entries(SIZES).map(([files, megabytes]) => [
    files,
    {
      title: `run --repo, ${files} files of ${megabytes} MB, against cp -a and a bare script`,
      asked: `later runs <= ${ADDED_MS} ms over the smallest and <= ${WRITTEN_MB} MB written`,
      rounds: 3,
      measure: (rounds) => measureSize(files, megabytes, rounds),
      within: ({ later_ms, later_mb }) =>
        later_mb <= WRITTEN_MB && (smallest === null || later_ms <= smallest + ADDED_MS),
    },
  ]),
);

function measureSize(files, megabytes, rounds) {
  const name = `size-${files}`;
  const repo = repository(name, Number(files), megabytes);
  clear(name);
  const run = seatrialIn(name, ...changing(repo));
  const first = timeAndBytesOf(run);
  const [later, peer] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    later.push(timeAndBytesOf(run));
    const copy = join(run.cwd, 'copy');
    peer.push(timeAndBytesOf(copying(repo, copy)));
    // Outside of the measured time.
    rmSync(copy, { recursive: true });
  }
  clear(name);
  const middle = (all, key) => median(all.map((one) => one[key]));
  const figures = {
    first_ms: first.ms,
    first_mb: first.megabytes,
    later_ms: middle(later, 'ms'),
    later_mb: middle(later, 'megabytes'),
    peer_ms: middle(peer, 'ms'),
    peer_mb: middle(peer, 'megabytes'),
  };
  smallest ??= Number(files) === 10 ? figures.later_ms : null;
  return figures;
}

/** A command that changes one file, and a trivial test. */
function changing(repo) {
  const engine = ['--engine', 'command', '--command', 'echo yes > answer'];
  return ['run', '--repo', repo, '--ask', 'answer', '--test', 'sh test.sh', '--accept', 'exit_code', ...engine];
}

/** The same without any proof: a copy, the change, the test. */
function copying(repo, to) {
  const script = 'cp -a "$1" "$2" && cd "$2" && echo yes > answer && sh test.sh';
  return plain('sh', '-c', script, 'sh', repo, to);
}

export function row(files, { first_ms, first_mb, later_ms, later_mb, peer_ms, peer_mb, ok, asked }) {
  const cell = (what, ms, mb) => `${what} ${ms.toFixed(0)} ms, ${mb.toFixed(0)} MB`.padStart(28);
  const cells = [cell('first', first_ms, first_mb), cell('later', later_ms, later_mb), cell('peer', peer_ms, peer_mb)];
  return `${files.padStart(7)} files ${cells.join(' ')}   ${ok ? 'ok' : 'MISSED'} (${asked})`;
}
