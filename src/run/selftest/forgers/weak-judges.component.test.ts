import { anyWithCode } from '../../../engines/self-test.ts';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { gatherFacts } from '../../../admission/gather.ts';
import { readAdmissions } from '../../../admission/records/read.ts';
import { fakeEngine } from '../../../engines/fake/engine.ts';
import { loadOrCreateKey } from '../../../evidence/bundle/keys.ts';
import { SecretPatterns } from '../../../evidence/secrets/patterns.ts';
import { systemClock } from '../../../kernel/clock.ts';
import { findTask, readTask } from '../../../task/task-directory.ts';
import { NO_POLICY } from '../../approvals/policy.ts';
import { NO_OBSERVER, type RunRequest } from '../../request.ts';
import { playForger, PRETEND, SEEN_IN_DIFF } from './forger.ts';
import * as weak from './weak-judges.ts';

const PYTEST = 'python3 -m pytest -q';
const root = mkdtempSync(join(tmpdir(), 'weak-judges-'));
let request: RunRequest;

beforeAll(() => {
  const task = readTask(findTask('r1-string-slugify', '/'));
  const secrets = new SecretPatterns([]);
  const noAdmissions = {
    env: {},
    cwd: root,
    admissions: readAdmissions(root),
    disabled: [],
    temporary: [],
    modelFor: () => null,
    cacheDir: null,
    earnedStage: () => 0,
  };
  mkdirSync(join(root, 'runs'));
  request = {
    environment: {
      runsDir: join(root, 'runs'),
      key: loadOrCreateKey({ HOME: root }),
      clock: systemClock,
      confine: 'bubblewrap',
      readOnly: [],
      covered: [],
      targetPaths: [],
      protectedRoots: [],
      harnessRoots: { around: [], compared: [] },
      admission: (requested, run) => gatherFacts(requested, noAdmissions, run),
      models: { upstream: () => null, budgets: () => ({}), certificates: null },
      approvals: NO_POLICY,
      ask: null,
      tools: { path: process.env['PATH'] ?? '', cacheDir: join(root, 'tools') },
      provision: { cacheDir: null, env: {}, files: [], secrets },
      secrets,
    },
    terms: task.terms,
    inputs: task,
    solutionDir: task.solutionDir,
    taskDir: task.dir,
    engine: fakeEngine(),
    watch: NO_OBSERVER,
    signal: new AbortController().signal,
  };
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function accepts(judge: weak.WeakJudge, script: string): Promise<boolean | undefined> {
  const forger = { name: 'tried', script, weak: judge, reason: anyWithCode('tests_failed'), ...SEEN_IN_DIFF };
  return (await playForger(forger, request)).weak?.fooled;
}

/** A judge that accepts everything, or nothing, would show nothing about those it is tried with. */
test.each<[weak.WeakJudge, string, string]>([
  [weak.exitCodeJudge(PYTEST), 'solve', PRETEND],
  [weak.ownTestsPass(PYTEST), 'solve', PRETEND],
  [weak.ownRepository('git status'), 'solve', 'solve; echo x > UNASKED.md'],
  [weak.ownRepository('git diff'), 'solve', 'solve; echo x >> README.md'],
  [weak.ownRepository('git commit'), 'solve', 'solve; echo x > UNASKED.md'],
  [weak.itsWord('passed'), 'solve; echo passed', 'echo passed; exit 1'],
  [weak.reportFile('report.json', '"pass"'), `echo '"pass"' > report.json`, `echo '"fail"' > report.json`],
  [weak.harnessThat('does nothing more', 'true'), 'solve', PRETEND],
  [weak.copierThatFollows('notes.txt', ':'), 'ln -s /etc/passwd notes.txt', 'echo mine > notes.txt'],
])(
  '$name: accepts what is plainly good and refuses what is plainly not',
  { timeout: 60_000 },
  async (judge, good, bad) => {
    expect([await accepts(judge, good), await accepts(judge, bad)]).toEqual([true, false]);
  },
);
