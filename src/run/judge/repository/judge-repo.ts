import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { compareTests } from '../../../evidence/report/before-after.ts';
import type { BeforeAfter } from '../../../evidence/schema/report.ts';
import { copyCommit } from '../../../task/git/copy-commit.ts';
import { noTestCommand, readRepositoryDefaults } from '../../../task/ask.ts';
import type { Judging } from '../../../task/contract.ts';
import { NO_PROGRAMS, type Programs } from '../../../confine/tools/caller-programs.ts';
import { withVirtualEnvironment } from '../../../confine/tools/virtual-environment.ts';
import { findToolchain } from '../../toolchain.ts';
import { uncommittedDefaults } from '../../../task/uncommitted.ts';
import { judgeTrees } from '../change/trees/judge-trees.ts';
import { withSealedTests } from '../change/sealed-tests.ts';
import { judge } from '../judge.ts';
import { isolationOf, noteOnChange } from './change-note.ts';
import { guardedFiles } from './guarded-files.ts';
import { type CommitSetup, setUpBase } from './set-up-base.ts';
import type { JudgeRequest, JudgeResult } from '../types.ts';

/** A commit to be judged: by the tests it brings, unless others are given. */
export interface RepoRequest extends Pick<JudgeRequest, 'timeoutMs' | 'nonce' | 'confinement' | 'mask'> {
  readonly repo: string;
  /** Absent: from `.seatrial/task.toml` of the base or, without a base, of the commit. */
  readonly testCommand?: string;
  /** An id, whole or shortened; `HEAD`; a branch or tag. */
  readonly commit: string;
  /** Named in the same way: the commit whose tests must all run again, and pass where they passed. */
  readonly base?: string;
  /** A directory of its own, empty, below the confinement's scratch. */
  readonly scratch: string;
  /** Tests of one's own, in the layout of the repository; judged as a black box, only what lies below their `tests/`. */
  readonly sealedTests?: string | null;
  readonly expectedTests?: readonly string[] | null;
  readonly isolation?: JudgeRequest['isolation'];
  readonly tools?: JudgeRequest['tools'];
  readonly signal?: AbortSignal;
  /** With a base: paths that no change may touch, beside those that never may. */
  readonly guardedPaths?: readonly string[];
  /** With a base: how its dependencies are set up. Absent: not at all. */
  readonly setup?: CommitSetup;
  /** With a base: what a person lets the change do, and wants of it. The rest is in `.seatrial/task.toml` of the base. */
  readonly judging?: Partial<Pick<Judging, 'allow_deciding' | 'must_fix' | 'accept'>>;
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
  readonly proof: 'fixed' | 'kept' | null;
  /** What became of every changed file. */
  readonly decisions: readonly { readonly path: string; readonly kind: string; readonly why: string }[];
}

interface Copied {
  readonly commit: string;
  readonly tree: string;
}

/** Judges cold copies of a commit and of its base. Nothing of the repository but its objects takes part. */
export async function judgeRepo(given: RepoRequest): Promise<RepoResult> {
  const after = await copyInto(given, given.commit, 'tree', 'git');
  const request = withTools(given, after.tree);
  if (request.base === undefined)
    return {
      ...(await judgeCopy(request, after.tree, testCommandOf(request, after.tree, after.tree))),
      commit: after.commit,
      base: null,
    };
  const before = await copyInto(request, request.base, 'base-tree', 'base-git');
  const { timeoutMs, nonce, confinement, mask, tools, signal } = request;
  const testCommand = testCommandOf(request, before.tree, after.tree);
  const programs = await programsFor(request, before.tree, testCommand);
  const setUp = await setUpBase(request, before.tree, programs);
  const judged = await judgeTrees({
    ...setUp,
    baseDir: before.tree,
    patchedDir: after.tree,
    judging: judgingOf(request, before.tree),
    require: 'kept',
    seed: null,
    sealedTests: request.sealedTests ?? null,
    testCommand,
    isolation: request.isolation ?? 'in_process',
    timeoutMs,
    nonce,
    scratch: join(request.scratch, 'bench', 'runs'),
    confinement,
    mask,
    ...(tools === undefined ? {} : { tools }),
    ...(signal === undefined ? {} : { signal }),
  });
  const { base, patched, change } = judged;
  const guarded = await guardedFiles({
    repo: request.repo,
    baseDir: before.tree,
    patchedDir: after.tree,
    guardedPaths: request.guardedPaths ?? [],
  });
  const named = new Set(guarded.map(({ text }) => text));
  const reasons = [...guarded, ...judged.reasons.filter(({ text }) => !named.has(text))];
  const verdict = guarded.length > 0 ? 'fail' : judged.verdict;
  // Of a change that was refused before its tests started there is nothing to show.
  const unstarted = change === null ? {} : { exitCode: null, output: '' };
  const result = patched ?? { ...base, passed: false, seen: [], ...unstarted };
  return {
    ...result,
    ...(change === null ? {} : { isolation: isolationOf(change, result), note: noteOnChange(change, result) }),
    verdict,
    faults: reasons,
    passed: verdict === 'pass',
    commit: after.commit,
    base: {
      commit: before.commit,
      verdict: base.verdict,
      faults: base.faults,
      seen: base.seen,
      tests: compareTests(base.seen, patched?.seen ?? []),
      proof: verdict === 'pass' ? (change?.result?.proof ?? null) : null,
      decisions: (change?.decisions ?? []).map(({ path, kind, sentence }) => ({ path, kind, why: sentence })),
    },
  };
}

async function copyInto({ repo, scratch }: RepoRequest, name: string, dir: string, git: string): Promise<Copied> {
  const tree = join(scratch, dir);
  return { tree, commit: await copyCommit({ repo, name, gitDir: join(scratch, git), target: tree }) };
}

function withTools(request: RepoRequest, tree: string): RepoRequest {
  const { tools } = request;
  return tools === undefined ? request : { ...request, tools: withVirtualEnvironment(tools, request.repo, tree) };
}

function programsFor({ tools }: RepoRequest, tree: string, testCommand: string): Promise<Programs> {
  return tools === undefined ? Promise.resolve(NO_PROGRAMS) : findToolchain(testCommand, tree, tools);
}

function testCommandOf({ testCommand, repo }: RepoRequest, tree: string, committedTree: string): string {
  const known = testCommand ?? readRepositoryDefaults(tree, repo).seatrial?.test_command;
  if (known === undefined) throw noTestCommand(repo, uncommittedDefaults(repo, committedTree));
  return known;
}

function judgingOf({ judging, repo }: RepoRequest, baseTree: string): Judging {
  const { known_failing, accept } = readRepositoryDefaults(baseTree, repo).seatrial ?? {};
  return {
    allow_deciding: judging?.allow_deciding ?? [],
    must_fix: judging?.must_fix ?? [],
    known_failing: known_failing ?? [],
    accept: judging?.accept ?? accept ?? 'tests',
  };
}

async function judgeCopy(request: RepoRequest, workspace: string, testCommand: string): Promise<JudgeResult> {
  const { scratch, timeoutMs, nonce, confinement, mask, tools, signal } = request;
  const own = join(scratch, 'judge');
  mkdirSync(own);
  const sealed = request.sealedTests ?? null;
  const isBlackBox = request.isolation === 'black_box';
  return judge({
    workspace:
      sealed === null || isBlackBox
        ? workspace
        : await withSealedTests(request.confinement, workspace, sealed, join(scratch, 'sealed-tree')),
    sealedTests: sealed === null || !isBlackBox ? null : join(sealed, 'tests'),
    testCommand,
    scriptsIn: workspace,
    programs: await programsFor(request, workspace, testCommand),
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
