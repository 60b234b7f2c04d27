import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SeatrialError } from '../../kernel/errors.ts';
import { pathText } from '../../kernel/path-text.ts';
import { findRepository } from '../repository-files.ts';
import { git, GitFault, makeGitDir } from './call.ts';
import { resolveCommit } from './copy-commit.ts';
import { namesInOutput } from './output-names.ts';

/** A courtesy, not a condition: a work tree that takes longer is not listed. */
const COMPARE_TIMEOUT_MS = 15_000;

export interface UncommittedRequest {
  /** The work tree. */
  readonly path: string;
  readonly commit: string;
  /** Path at which a git directory of our own is created. */
  readonly gitDir: string;
}

/** Paths of a work tree that are not as in its commit, as text. None, where they cannot be listed, or where another commit is meant. */
export async function uncommittedPaths({ path, commit, gitDir }: UncommittedRequest): Promise<readonly string[]> {
  if (!existsSync(join(path, '.git'))) return [];
  try {
    const repository = findRepository(path);
    makeGitDir(gitDir, [join(repository.commonDir, 'objects')]);
    if ((await resolveCommit(repository, gitDir, { repo: path, name: 'HEAD' })) !== commit) return [];
    writeFileSync(join(gitDir, 'HEAD'), `${commit}\n`);
    const call = { gitDir, workTree: path, cwd: path, timeoutMs: COMPARE_TIMEOUT_MS };
    const found = (await byTheirIndex(join(repository.gitDir, 'index'), call)) ?? (await byOwnIndex(commit, call));
    // Seatrial's own directory has sentences of its own.
    return [...new Set(found.map(pathText))].filter((name) => !name.startsWith('.seatrial/'));
  } catch (error) {
    if (error instanceof GitFault || error instanceof SeatrialError) return [];
    throw error;
  }
}

type Call = Parameters<typeof git>[1];

const STATUS = ['status', '--porcelain', '-z', '--no-renames', '--untracked-files=all', '--ignore-submodules=all'];

/** The index of the work tree says which files are as they were, so that they are not read. Null: it is not there, or cannot be used alone. */
async function byTheirIndex(index: string, call: Call): Promise<readonly Buffer[] | null> {
  if (!existsSync(index)) return null;
  try {
    const rows = namesInOutput(await git(STATUS, { ...call, env: { GIT_INDEX_FILE: index } }));
    return rows.map((row) => row.subarray('XY '.length));
  } catch (error) {
    if (error instanceof GitFault && error.gitExitCode !== null) return null;
    throw error;
  }
}

async function byOwnIndex(commit: string, call: Call): Promise<readonly Buffer[]> {
  await git(['read-tree', commit], call);
  return namesInOutput(await git(['ls-files', '-z', '--modified', '--others', '--exclude-standard'], call));
}
