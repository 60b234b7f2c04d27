import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Place, writeBelow } from '../support/seatrial.ts';

/** The steps of a run as it names them on stderr; `start` is all before the first of them. */
export const STEPS = [
  'start',
  'contract',
  'eligibility',
  'checks',
  'provision',
  'workspace',
  'engine',
  'freeze',
  'diff',
  'review',
  'approvals',
  'judge',
  'control',
  'seal',
] as const;
export type Step = (typeof STEPS)[number];

export const isStep = (text: string): text is Step => STEPS.some((step) => step === text);

/** What the harness is busy with when it is struck. */
export interface Workload {
  readonly name: string;
  readonly args: readonly string[];
  /** Steps that it spends no time in. */
  readonly lacks: readonly Step[];
}

const FILES = 400;
const APPROVALS = Array.from({ length: 60 }, (_, index) => `action-${index}`);
const CHANGE = 'for file in part-*3; do echo yes > "$file"; done; echo yes > answer.txt; sleep 0.1';

/** Every step of this task takes long enough to be struck: many files, a setup, a reviewer, approvals. */
const LONG_TASK = {
  toml: [
    '[agent]\ntimeout_sec = 60\n[verifier]\ntimeout_sec = 60\n[seatrial]',
    'test_command = "sh test.sh"',
    'setup_command = "sleep 0.1; for n in 1 2 3 4 5 6 7 8 9; do echo made > made-$n; done"',
    'review = "sleep 0.1; exit 0"',
    `approvals = ${JSON.stringify(APPROVALS)}\n`,
  ].join('\n'),
  files: {
    'answer.txt': 'no\n',
    ...Object.fromEntries(Array.from({ length: FILES }, (_, index) => [`part-${index}`, `part ${index}\n`])),
  },
  tests: { 'test.sh': 'sleep 0.1\nif [ "$(cat answer.txt)" = yes ]; then ok answer; else not_ok answer; fi\n' },
  solve: CHANGE,
};

const LONG: Workload = { name: 'long, fake', args: ['./long'], lacks: ['control'] };
const CONTROLLED: Workload = {
  name: 'long, command',
  args: ['./long', '--engine', 'command', '--command', CHANGE],
  lacks: [],
};
const PLAIN: Workload = {
  name: 'r1-string-slugify',
  args: ['r1-string-slugify'],
  lacks: ['provision', 'review', 'approvals', 'control'],
};
const REPOSITORY_FILES = { ...LONG_TASK.files, 'tests/check.sh': LONG_TASK.tests['test.sh'] };
/** The same change to a repository, whose files are shared by runs or copied. */
const onRepository = (workspace: 'overlay' | 'copy'): Workload => ({
  name: `repository, ${workspace}`,
  args: [
    '--repo',
    './repository',
    '--ask',
    'Answer.',
    '--test',
    'sh tests/check.sh',
    '--workspace',
    workspace,
    '--engine',
    'command',
    '--command',
    CHANGE,
    '--review',
    'sleep 0.1',
  ],
  lacks: ['provision', 'approvals'],
});
/** The shortest: what shows that a next run works. */
export const ANSWER: Workload = { name: 'answer', args: ['./answer'], lacks: ['control'] };

export const WORKLOADS: readonly [Workload, ...Workload[]] = [
  LONG,
  CONTROLLED,
  PLAIN,
  onRepository('overlay'),
  onRepository('copy'),
];

export function layTasks(place: Place): void {
  place.task('long', LONG_TASK);
  place.task('answer');
  const repository = join(place.cwd, 'repository');
  writeBelow(repository, REPOSITORY_FILES);
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
  for (const args of [['init'], ['add', '--all'], [...identity, 'commit', '--message', 'first']])
    execFileSync('git', args, { cwd: repository, stdio: 'pipe' });
  const granted = APPROVALS.map((action) => `${action} = "grant"`).join('\n');
  writeFileSync(join(place.cwd, 'seatrial.toml'), `[approvals]\n${granted}\n`);
}
