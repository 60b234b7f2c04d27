import { copyFileSync, existsSync, lstatSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { quotePath } from '../../kernel/path-text.ts';
import { git, type GitCall, GitFault, makeGitDir } from '../../task/git/call.ts';
import type { TreeChange } from './build-commit.ts';
import type { WorkTreeState } from './refusal.ts';
import { fileSettings, filtersWithProgram, lastValue } from './repository-settings.ts';
import { askTarget, type Target } from './target.ts';

/**
 * The files and the index of a repository, read and written by git through a git directory of our own. What the repository's
 * configuration says of line endings, modes and links is taken over by name; no program that it names is known here.
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
        // A split index would get its other half written beside our git directory.
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
    // A change that was staged is one whatever the file looks like.
    const isUncertain = (row: string): boolean => row.startsWith(' M ') && filtered.has(row.slice(3));
    return {
      uncommitted: pathsOf(rows.filter((row) => !isUncertain(row))),
      uncertain: pathsOf(rows.filter(isUncertain)),
      conflicts: pathsOf(rows.filter((row) => /^(U.|.U|AA|DD) /.test(row))),
      inTheWay: await this.#inTheWay(changes.filter(({ added }) => added).map(({ path }) => path)),
    };
  }

  /** Git would write over ignored files without a word; whatever is not tracked is kept here. */
  async #inTheWay(added: readonly Buffer[]): Promise<readonly Buffer[]> {
    const listing = await git(['ls-files', '-z', '--cached'], this.#call);
    const tracked = new Set(listing.toString('latin1').split('\0'));
    const found = new Map<string, Buffer>();
    for (const path of added) {
      const place = this.#firstThatIsNoFolder(path);
      const key = place?.path.toString('latin1') ?? '';
      if (place === null || tracked.has(key)) continue;
      const inside = place.isFolder ? await this.#untrackedBelow(place.path) : [place.path];
      for (const one of inside) found.set(one.toString('latin1'), one);
    }
    return [...found.values()];
  }

  /** What stands at a path: a file or link on the way to it, or whatever lies there itself. */
  #firstThatIsNoFolder(path: Buffer): { readonly path: Buffer; readonly isFolder: boolean } | null {
    for (let end = path.indexOf(SLASH); ; end = path.indexOf(SLASH, end + 1)) {
      const part = end === -1 ? path : path.subarray(0, end);
      const stats = lstatSync(Buffer.concat([Buffer.from(`${this.#root}/`), part]), { throwIfNoEntry: false });
      if (stats === undefined) return null;
      if (!stats.isDirectory() || end === -1) return { path: part, isFolder: stats.isDirectory() };
    }
  }

  async #untrackedBelow(dir: Buffer): Promise<readonly Buffer[]> {
    const listing = await git(['ls-files', '-z', '--others'], this.#call);
    const prefix = `${dir.toString('latin1')}/`;
    const names = listing.toString('latin1').split('\0');
    return names.filter((name) => name.startsWith(prefix)).map((name) => Buffer.from(name, 'latin1'));
  }

  /** Those that a program of the repository's would convert, with the name of its filter. */
  async filtered(paths: readonly Buffer[]): Promise<readonly { readonly path: Buffer; readonly filter: string }[]> {
    const known = filtersWithProgram(this.#target.settings);
    if (known.size === 0) return [];
    const rows = await this.#attributesOf(paths, ['filter']);
    return rows.flatMap(({ path, value }) => (known.has(value) ? [{ path, filter: value }] : []));
  }

  /**
   * Converts line endings, encodings and `$Id$` as the attributes of the repository had it before the change: attributes that the
   * change brings take no part, and neither does any filter.
   */
  async prepare(paths: readonly Buffer[]): Promise<void> {
    const rows = await this.#attributesOf(paths, CONVERSIONS);
    const lines = rows
      .filter(({ value }) => value !== 'unspecified')
      .map(({ path, name, value }) => `${pattern(path)} ${stated(name, value)}\n`);
    const none = [...CONVERSIONS, 'filter'].map((name) => `!${name}`).join(' ');
    writeFileSync(this.#attributes, `* ${none}\n${lines.join('')}`, 'latin1');
    // Exit 1 says that some files are changed, which is known by now.
    await git(['update-index', '-q', '--refresh'], this.#call).catch((error: unknown) => {
      if (!(error instanceof GitFault) || error.gitExitCode !== 1) throw error;
    });
  }

  /** Brings index and files from one commit to another; what differs from the first one and is not part of the change stays. */
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

/** Attributes of the caller for all his repositories. */
async function attributesFileOf({ settings, caller, ...rest }: Target): Promise<string | null> {
  if (lastValue(settings, 'core.attributesfile') !== undefined)
    return askTarget({ ...rest, caller }, ['config', '--type=path', '--get', 'core.attributesFile']);
  const dir = caller['XDG_CONFIG_HOME'] ?? (caller['HOME'] === undefined ? null : join(caller['HOME'], '.config'));
  return dir === null ? null : join(dir, 'git', 'attributes');
}

/** One path and no other, as a pattern of an attributes file. */
function pattern(path: Buffer): string {
  return quotePath(Buffer.from(`/${path.toString('latin1').replaceAll(/[\\*?[]/g, '\\$&')}`, 'latin1'));
}

function stated(name: string, value: string): string {
  if (value === 'set') return name;
  return value === 'unset' ? `-${name}` : `${name}=${value}`;
}
