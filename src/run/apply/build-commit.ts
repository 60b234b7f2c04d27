import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf, SeatrialError } from '../../kernel/errors.ts';
import { pathText } from '../../kernel/path-text.ts';
import { git, type GitCall, GitFault } from '../../task/git/call.ts';
import { readLargeBlobs } from '../patch/large-blobs.ts';
import { openOwnGit } from '../patch/write.ts';
import { fileSettings } from './repository-settings.ts';
import { isPartialClone, readIdentity, type Target } from './target.ts';

const NO_OBJECT = '0'.repeat(40);

/**
 * Creates trees and commits in a repository's object store through a git directory of our own: no configuration, attribute or
 * history of the repository has any effect, and none of its refs, index or files change.
 */
export class CommitBuilder {
  readonly #target: Target;
  readonly #scratch: string;
  readonly #call: GitCall & { readonly env: Readonly<Record<string, string>> };

  constructor(target: Target, scratch: string) {
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
      env: { GIT_OBJECT_DIRECTORY: this.#objects, GIT_INDEX_FILE: join(scratch, 'index') },
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
    const aside = {
      GIT_OBJECT_DIRECTORY: join(this.#scratch, 'build', 'objects'),
      GIT_ALTERNATE_OBJECT_DIRECTORIES: quoted(this.#objects),
    };
    const commit = (tree: string, parents: readonly string[]): Promise<string> =>
      this.#ask(['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent]), '-m', ''], { env: aside });
    try {
      const root = await commit(from, []);
      const sides = [await commit(onto, [root]), await commit(to, [root])];
      const env = { GIT_ALTERNATE_OBJECT_DIRECTORIES: quoted(aside.GIT_OBJECT_DIRECTORY) };
      const output = await this.#ask(['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', ...sides], {
        env,
      });
      return output.split('\0')[0] ?? '';
    } catch (error) {
      if (error instanceof GitFault && error.gitExitCode === 1) throw conflict(error);
      throw this.#explained('the change cannot be merged', error);
    }
  }

  async commit(tree: string, parent: string, message: string): Promise<string> {
    const env = await readIdentity(this.#target);
    try {
      return await this.#ask(['commit-tree', tree, '-p', parent, '-F', '-'], { env, input: message });
    } catch (error) {
      throw this.#explained('the commit cannot be made', error);
    }
  }

  /** Paths that differ between two trees. */
  async changes(before: string, after: string): Promise<readonly TreeChange[]> {
    const output = await git(['diff-tree', '-r', '-z', '--no-renames', '--name-status', before, after], this.#call);
    const fields = output.toString('latin1').split('\0').slice(0, -1);
    return fields.flatMap((status, at) =>
      at % 2 === 0 ? [{ added: status === 'A', path: Buffer.from(fields[at + 1] ?? '', 'latin1') }] : [],
    );
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

export interface TreeChange {
  readonly path: Buffer;
  readonly added: boolean;
}

function conflict(error: GitFault): SeatrialError {
  const files = error.stdout.toString('latin1').split('\0').slice(1, -1);
  const names = files.map((name) => pathText(Buffer.from(name, 'latin1')));
  return new SeatrialError(
    'blocked',
    `the patch conflicts with HEAD in ${names.join(', ')}; nothing was changed. Run again from the current HEAD`,
    error,
  );
}

/** Quotes a path for git's colon-separated path lists. */
const quoted = (path: string): string => `"${path.replaceAll(/["\\]/g, '\\$&')}"`;
