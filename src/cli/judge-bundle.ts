import { join, resolve } from 'node:path';
import { makeTemporary } from '../evidence/bundle/temporary.ts';
import { removeTree } from '../evidence/storage/remove-tree.ts';
import type { Report } from '../evidence/schema/report.ts';
import type { ExitCode } from '../kernel/exit-codes.ts';
import { absentEngine } from '../run/given.ts';
import { inputsOfRepository } from '../run/trees/cached-inputs.ts';
import { type Ask, termsOfAsk } from '../task/ask.ts';
import { openCommit } from '../task/git/copy-commit.ts';
import { layChanges } from '../task/git/lay-changes.ts';
import { takeRepository } from '../task/own-repository.ts';
import { exitCodeForReport } from '../evidence/reasons/explain.ts';
import { ALL_REASONS } from '../engines/list.ts';
import { openBaseCache } from './environment/base-cache.ts';
import { print } from './print.ts';
import { reportLines } from './print/run-output.ts';
import { judgeGiven } from './run-given.ts';
import { dirsOfSettings } from './run-source.ts';
import { refuseVisibleTests, sealedDirOf } from './flags/sealed.ts';

/** Flags of every command that judges a commit. */
export interface JudgeFlags extends Omit<Ask, 'instruction' | 'allow'> {
  readonly repo: string;
  readonly commit: string;
  readonly timeout?: number | undefined;
  readonly sealed?: string | undefined;
  readonly runs?: string | undefined;
  readonly workspace?: 'overlay' | 'copy' | undefined;
  readonly json?: true | undefined;
}

type Based = JudgeFlags & { readonly base: string };

/** Judges a commit against its base as a run judges the change of an engine, keeps a signed bundle and prints the verdict. */
export async function judgeIntoBundle(flags: Based): Promise<ExitCode> {
  const report = await judgeCommit(flags);
  print(flags.json, report, () => reportLines([report], 1));
  return exitCodeForReport(report, ALL_REASONS);
}

export async function judgeCommit(flags: Based): Promise<Report> {
  const path = resolve(flags.repo);
  const sealed = flags.sealed === undefined ? null : sealedDirOf(flags.sealed);
  const scratch = makeTemporary('judge');
  try {
    const cache = openBaseCache();
    const taken = await takeRepository({ path, commit: flags.base, dirty: false, scratch, cache: cache ?? undefined });
    const { filesDir, repository } = taken;
    if (sealed !== null) refuseVisibleTests(sealed, path, filesDir);
    const gitDir = join(scratch, 'given-git');
    const commit = await openCommit({ repo: path, name: flags.commit, gitDir });
    const dir = join(scratch, 'given');
    const changes = await layChanges({ gitDir }, { before: repository.commit, after: commit }, dir, gitDir);
    const guarded_paths = [...(repository.guarded_paths ?? []), ...dirsOfSettings(path, flags)];
    const instruction = `Judge commit ${commit} against ${repository.commit}.`;
    const terms = termsOfAsk({ ...flags, instruction }, { ...repository, guarded_paths }, filesDir);
    const { judging } = terms;
    return await judgeGiven(
      {
        terms: {
          ...terms,
          ...(judging === undefined ? {} : { judging: { ...judging, require: 'kept' } }),
          ...(flags.timeout === undefined ? {} : { verifier_timeout_sec: flags.timeout }),
          given: { kind: 'commit', commit },
        },
        inputs: inputsOfRepository(taken, sealed, cache),
        engine: absentEngine('none'),
        givenChange: { kind: 'files', dir, changes },
      },
      flags,
      sealed,
    );
  } finally {
    await removeTree(scratch);
  }
}
