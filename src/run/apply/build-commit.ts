import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf, SeatrialError } from '../../kernel/errors.ts';
import { pathText } from '../../kernel/path-text.ts';
import { git, type GitCall, GitFault, makeGitDir } from '../../task/git/call.ts';
import { WHOLE_AND_UNCHANGED } from '../../task/git/copy-commit.ts';
import { changesBetween, layChanges, type TreeChange } from '../../task/git/lay-changes.ts';
import { readLargeBlobs } from '../patch/large-blobs.ts';
import { openOwnGit } from '../../task/git/own-git.ts';
import { fileSettings } from './repository-settings.ts';
import { isPartialClone, readIdentity, type Target } from './target.ts';

const NO_OBJECT = '0'.repeat(40);

/** The change and the branch touch the same places. */
export class MergeConflict extends SeatrialError {
  readonly files: readonly string[];

  constructor(files: readonly string[], cause: unknown) {
    super(
      'blocked',
      `the patch conflicts with HEAD in ${files.join(', ')}; nothing was changed. Run again from the current HEAD`,
      cause,
    );
    this.name = 'MergeConflict';
    this.files = files;
  }
}

/**
 * Creates trees and commits through a git directory of our own: no configuration, attribute or history of the repository has any
 * effect, and none of its refs, index or files change. New objects go to the repository (`target`), or stay beside it (`aside`) until
 * `bringHome`.
 */
export class CommitBuilder {
  readonly #target: Target;
  readonly #scratch: string;
  readonly #call: GitCall & { readonly env: Readonly<Record<string, string>> };

  constructor(target: Target, scratch: string, store: 'target' | 'aside' = 'target') {
    this.#target = target;
    this.#scratch = scratch;
    const empty = join(scratch, 'empty');
    mkdirSync(empty);
    const gitDir = openOwnGit(join(scratch, 'build'));
    const shallow = join(target.commonDir, 'shallow');
    if (existsSync(shallow)) copyFileSync(shallow, join(gitDir, 'shallow'));
    this.#call = {
      gitDir,
      workTree: empty,
      cwd: empty,
      config: fileSettings(target.settings).filter((setting) => setting.startsWith('core.sharedrepository=')),
      env: {
        ...(store === 'target' ? { GIT_OBJECT_DIRECTORY: this.#objects } : this.#aside),
        GIT_INDEX_FILE: join(scratch, 'index'),
      },
    };
  }

  /** New objects beside the repository, which lends its own. */
  get #aside(): Readonly<Record<string, string>> {
    return {
      GIT_OBJECT_DIRECTORY: join(this.#scratch, 'build', 'objects'),
      GIT_ALTERNATE_OBJECT_DIRECTORIES: quoted(this.#objects),
    };
  }

  get #objects(): string {
    return join(this.#target.commonDir, 'objects');
  }

  async #ask(args: readonly string[], more: Pick<GitCall, 'input' | 'env'> = {}): Promise<string> {
    const call = { ...this.#call, ...more, env: { ...this.#call.env, ...more.env } };
    return (await git(args, call)).toString('utf8').trim();
  }

  /** Null: the repository does not have that commit. */
  async treeOf(commit: string): Promise<string | null> {
    try {
      return await this.#ask(['rev-parse', '--verify', '--quiet', '--end-of-options', `${commit}^{tree}`]);
    } catch (error) {
      if (error instanceof GitFault) return null;
      throw error;
    }
  }

  /** The judged tree: the patch and large files of a bundle, applied to the tree that the run started from. */
  async patchedTree(bundleDir: string, base: string): Promise<string> {
    const large = readLargeBlobs(bundleDir);
    const patch = readFileSync(join(bundleDir, 'patch.diff'));
    try {
      await this.#ask(['read-tree', base]);
      // As in the judge: removes what large files replace first, so that the patch can create a directory in its place.
      await this.#setEntries(large.map(({ path }) => ({ path, mode: '0', id: NO_OBJECT })));
      if (patch.length > 0) await this.#ask(['apply', '--cached', '--whitespace=nowarn', '-'], { input: patch });
      const added = large.flatMap(({ path, content }) => (content === null ? [] : [{ path, ...content }]));
      const entries = [];
      for (const { path, mode, sha256 } of added) {
        const id = await this.#ask(['hash-object', '-w', '--no-filters', join(bundleDir, 'blobs', sha256)]);
        entries.push({ path, mode, id });
      }
      await this.#setEntries(entries);
      return await this.#ask(['write-tree', '--missing-ok']);
    } catch (error) {
      throw this.#explained(`the patch cannot be built on ${base}`, error);
    }
  }

  /** `tree` with these paths as `base` has them; a path that the base lacks is left as it is. */
  async withEntriesOf(base: string, tree: string, paths: readonly Buffer[]): Promise<string> {
    if (paths.length === 0) return tree;
    try {
      await this.#ask(['read-tree', tree]);
      const listing = await git(['ls-tree', '-r', '-z', '--full-tree', base], this.#call);
      const wanted = new Set(paths.map((path) => path.toString('latin1')));
      const entries = listing
        .toString('latin1')
        .split('\0')
        .flatMap((row) => {
          const [, mode = '', id = '', path = ''] = /^(\d+) \w+ ([0-9a-f]+)\t(.*)$/s.exec(row) ?? [];
          return wanted.has(path) ? [{ path: Buffer.from(path, 'latin1'), mode, id }] : [];
        });
      await this.#setEntries(entries);
      return await this.#ask(['write-tree', '--missing-ok']);
    } catch (error) {
      throw this.#explained('the commit cannot be made without the changed tests', error);
    }
  }

  /** Null: the tree has no such file, or it is no text. */
  async readText(tree: string, path: Buffer): Promise<string | null> {
    try {
      const content = await git(['cat-file', 'blob', `${tree}:${path.toString()}`], this.#call);
      const text = content.toString();
      return Buffer.from(text).equals(content) ? text : null;
    } catch (error) {
      if (error instanceof GitFault) return null;
      throw error;
    }
  }

  /** `tree` with other texts in some of its files. */
  async withTexts(tree: string, files: readonly { readonly path: Buffer; readonly text: string }[]): Promise<string> {
    if (files.length === 0) return tree;
    await this.#ask(['read-tree', tree]);
    const entries = [];
    for (const { path, text } of files) {
      const [mode = ''] = (await this.#ask(['ls-files', '--stage', '--', `:(literal)${path.toString()}`])).split(' ');
      entries.push({ path, mode, id: await this.keepBlob(Buffer.from(text)) });
    }
    await this.#setEntries(entries);
    return this.#ask(['write-tree', '--missing-ok']);
  }

  async #setEntries(entries: readonly { path: Buffer; mode: string; id: string }[]): Promise<void> {
    if (entries.length === 0) return;
    const rows = entries.map(({ path, mode, id }) =>
      Buffer.concat([Buffer.from(`${mode} ${id}\t`), path, Buffer.alloc(1)]),
    );
    await this.#ask(['update-index', '-z', '--index-info'], { input: Buffer.concat(rows) });
  }

  /**
   * Applies the change between two trees to a third one. Each tree gets a temporary commit of our own, so that nothing else of the
   * repository's history is merged.
   */
  async mergedTree({
    from,
    to,
    onto,
  }: {
    readonly from: string;
    readonly to: string;
    readonly onto: string;
  }): Promise<string> {
    const commit = (tree: string, parents: readonly string[]): Promise<string> =>
      this.#ask(['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent]), '-m', ''], { env: this.#aside });
    try {
      const root = await commit(from, []);
      const sides = [await commit(onto, [root]), await commit(to, [root])];
      const both = [this.#objects, join(this.#scratch, 'build', 'objects')];
      const env = { GIT_ALTERNATE_OBJECT_DIRECTORIES: both.map(quoted).join(':') };
      const output = await this.#ask(['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', ...sides], {
        env,
      });
      return output.split('\0')[0] ?? '';
    } catch (error) {
      if (error instanceof GitFault && error.gitExitCode === 1) throw conflict(error);
      throw this.#explained('the change cannot be merged', error);
    }
  }

  /** `author`: instead of the caller, as environment variables for git. */
  async commit(
    tree: string,
    parent: string,
    message: string,
    author: Readonly<Record<string, string>> = {},
  ): Promise<string> {
    const env = { ...(await readIdentity(this.#target)), ...author };
    try {
      return await this.#ask(['commit-tree', tree, '-p', parent, '-F', '-'], { env, input: message });
    } catch (error) {
      throw this.#explained('the commit cannot be made', error);
    }
  }

  /** A commit object as it is stored; null: the repository does not have it. */
  async readCommit(commit: string): Promise<string | null> {
    try {
      return (await git(['cat-file', 'commit', commit], this.#call)).toString('utf8');
    } catch (error) {
      if (error instanceof GitFault) return null;
      throw error;
    }
  }

  /** Stores a small document as a blob in the repository. */
  async keepBlob(content: Buffer): Promise<string> {
    const env = { GIT_OBJECT_DIRECTORY: this.#objects };
    return this.#ask(['hash-object', '-w', '--no-filters', '--stdin'], { env, input: content });
  }

  /** Copies a commit that was made aside, with everything that `parent` lacks, to the repository. */
  async bringHome(commit: string, parent: string): Promise<void> {
    const revisions = { ...this.#call, input: `${commit}\n^${parent}\n` };
    try {
      const pack = await git(['pack-objects', '--revs', '--stdout', '-q'], revisions);
      await this.#ask(['unpack-objects', '-q'], { env: { GIT_OBJECT_DIRECTORY: this.#objects }, input: pack });
    } catch (error) {
      throw this.#explained('the commit cannot be stored', error);
    }
  }

  /** Lays the files of a tree at the paths where it differs from another, without conversions, into a directory that is not there yet. */
  async layChanges(before: string, after: string, target: string): Promise<void> {
    const gitDir = join(this.#scratch, 'archive');
    makeGitDir(gitDir);
    mkdirSync(join(gitDir, 'info'));
    writeFileSync(join(gitDir, 'info', 'attributes'), WHOLE_AND_UNCHANGED);
    const config = [...(this.#call.config ?? []), 'tar.umask=0022'];
    await layChanges({ ...this.#call, gitDir, config }, { before, after }, target, gitDir);
  }

  /** The paths of a tree for which its own attributes name a filter, with the filter's name. */
  async filtered(
    tree: string,
    paths: readonly Buffer[],
  ): Promise<readonly { readonly path: Buffer; readonly filter: string }[]> {
    const input = Buffer.concat(paths.flatMap((path) => [path, Buffer.alloc(1)]));
    await this.#ask(['read-tree', tree]);
    // Our own git directory has attributes that outrank those of every tree.
    const gitDir = join(this.#scratch, 'attributes');
    if (!existsSync(gitDir)) makeGitDir(gitDir);
    const output = await git(['check-attr', '--cached', '-z', '--stdin', 'filter'], { ...this.#call, gitDir, input });
    const fields = output.toString('latin1').split('\0').slice(0, -1);
    return fields.flatMap((path, at) => {
      const value = fields[at + 2] ?? '';
      return at % 3 === 0 && value !== 'unspecified' && value !== 'unset'
        ? [{ path: Buffer.from(path, 'latin1'), filter: value }]
        : [];
    });
  }

  /** Paths that differ between two trees. */
  async changes(before: string, after: string): Promise<readonly TreeChange[]> {
    return changesBetween(this.#call, before, after);
  }

  /** The newest commit with this line in its message that is in `history` but not in `without`. */
  async findCommit(line: string, history: string, without: string): Promise<string | null> {
    try {
      const found = await this.#ask(['rev-list', '-1', '--fixed-strings', `--grep=${line}`, history, `^${without}`]);
      return found === '' ? null : found;
    } catch (error) {
      throw this.#explained('the history cannot be read', error);
    }
  }

  #explained(what: string, error: unknown): unknown {
    if (!(error instanceof GitFault)) return error;
    const why = isPartialClone(this.#target)
      ? `${messageOf(error)}; ${this.#target.repo} is a partial clone and apply fetches nothing: fetch what is missing with \`git fetch --refetch\``
      : messageOf(error);
    return new SeatrialError('blocked', `${what} in ${this.#target.repo}, and nothing was changed: ${why}`, error);
  }
}

function conflict(error: GitFault): MergeConflict {
  const files = error.stdout.toString('latin1').split('\0').slice(1, -1);
  return new MergeConflict(
    files.map((name) => pathText(Buffer.from(name, 'latin1'))),
    error,
  );
}

/** Quotes a path for git's colon-separated path lists. */
const quoted = (path: string): string => `"${path.replaceAll(/["\\]/g, '\\$&')}"`;
