import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { compareTests } from '../../../evidence/report/before-after.ts';
import type { BeforeAfter } from '../../../evidence/schema/report.ts';
import { copyCommit, layCommit, openCommit } from '../../../task/git/copy-commit.ts';
import { layChanges, type TreeChange } from '../../../task/git/lay-changes.ts';
import { obtainCommit } from '../../../task/own-repository.ts';
import { packedDigest } from '../../../task/tree/archive.ts';
import { walkTree } from '../../../task/tree/walk.ts';
import { noTestCommand, readRepositoryDefaults } from '../../../task/ask.ts';
import type { Judging } from '../../../task/contract.ts';
import { NO_PROGRAMS, type Programs } from '../../../confine/tools/caller-programs.ts';
import { withVirtualEnvironment } from '../../../confine/tools/virtual-environment.ts';
import { openConfinementFor } from '../../confinement.ts';
import { layGivenFiles } from '../../engine/given-change.ts';
import { findToolchain } from '../../toolchain.ts';
import type { BaseCache } from '../../trees/base-cache.ts';
import { walkDerived } from '../../trees/derive.ts';
import {
  type JudgedFiles,
  type JudgingEnvironment,
  type JudgingPlace,
  openJudgingPlace,
} from '../../trees/judging-place.ts';
import { REPOSITORY_DEFAULTS, uncommittedDefaults } from '../../../task/uncommitted.ts';
import { keyOfRecord } from '../base/store.ts';
import { judgeTrees, type TreesRequest } from '../change/trees/judge-trees.ts';
import { withSealedTests } from '../change/sealed-tests.ts';
import { judge } from '../judge.ts';
import { isolationOf, noteOnChange } from './change-note.ts';
import { guardedFiles } from './guarded-files.ts';
import { type CommitSetup, type SetUp, type SetUpFacts, setUpBase } from './set-up-base.ts';
import type { JudgeRequest, JudgeResult } from '../types.ts';

/** A commit to be judged: by the tests it brings, unless others are given. */
export interface RepoRequest extends Pick<JudgeRequest, 'timeoutMs' | 'nonce' | 'mask'> {
  readonly environment: JudgingEnvironment;
  /** With a base: where its files are kept between judgements. Null or absent: nowhere. */
  readonly cache?: BaseCache | null;
  readonly repo: string;
  /** Absent: from `.seatrial/task.toml` of the base or, without a base, of the commit. */
  readonly testCommand?: string;
  /** An id, whole or shortened; `HEAD`; a branch or tag. */
  readonly commit: string;
  /** Named in the same way: the commit whose tests must all run again, and pass where they passed. */
  readonly base?: string;
  /** From `makeCommandScratch`, and used for nothing else. */
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

/** Judges a commit, by the tests of its base if there is one. Nothing of the repository but its objects takes part. */
export async function judgeRepo(request: RepoRequest): Promise<RepoResult> {
  if (request.base === undefined) return judgeAlone(request);
  const commits = await openCommits(request, request.base);
  const place = await openJudgingPlace(request.environment, request.scratch, commits);
  try {
    layGivenFiles(place.patchedDir, { kind: 'files', ...commits.changed });
    return await judgeInPlace(withTools(request, place.patchedDir), commits, place);
  } finally {
    place.close();
  }
}

interface JudgedCommits extends JudgedFiles {
  readonly before: string;
  readonly after: string;
  /** What the later one has where they differ. */
  readonly changed: { readonly dir: string; readonly changes: readonly TreeChange[] };
}

async function openCommits({ repo, scratch, commit, cache }: RepoRequest, base: string): Promise<JudgedCommits> {
  const [gitDir, laterGitDir] = [join(scratch, 'base-git'), join(scratch, 'git')];
  const before = await openCommit({ repo, name: base, gitDir });
  const after = await openCommit({ repo, name: commit, gitDir: laterGitDir });
  const kept = cache ? await obtainCommit(cache, { path: repo, gitDir, id: before }) : null;
  const dir = join(scratch, 'changed');
  return {
    before,
    after,
    cached: kept === null ? null : (cache?.entryAt(kept.dir) ?? null),
    lay: (target) => layCommit({ repo, gitDir, target }, before),
    changed: { dir, changes: await layChanges({ gitDir: laterGitDir }, { before, after }, dir, laterGitDir) },
  };
}

async function judgeInPlace(request: RepoRequest, commits: JudgedCommits, place: JudgingPlace): Promise<RepoResult> {
  const { timeoutMs, nonce, mask, tools, signal } = request;
  const { baseDir, patchedDir, confinement, cachedBase } = place;
  const testCommand = testCommandOf(request, baseDir, patchedDir);
  const programs = await programsFor(request, baseDir, testCommand);
  const { facts, ...setUp } = await setUpBase(
    { ...request, confinement },
    { dir: baseDir, archive: commits.cached?.archive ?? null },
    programs,
  );
  const judged = await judgeTrees({
    ...setUp,
    baseDir,
    patchedDir,
    ...(cachedBase === undefined ? {} : { cachedBase }),
    ...(facts === null ? {} : keptRecord(request, testCommand, { ...setUp, ...facts, confinement })),
    judging: judgingOf(request, baseDir),
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
  const walked = cachedBase ?? { dir: baseDir, tree: walkTree(baseDir, { skipTopGit: true }) };
  const guarded = await guardedFiles({
    repo: request.repo,
    base: walked,
    patched: { dir: patchedDir, tree: walkDerived(confinement, patchedDir, walked) },
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
    commit: commits.after,
    base: {
      commit: commits.before,
      verdict: base.verdict,
      faults: base.faults,
      seen: base.seen,
      tests: compareTests(base.seen, patched?.seen ?? []),
      proof: verdict === 'pass' ? (change?.result?.proof ?? null) : null,
      decisions: (change?.decisions ?? []).map(({ path, kind, sentence }) => ({ path, kind, why: sentence })),
    },
  };
}

/** The same key as a run on this base has. */
function keptRecord(
  { tools, sealedTests = null, isolation }: RepoRequest,
  testCommand: string,
  setUp: Pick<SetUp, 'env' | 'variables'> & SetUpFacts & Pick<JudgingPlace, 'confinement'>,
): Pick<TreesRequest, 'kept'> {
  if (tools === undefined || isolation === 'black_box') return {};
  const key = keyOfRecord({
    baseSha256: setUp.baseSha256,
    ...(sealedTests === null ? {} : { sealedSha256: packedDigest(sealedTests).sha256 }),
    testCommand,
    productsSha256: setUp.productsSha256,
    env: { ...setUp.variables, ...setUp.env },
    confine: setUp.confinement.kind,
    path: tools.path,
    programs: setUp.programDigests,
  });
  return { kept: { cacheDir: tools.cacheDir, key } };
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
  if (known !== undefined) return known;
  const later = readRepositoryDefaults(committedTree, repo).seatrial?.test_command;
  throw noTestCommand(
    repo,
    later === undefined
      ? uncommittedDefaults(repo, committedTree)
      : `the base has no ${REPOSITORY_DEFAULTS} with a test_command, and that of the change, ${JSON.stringify(later)}, does not count: give --test '<command>'`,
  );
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

/** By the tests that it brings, in a copy that they may write to. */
async function judgeAlone(given: RepoRequest): Promise<RepoResult> {
  const { repo, scratch, timeoutMs, nonce, mask, signal, environment } = given;
  const workspace = join(scratch, 'tree');
  const commit = await copyCommit({ repo, name: given.commit, gitDir: join(scratch, 'git'), target: workspace });
  const request = withTools(given, workspace);
  const { tools } = request;
  const testCommand = testCommandOf(request, workspace, workspace);
  const confinement = await openConfinementFor(environment, scratch);
  const own = join(scratch, 'judge');
  mkdirSync(own);
  const sealed = request.sealedTests ?? null;
  const isBlackBox = request.isolation === 'black_box';
  const result = await judge({
    workspace:
      sealed === null || isBlackBox
        ? workspace
        : await withSealedTests(confinement, workspace, sealed, join(scratch, 'sealed-tree')),
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
  return { ...result, commit, base: null };
}
