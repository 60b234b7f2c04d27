import { join } from 'node:path';
import { bare, bareRepeated, bundlesIn, clear, plain, ROOT, seatrialIn } from './ground.mjs';
import { interleave, timeOf } from './measure.mjs';

const ONE_SECOND = join(ROOT, 'bench', 'tasks', 'one-second');
const TEN_MS = join(ROOT, 'bench', 'tasks', 'ten-ms');
const SLUGIFY = join(ROOT, 'tasks', 'r1-string-slugify');
const SHELL_TEST = ['sh', 'tests/test.sh'];
const BUNDLES = 1000;
const REPEATS = 100;

/** Each entry measures one figure; `within` checks it against the target in `asked`; `keeps` reuses its runs in the next call. */
export const BENCHMARKS = {
  a: {
    title: 'run, test of 1 s, against a bare script',
    asked: 'ratio <= 1.25',
    rounds: 7,
    measure: (rounds) => against(seatrialIn('a', 'run', ONE_SECOND), bare(ONE_SECOND, ...SHELL_TEST), rounds),
    within: ({ ratio }) => ratio <= 1.25,
  },
  b: {
    title: 'run, test of 10 ms, against a bare script',
    asked: 'overhead <= 150 ms',
    rounds: 21,
    measure: (rounds) => against(seatrialIn('b', 'run', TEN_MS), bare(TEN_MS, ...SHELL_TEST), rounds),
    within: ({ overhead_ms }) => overhead_ms <= 150,
  },
  c: {
    title: '--help, against node -e 0',
    asked: 'ratio <= 1.6',
    rounds: 41,
    measure: (rounds) => against(seatrialIn('c', '--help'), plain(process.execPath, '-e', '0'), rounds),
    within: ({ ratio }) => ratio <= 1.6,
  },
  d: {
    title: `verify --all, ${BUNDLES} bundles, against sha256sum`,
    asked: 'seatrial <= 3000 ms',
    rounds: 5,
    keeps: true,
    measure: verifyMany,
    within: ({ seatrial_ms }) => seatrial_ms <= 3000,
  },
  e: {
    title: `r1-string-slugify x ${REPEATS}, 2 at a time, against xargs -P2`,
    asked: 'throughput >= 0.8',
    rounds: 3,
    measure: (rounds) =>
      against(
        seatrialIn('e', 'run', 'r1-string-slugify', '--repeat', String(REPEATS), '--jobs', '2'),
        bareRepeated(REPEATS, SLUGIFY, 'python3', '-m', 'pytest', '-q'),
        rounds,
        0, // no warm-up: the first of a hundred runs is enough
      ),
    within: ({ throughput }) => throughput >= 0.8,
  },
};

export function against(seatrial, peer, rounds, warmUps = 1) {
  const measured = interleave({ seatrial, peer }, rounds, warmUps);
  const [ours, theirs] = [measured.seatrial.median_ms, measured.peer.median_ms];
  return {
    seatrial_ms: ours,
    peer_ms: theirs,
    overhead_ms: ours - theirs,
    ratio: ours / theirs,
    throughput: theirs / ours,
    times_ms: { seatrial: measured.seatrial.times_ms, peer: measured.peer.times_ms },
  };
}

/** Uses real bundles instead of copies: each has its own run, signature and ledger entry. They are kept between calls. */
function verifyMany(rounds) {
  const verify = seatrialIn('d', 'verify', '--all');
  makeMissing();
  try {
    timeOf(verify);
  } catch {
    console.log('  the cached bundles for (d) do not verify with this build; creating new ones');
    clear('d');
    makeMissing();
  }
  const runs = join(verify.cwd, 'runs');
  return against(verify, plain('sh', '-c', `find '${runs}' -type f -exec sha256sum {} +`), rounds);
}

function makeMissing() {
  const missing = BUNDLES - bundlesIn('d');
  if (missing <= 0) return;
  console.log(`  creating ${missing} bundles for (d), kept for later calls`);
  timeOf(seatrialIn('d', 'run', TEN_MS, '--repeat', String(missing), '--jobs', '2'));
}

export function row(letter, { title, asked, ok, seatrial_ms, peer_ms, overhead_ms, ratio, throughput }) {
  const columns = [
    `${seatrial_ms.toFixed(0)} ms`.padStart(9),
    `peer ${peer_ms.toFixed(0)} ms`.padStart(14),
    `ratio ${ratio.toFixed(2)}`.padStart(11),
    `throughput ${throughput.toFixed(2)}`.padStart(16),
    `over ${overhead_ms.toFixed(0)} ms`.padStart(13),
  ];
  return `(${letter}) ${title.padEnd(60)} ${columns.join(' ')}   ${ok ? 'ok' : 'MISSED'} (${asked})`;
}
