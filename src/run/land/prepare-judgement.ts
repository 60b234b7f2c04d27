import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPORT_FILE } from '../../evidence/bundle/bundle.ts';
import { sha256 } from '../../kernel/digest.ts';
import { SeatrialError } from '../../kernel/errors.ts';
import { readRepositoryDefaults } from '../../task/ask.ts';
import type { Terms } from '../../task/contract.ts';
import type { TreeChange } from '../../task/git/lay-changes.ts';
import { takeRepository } from '../../task/own-repository.ts';
import { unpackTree } from '../../task/tree/unpack.ts';
import type { CommitBuilder } from '../apply/build-commit.ts';
import { branchName } from '../apply/target.ts';
import { absentEngine, type GivenRequest } from '../given.ts';
import type { BaseCache } from '../trees/base-cache.ts';
import { inputsOfRepository } from '../trees/cached-inputs.ts';
import { findArchives } from '../trees/inputs.ts';
import type { Branch } from './branch.ts';
import type { ProvenRun } from './proven-run.ts';

/** The action that a policy allows for landings which no person asked for. */
export const landQuestion = (ref: string): string => `land ${branchName(ref)}`;

export interface MergedCommit {
  readonly commit: string;
  readonly tree: string;
  /** From the tip to the merged tree. */
  readonly changes: readonly TreeChange[];
}

export interface JudgementOptions {
  /** Instead of the run's own test command. */
  readonly testCommand: string | null;
  readonly acceptExitCode: boolean;
  /** What is asked while it is judged, because no person asked for this landing; null: one did. */
  readonly question: string | null;
  /** Directories of Seatrial inside the repository, with a slash at the end. */
  readonly guardedDirs: readonly string[];
}

/** The merged tree as a change to the tip, under the contract of the run that it comes from. `scratch` exists and is empty. */
export async function prepareJudgement(
  run: ProvenRun,
  { branch: { target, ref, tip }, cache }: { readonly branch: Branch; readonly cache: BaseCache | null },
  merged: MergedCommit,
  builder: CommitBuilder,
  options: JudgementOptions,
  scratch: string,
): Promise<GivenRequest> {
  const { base: _base, sealed_tests: _tests, given: _given, declared: _declared, ...terms } = run.contract;
  const { judging } = terms;
  if (judging === undefined)
    throw new SeatrialError(
      'blocked',
      `run ${run.report.run_id} was made by a version that cannot be landed: run again`,
    );
  const taken = await takeTip({ repo: target.repo, isBare: target.workTree.kind === 'none' }, tip, scratch, cache);
  const dir = join(scratch, 'merged');
  await builder.layChanges(tip, merged.tree, dir);
  const own = readRepositoryDefaults(taken.filesDir, target.repo).seatrial ?? {};
  const landed: Terms = {
    ...terms,
    ...(options.testCommand === null ? {} : { test_command: options.testCommand }),
    // Calling `land` is the approval; the questions of the run itself were answered there.
    approvals: options.question === null ? [] : [options.question],
    judging: {
      ...judging,
      must_fix: [],
      known_failing: [...new Set([...judging.known_failing, ...(own.known_failing ?? [])])],
      ...(options.acceptExitCode ? { accept: 'exit_code' } : {}),
      require: 'kept',
    },
    repository: {
      ...taken.repository,
      guarded_paths: [...(taken.repository.guarded_paths ?? []), ...options.guardedDirs],
    },
    given: {
      kind: 'landing',
      run_id: run.report.run_id,
      report_sha256: sha256(readFileSync(join(run.dir, REPORT_FILE))),
      onto: ref,
      tip,
      commit: merged.commit,
      tree: merged.tree,
    },
  };
  return {
    terms: landed,
    inputs: inputsOfRepository(taken, sealedTests(run, scratch), cache),
    engine: absentEngine(run.report.backend),
    givenChange: { kind: 'files', dir, changes: merged.changes },
  };
}

async function takeTip(
  { repo, isBare }: { readonly repo: string; readonly isBare: boolean },
  tip: string,
  scratch: string,
  cache: BaseCache | null,
) {
  try {
    return await takeRepository({ path: repo, commit: tip, dirty: false, scratch, cache: cache ?? undefined });
  } catch (error) {
    if (isBare && error instanceof SeatrialError && error.message.startsWith('submodule '))
      throw new SeatrialError(
        'blocked',
        `${repo} is a bare repository and has no copies of its submodules: land in a clone that has them checked out, with --repo and --push`,
        error,
      );
    throw error;
  }
}

/** The sealed tests of a run, unpacked; null: it has none. */
export function sealedTests({ dir, contract }: ProvenRun, scratch: string): string | null {
  const { tests } = findArchives(dir, contract);
  if (tests === null) return null;
  const to = join(scratch, 'sealed');
  unpackTree(tests.path, to);
  return to;
}
