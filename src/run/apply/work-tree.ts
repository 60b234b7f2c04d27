import { copyFileSync, existsSync, lstatSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { quotePath } from '../../kernel/path-text.ts';
import { git, type GitCall, GitFault, makeGitDir } from '../../task/git/call.ts';
import type { TreeChange } from '../../task/git/lay-changes.ts';
import type { WorkTreeState } from './refusal.ts';
import { fileSettings, filtersWithProgram, lastValue } from './repository-settings.ts';
import { askTarget, type Target } from './target.ts';
import { userDir } from '../../kernel/user-dirs.ts';

/**
 * The files and the index of a repository, read and written by git through a git directory of our own. The repository's
 * settings for line endings, modes and links are copied by name; none of its settings that name programs is.
 */
export class TargetWorkTree {
  readonly #target: Target;
  readonly #root: string;
  readonly #attributes: string;
  readonly #call: GitCall;

  private constructor(target: Target, root: string, gitDir: string, attributesFile: string | null) {
    this.#target = target;
    this.#root = root;
    this.#attributes = join(gitDir, 'info', 'attributes');
    this.#call = {
      gitDir,
      workTree: root,
      cwd: root,
      config: [
        ...fileSettings(target.settings),
        // With a split index, git would write the shared half next to our git directory.
        'core.splitIndex=false',
        'core.safecrlf=false',
        ...(attributesFile === null ? [] : [`core.attributesFile=${attributesFile}`]),
      ],
      env: {
        GIT_OBJECT_DIRECTORY: join(target.commonDir, 'objects'),
        GIT_INDEX_FILE: join(target.gitDir, 'index'),
        GIT_ATTR_NOSYSTEM: '0',
      },
    };
  }

  static async open(target: Target, root: string, gitDir: string): Promise<TargetWorkTree> {
    makeGitDir(gitDir);
    mkdirSync(join(gitDir, 'info'));
    writeFileSync(join(gitDir, 'HEAD'), `${target.head}\n`);
    copyIfThere(join(target.commonDir, 'info', 'attributes'), join(gitDir, 'info', 'attributes'));
    copyIfThere(join(target.gitDir, 'info', 'sparse-checkout'), join(gitDir, 'info', 'sparse-checkout'));
    return new TargetWorkTree(target, root, gitDir, await attributesFileOf(target));
  }

  async state(changes: readonly TreeChange[]): Promise<WorkTreeState> {
    const options = ['--porcelain', '-z', '--untracked-files=no', '--ignore-submodules=all', '--no-renames'];
    const rows = (await git(['status', ...options], this.#call)).toString('latin1').split('\0').slice(0, -1);
    const pathsOf = (some: readonly string[]): Buffer[] => some.map((row) => Buffer.from(row.slice(3), 'latin1'));
    const filtered = new Set((await this.filtered(pathsOf(rows))).map(({ path }) => path.toString('latin1')));
    // A staged change counts, whatever the file contains.
    const isUncertain = (row: string): boolean => row.startsWith(' M ') && filtered.has(row.slice(3));
    return {
      uncommitted: pathsOf(rows.filter((row) => !isUncertain(row))),
      uncertain: pathsOf(rows.filter(isUncertain)),
      conflicts: pathsOf(rows.filter((row) => /^(U.|.U|AA|DD) /.test(row))),
      inTheWay: await this.#inTheWay(changes.filter(({ added }) => added).map(({ path }) => path)),
    };
  }

  /** Protects every untracked file: git would silently overwrite ignored ones. */
  async #inTheWay(added: readonly Buffer[]): Promise<readonly Buffer[]> {
    const listing = await git(['ls-files', '-z', '--cached'], this.#call);
    const tracked = new Set(listing.toString('latin1').split('\0'));
    const found = new Map<string, Buffer>();
    for (const path of added) {
      const place = this.#firstThatIsNoDir(path);
      const key = place?.path.toString('latin1') ?? '';
      if (place === null || tracked.has(key)) continue;
      const inside = place.isDir ? await this.#untrackedBelow(place.path) : [place.path];
      for (const one of inside) found.set(one.toString('latin1'), one);
    }
    return [...found.values()];
  }

  /** The entry that occupies a path: a file or link above it, or the entry at the path itself. */
  #firstThatIsNoDir(path: Buffer): { readonly path: Buffer; readonly isDir: boolean } | null {
    for (let end = path.indexOf(SLASH); ; end = path.indexOf(SLASH, end + 1)) {
      const part = end === -1 ? path : path.subarray(0, end);
      const stats = lstatSync(Buffer.concat([Buffer.from(`${this.#root}/`), part]), { throwIfNoEntry: false });
      if (stats === undefined) return null;
      if (!stats.isDirectory() || end === -1) return { path: part, isDir: stats.isDirectory() };
    }
  }

  async #untrackedBelow(dir: Buffer): Promise<readonly Buffer[]> {
    const listing = await git(['ls-files', '-z', '--others'], this.#call);
    const prefix = `${dir.toString('latin1')}/`;
    const names = listing.toString('latin1').split('\0');
    return names.filter((name) => name.startsWith(prefix)).map((name) => Buffer.from(name, 'latin1'));
  }

  /** The paths that a filter program of the repository would convert, with the filter's name. */
  async filtered(paths: readonly Buffer[]): Promise<readonly { readonly path: Buffer; readonly filter: string }[]> {
    const known = filtersWithProgram(this.#target.settings);
    if (known.size === 0) return [];
    const rows = await this.#attributesOf(paths, ['filter']);
    return rows.flatMap(({ path, value }) => (known.has(value) ? [{ path, filter: value }] : []));
  }

  /**
   * Converts line endings, encodings and `$Id$` by the attributes of the repository before the change: attributes that the
   * change adds have no effect, and no filter runs.
   */
  async prepare(paths: readonly Buffer[]): Promise<void> {
    const rows = await this.#attributesOf(paths, CONVERSIONS);
    const lines = rows
      .filter(({ value }) => value !== 'unspecified')
      .map(({ path, name, value }) => `${pattern(path)} ${stated(name, value)}\n`);
    const none = [...CONVERSIONS, 'filter'].map((name) => `!${name}`).join(' ');
    writeFileSync(this.#attributes, `* ${none}\n${lines.join('')}`, 'latin1');
    // Exit 1 means that some files are changed, which is already known.
    await git(['update-index', '-q', '--refresh'], this.#call).catch((error: unknown) => {
      if (!(error instanceof GitFault) || error.gitExitCode !== 1) throw error;
    });
  }

  /** Updates index and files from one commit to another; keeps local changes outside of the change. */
  async checkOut(from: string, to: string, { dryRun }: { readonly dryRun: boolean }): Promise<void> {
    await git(['read-tree', '-m', '-u', ...(dryRun ? ['--dry-run'] : []), from, to], this.#call);
  }

  async #attributesOf(
    paths: readonly Buffer[],
    names: readonly string[],
  ): Promise<readonly { readonly path: Buffer; readonly name: string; readonly value: string }[]> {
    const input = Buffer.concat(paths.flatMap((path) => [path, Buffer.alloc(1)]));
    const output = await git(['check-attr', '--cached', '-z', '--stdin', ...names], { ...this.#call, input });
    const fields = output.toString('latin1').split('\0').slice(0, -1);
    return fields.flatMap((path, at) =>
      at % 3 === 0
        ? [{ path: Buffer.from(path, 'latin1'), name: fields[at + 1] ?? '', value: fields[at + 2] ?? '' }]
        : [],
    );
  }
}

const SLASH = 0x2f;
const CONVERSIONS = ['text', 'crlf', 'eol', 'ident', 'working-tree-encoding'];

function copyIfThere(from: string, to: string): void {
  if (existsSync(from)) copyFileSync(from, to);
}

/** The caller's global attributes. */
async function attributesFileOf({ settings, caller, ...rest }: Target): Promise<string | null> {
  if (lastValue(settings, 'core.attributesfile') !== undefined)
    return askTarget({ ...rest, caller }, ['config', '--type=path', '--get', 'core.attributesFile']);
  const dir = userDir('config', caller);
  return dir === null ? null : join(dir, 'git', 'attributes');
}

/** An attributes pattern that matches exactly one path. */
function pattern(path: Buffer): string {
  return quotePath(Buffer.from(`/${path.toString('latin1').replaceAll(/[\\*?[]/g, '\\$&')}`, 'latin1'));
}

function stated(name: string, value: string): string {
  if (value === 'set') return name;
  return value === 'unset' ? `-${name}` : `${name}=${value}`;
}
