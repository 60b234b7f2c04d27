import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, lstatSync, mkdirSync, openSync, readSync, realpathSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SeatrialError } from '../kernel/errors.ts';
import { pathText } from '../kernel/path-text.ts';
import { copyTree } from './tree/copy.ts';
import { packTree } from './tree/archive.ts';
import { copyHistory, type History } from './git/history.ts';
import { copyCommit, layCommit, openCommit } from './git/copy-commit.ts';
import { git } from './git/call.ts';
import { gitPrograms } from './guards/git-programs.ts';
import type { Repository } from './contract.ts';
import { unpackTree } from './tree/unpack.ts';
import { namesInOutput } from './git/output-names.ts';
import type { CommittedFiles, TreeCache } from './git/tree-cache.ts';
import { uncommittedPaths } from './git/uncommitted-paths.ts';

export interface RepositoryRequest {
  /** The repository's directory. */
  readonly path: string;
  readonly commit: string;
  /** Copy the current work tree instead of the commit. */
  readonly dirty: boolean;
  /** Generations of history to copy as well. */
  readonly history?: number | undefined;
  /** An existing, private directory. */
  readonly scratch: string;
  /** Where files of commits are kept between runs; the copy must then not be changed. */
  readonly cache?: TreeCache | undefined;
}

/** A copy of the user's repository to start from, with caveats for the report. */
export interface TakenRepository {
  readonly filesDir: string;
  readonly repository: Repository;
  /** Paths with changes that are not committed and therefore not in the copy; empty with `dirty`, or if they could not be listed. */
  readonly leftOut: Promise<readonly string[]>;
  /** Null: none was asked for. */
  readonly history: History | null;
}

/** Copies a commit, or the work tree. Runs nothing of the repository; its configuration is only read to find the programs it would run. */
export async function takeRepository({
  path,
  commit,
  dirty,
  history: generations,
  scratch,
  cache,
}: RepositoryRequest): Promise<TakenRepository> {
  const gitDir = join(scratch, 'git');
  const id = await openCommit({ repo: path, name: commit, gitDir });
  // Beside all else: in a large work tree it takes longer than the rest.
  const leftOut = dirty ? Promise.resolve([]) : uncommittedPaths({ path, commit: id, gitDir: join(scratch, 'status') });
  leftOut.catch(() => {});
  const cached = cache === undefined || dirty ? null : await obtainCommit(cache, { path, gitDir, id });
  const listed = cached === null ? await listCommit(gitDir, id) : { files: [], submodules: [] };
  const committed = cached?.dir ?? join(scratch, 'commit');
  if (cached === null) await layCommit({ repo: path, gitDir, target: committed }, id);
  for (const submodule of listed.submodules)
    await copySubmodule(path, committed, submodule, join(scratch, 'submodules'));
  const taken = dirty ? await copyWorkTree(path, gitDir, id, scratch) : { dir: committed, files: listed.files };
  if (dirty) for (const submodule of listed.submodules) bringSubmodule(submodule, committed, taken.dir);
  const notes = [...(cached?.notes ?? lfsNotes(taken))];
  const isFile = (name: string): boolean =>
    lstatSync(join(taken.dir, name), { throwIfNoEntry: false })?.isFile() === true;
  // A commit of this repository cannot hold changes to another one.
  const guarded_paths = [
    ...(await gitPrograms(path, isFile)),
    ...listed.submodules.map(({ path: name }) => `${name}/`),
  ];
  const target = join(scratch, 'history');
  const history =
    generations === undefined ? null : await copyHistory({ repo: path, gitDir, commit: id, generations, target });
  const seen = history === null ? {} : { history: history.commits };
  return {
    filesDir: taken.dir,
    repository: { path, commit: id, dirty, notes, guarded_paths, ...seen },
    leftOut,
    history,
  };
}

/** The files of a commit from a cache. `gitDir`: one of ours that has its objects. Null: they cannot be cached. The id of a tree says nothing about the files of submodules, so a tree with any is not. */
export async function obtainCommit(
  cache: TreeCache,
  { path, gitDir, id }: { readonly path: string; readonly gitDir: string; readonly id: string },
): Promise<CommittedFiles | null> {
  return cache.obtain(await treeOf(gitDir, id), async (target) => {
    const { files, submodules } = await listCommit(gitDir, id);
    if (submodules.length > 0) return null;
    await layCommit({ repo: path, gitDir, target }, id);
    return { notes: lfsNotes({ dir: target, files }) };
  });
}

async function treeOf(gitDir: string, commit: string): Promise<string> {
  return (await git(['rev-parse', '--verify', `${commit}^{tree}`], { gitDir })).toString('utf8').trim();
}

/** A copy and the names it contains, some of which may not be regular files. */
interface Taken {
  readonly dir: string;
  readonly files: readonly Buffer[];
}

/** A `.gitignore` that is a pipe would block git forever. */
const LIST_TIMEOUT_MS = 120_000;

/** The files of the work tree: tracked files that still exist, and untracked files that are not ignored. */
async function copyWorkTree(path: string, gitDir: string, commit: string, scratch: string): Promise<Taken> {
  const call = { gitDir, workTree: path, cwd: path, timeoutMs: LIST_TIMEOUT_MS };
  await git(['read-tree', commit], call);
  const [kept, gone] = await Promise.all([
    git(['ls-files', '-z', '--cached', '--others', '--exclude-standard'], call),
    git(['ls-files', '-z', '--deleted'], call),
  ]);
  const missing = new Set(namesInOutput(gone).map((name) => name.toString('latin1')));
  // A name with a trailing slash is a nested repository, which git does not look into, and neither do we.
  const wanted = namesInOutput(kept).filter((name) => !missing.has(name.toString('latin1')) && name.at(-1) !== 0x2f);
  const archive = join(scratch, 'worktree.tar');
  packTree(path, archive, wanted);
  const target = join(scratch, 'worktree');
  unpackTree(archive, target);
  return { dir: target, files: wanted };
}

/** Another repository at a path of the tree. */
interface Submodule {
  readonly path: string;
  readonly commit: string;
}

/** Copies it from its clone below the work tree, and those inside of it. Nothing is fetched. */
async function copySubmodule(
  repo: string,
  target: string,
  { path, commit }: Submodule,
  scratch: string,
): Promise<void> {
  const clone = join(repo, path);
  const gitDir = join(scratch, randomUUID());
  mkdirSync(scratch, { recursive: true });
  try {
    await copyCommit({ repo: clone, name: commit, gitDir, target: join(target, path) });
  } catch (error) {
    if (!(error instanceof SeatrialError)) throw error;
    throw new SeatrialError(
      'blocked',
      `submodule ${path} is not checked out at ${commit.slice(0, 12)} in ${repo}: run git submodule update --init --recursive there`,
      error,
    );
  }
  const { submodules } = await listCommit(gitDir, commit);
  for (const inner of submodules) await copySubmodule(clone, join(target, path), inner, scratch);
}

/** Into a copy of the work tree, in which git sees no more of it than its name. Not through a link, which could lead anywhere. */
function bringSubmodule({ path }: Submodule, from: string, to: string): void {
  const target = join(to, path);
  const parent = dirname(target);
  if (!existsSync(parent) || realpathSync(parent) !== join(realpathSync(to), dirname(path))) return;
  rmSync(target, { recursive: true, force: true });
  copyTree(join(from, path), target);
}

async function listCommit(gitDir: string, commit: string): Promise<{ files: Buffer[]; submodules: Submodule[] }> {
  const rows = namesInOutput(await git(['ls-tree', '-r', '-z', commit], { gitDir }));
  const nameOf = (row: Buffer): Buffer => row.subarray(row.indexOf(9) + 1);
  const isSubmodule = (row: Buffer): boolean => row.toString('latin1', 0, 7) === '160000 ';
  return {
    files: rows.filter((row) => !isSubmodule(row)).map(nameOf),
    submodules: rows.filter(isSubmodule).map((row) => ({
      path: pathText(nameOf(row)),
      commit: /commit ([0-9a-f]+)\t/.exec(row.toString('latin1'))?.[1] ?? '',
    })),
  };
}

const LFS_POINTER = 'version https://git-lfs.github.com/spec/v1\n';
const MAX_POINTER_BYTES = 1024;

function lfsNotes({ dir, files }: Taken): string[] {
  const at = (name: Buffer): Buffer => Buffer.concat([Buffer.from(`${dir}/`), name]);
  const mayBePointer = (name: Buffer): boolean => {
    const stats = lstatSync(at(name), { throwIfNoEntry: false });
    return stats?.isFile() === true && stats.size < MAX_POINTER_BYTES && stats.size > LFS_POINTER.length;
  };
  return files
    .filter((name) => mayBePointer(name) && startsWith(at(name), LFS_POINTER))
    .map((name) => `${pathText(name)} is a git-lfs pointer: its contents are not in the copy`);
}

function startsWith(file: Buffer, text: string): boolean {
  const start = Buffer.alloc(text.length);
  const fd = openSync(file, 'r');
  try {
    return readSync(fd, start, 0, start.length, 0) === start.length && start.toString('latin1') === text;
  } finally {
    closeSync(fd);
  }
}
