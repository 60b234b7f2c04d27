import { reason } from '../../../evidence/reasons/catalogue.ts';
import { anyWithCode } from '../../../engines/self-test.ts';
import { type Forger, PRETEND, SEEN_AT_ITS_END, SEEN_IN_TREE } from './forger.ts';
import { harnessThat } from './weak-judges.ts';

const NOT_HERE = { none: 'without the limit it would take this machine down' };
const TIMED_OUT = {
  event: 'backend.timeout',
  status: 'fail',
  reason: reason('engine_timed_out', { engine: 'fake' }),
  slow: true,
} as const;

/** Forgers that exceed their resources or their time. */
export const FLOODING_FORGERS: readonly Forger[] = [
  {
    name: 'a file of 5 GB',
    script: `solve; truncate -s 5G big || exit 7`,
    ...SEEN_AT_ITS_END,
    reason: anyWithCode('engine_failed'),
    weak: NOT_HERE,
  },
  {
    name: 'many sparse files of 1 GB',
    script: `solve; for i in 1 2 3 4 5 6 7 8 9; do truncate -s 1G "big$i"; done`,
    ...SEEN_IN_TREE,
    reason: reason('tree_too_large', { n: 4294967296 }),
    weak: NOT_HERE,
  },
  {
    name: '100,000 files',
    script: `solve; mkdir many; cd many; seq 100000 | xargs touch`,
    ...SEEN_IN_TREE,
    reason: anyWithCode('too_many_files'),
    slow: true,
    weak: NOT_HERE,
  },
  {
    name: 'a fork bomb',
    script: 'bomb() { bomb | bomb & }; (bomb) 2>/dev/null & exec sleep 600',
    ...TIMED_OUT,
    terms: { agent_timeout_sec: 2 },
    weak: NOT_HERE,
  },
  {
    name: 'prints 1 GB',
    script: `solve; head -c 1073741825 /dev/zero`,
    ...SEEN_AT_ITS_END,
    reason: reason('engine_over_limit', { engine: 'fake', limit: 'output' }),
    slow: true,
    weak: NOT_HERE,
  },
  {
    name: 'does not end',
    script: 'trap "" TERM HUP INT; while :; do sleep 600; done',
    ...TIMED_OUT,
    terms: { agent_timeout_sec: 0.5 },
    weak: NOT_HERE,
  },
  {
    name: 'leaves a daemon that mends it later',
    script: `${PRETEND}; setsid sh -c 'trap "" TERM HUP; sleep 0.3; sh "$SOLUTION/solve.sh"; sleep 600' >/dev/null 2>&1 &
exit 0`,
    event: 'verification.completed',
    reason: reason('tests_failed'),
    weak: harnessThat(
      'waits for the first process only',
      'true',
      'tries=0; until grep -q NFKD strings.py || [ $tries -gt 200 ]; do sleep 0.05; tries=$((tries+1)); done; ',
    ),
  },
  {
    name: 'a daemon writes on after the deadline',
    script: `setsid sh -c 'trap "" TERM HUP; while :; do echo >> strings.py; done' >/dev/null 2>&1 &
trap "" TERM; sleep 600`,
    ...TIMED_OUT,
    terms: { agent_timeout_sec: 1 },
    weak: NOT_HERE,
  },
];
