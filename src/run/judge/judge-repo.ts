import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { compareTests, NOT_RUN_ON_BASE, regressionsIn, testsRan } from '../../evidence/report/before-after.ts';
import type { BeforeAfter } from '../../evidence/schema/report.ts';
import { copyCommit } from '../../task/git/copy-commit.ts';
import { TESTS_FAILED } from './decide.ts';
import { judge } from './judge.ts';
import { keepScripts } from './command/package-script.ts';
import type { JudgeRequest, JudgeResult } from './types.ts';

/** A commit to be judged: by the tests it brings, unless others are given. */
export interface RepoRequest extends Pick<
  JudgeRequest,
  'testCommand' | 'timeoutMs' | 'nonce' | 'confinement' | 'mask'
> {
  readonly repo: string;
  /** An id, whole or shortened; `HEAD`; a branch or tag. */
  readonly commit: string;
  /** Named in the same way: the commit whose tests must all run again, and pass where they passed. */
  readonly base?: string;
  /** A folder of its own, empty, below the confinement's scratch. */
  readonly scratch: string;
  readonly sealedTests?: string | null;
  readonly expectedTests?: readonly string[] | null;
  readonly isolation?: JudgeRequest['isolation'];
  readonly tools?: JudgeRequest['tools'];
  readonly signal?: AbortSignal;
}

export interface RepoResult extends JudgeResult {
  /** The whole id of what was judged. */
  readonly commit: string;
  /** Null: nothing shows which tests there were before. */
  readonly base: BaseResult | null;
}

interface BaseResult extends Pick<JudgeResult, 'verdict' | 'faults' | 'seen'> {
  readonly commit: string;
  readonly tests: BeforeAfter;
}

interface Copied {
  readonly commit: string;
  readonly tree: string;
}

/** Judges cold copies of a commit and of its base. Nothing of the repository but its objects takes part. */
export async function judgeRepo(request: RepoRequest): Promise<RepoResult> {
  const after = await copyInto(request, request.commit, 'tree', 'git');
  if (request.base === undefined)
    return { ...(await judgeCopy(request, after.tree, after.tree, 'judge')), commit: after.commit, base: null };
  const before = await copyInto(request, request.base, 'base-tree', 'base-git');
  // What `npm test` means is read from the base.
  const scriptsIn = keepScripts(before.tree, join(request.scratch, 'scripts'));
  const based = await judgeCopy(request, before.tree, scriptsIn, 'base-judge');
  const judged = await judgeCopy(request, after.tree, scriptsIn, 'judge');
  const tests = compareTests(based.seen, judged.seen);
  const base = { commit: before.commit, verdict: based.verdict, faults: based.faults, seen: based.seen, tests };
  return { ...judged, ...decideAgainstBase(judged, based, tests), commit: after.commit, base };
}

/** The commit's own verdict, with what it did to the tests of its base. */
function decideAgainstBase(
  judged: JudgeResult,
  based: JudgeResult,
  tests: BeforeAfter,
): Pick<JudgeResult, 'passed' | 'verdict' | 'faults'> {
  const { verdict, faults } = judged;
  if (verdict === 'blocked') return { passed: false, verdict, faults };
  const regressions = regressionsIn(tests).map(({ reason }) => reason);
  const unexplained = faults.every((fault) => fault === TESTS_FAILED);
  const all = unexplained ? [...regressions, ...faults] : [...faults, ...regressions];
  if (all.length > 0) return { passed: false, verdict: 'fail', faults: all };
  if (!testsRan(based)) return { passed: false, verdict: 'blocked', faults: [NOT_RUN_ON_BASE, ...based.faults] };
  return { passed: true, verdict: 'pass', faults: [] };
}

async function copyInto({ repo, scratch }: RepoRequest, name: string, dir: string, git: string): Promise<Copied> {
  const tree = join(scratch, dir);
  return { tree, commit: await copyCommit({ repo, name, gitDir: join(scratch, git), target: tree }) };
}

async function judgeCopy(
  request: RepoRequest,
  workspace: string,
  scriptsIn: string,
  dir: string,
): Promise<JudgeResult> {
  const { scratch, testCommand, timeoutMs, nonce, confinement, mask, tools, signal } = request;
  const own = join(scratch, dir);
  mkdirSync(own);
  return judge({
    workspace,
    sealedTests: request.sealedTests ?? null,
    testCommand,
    scriptsIn,
    expectedTests: request.expectedTests ?? null,
    isolation: request.isolation ?? 'in_process',
    timeoutMs,
    nonce,
    scratch: own,
    confinement,
    mask,
    ...(tools === undefined ? {} : { tools }),
    ...(signal === undefined ? {} : { signal }),
  });
}
