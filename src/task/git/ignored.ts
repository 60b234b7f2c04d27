import { copyFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathText } from '../../kernel/path-text.ts';
import { git, GitFault, makeGitDir } from './call.ts';
import { compareTrees } from '../tree/compare.ts';
import { leafFinder, rowsNamed, withEntries } from '../tree/layered/search.ts';
import { dirsAbove, type Tree, type TreeEntry } from '../tree/walk.ts';

/** A tree without the files that its base ignores. */
export interface Swept {
  readonly tree: Tree;
  /** The ignored paths, for the report. A directory with only ignored files is listed as one path. */
  readonly ignored: readonly string[];
}

export interface SweepSources {
  /** The tree before the engine ran; its files are never ignored. */
  readonly before: Tree;
  readonly base: Tree;
  /** Directory with the unchanged files of the base. */
  readonly baseDir: string;
  /** The directory of the tree after the engine ran. Absent: its own rules are not looked at. */
  readonly frozenDir?: string;
  /** An empty git directory of our own. */
  readonly scratch: string;
}

/**
 * Separates new files that the base's `.gitignore` files ignore: caches and installed packages are neither part of the answer nor a
 * violation. The rules are copied from the base for our own git. Rules that the engine adds hide nothing; a file that it no longer ignores
 * is part of its answer.
 */
export async function sweepIgnored(frozen: Tree, from: SweepSources): Promise<Swept> {
  const suspects = [
    ...compareTrees(from.before, frozen).flatMap(({ before, after }) =>
      before === null && after !== null ? [after.path] : [],
    ),
    ...frozen.faults.map((fault) => fault.path).filter((path) => path.length > 0),
  ].filter((path) => !from.before.entries.has(keyOf(path)));
  const byBase = await matchRules(suspects, rulesIn(from.base), from.baseDir, join(from.scratch, 'base'));
  const ignored =
    from.frozenDir === undefined || byBase.size === 0 || !changesRules(from.base, frozen)
      ? byBase
      : await matchRules(
          suspects.filter((path) => byBase.has(keyOf(path))),
          rulesIn(frozen),
          from.frozenDir,
          join(from.scratch, 'frozen'),
        );
  if (ignored.size === 0) return { tree: frozen, ignored: [] };
  const kept = withEntries(frozen.entries, new Map([...ignored].map((key) => [key, null])));
  const faults = frozen.faults.filter((fault) => !ignored.has(keyOf(fault.path)));
  return { tree: { entries: kept, faults }, ignored: summarize(ignored, kept) };
}

const keyOf = (path: Buffer): string => path.toString('latin1');

type Rule = Extract<TreeEntry, { kind: 'file' }>;

function rulesIn(tree: Tree): Rule[] {
  const rules = rowsNamed(tree.entries, ['.gitignore']).flatMap(([, entry]) => (entry.kind === 'file' ? [entry] : []));
  return rules.toSorted((a, b) => Buffer.compare(a.path, b.path));
}

function changesRules(base: Tree, frozen: Tree): boolean {
  const texts = (tree: Tree): string => JSON.stringify(rulesIn(tree).map(({ path, sha256 }) => [keyOf(path), sha256]));
  return texts(base) !== texts(frozen);
}

async function matchRules(
  paths: readonly Buffer[],
  rules: readonly Rule[],
  dir: string,
  scratch: string,
): Promise<Set<string>> {
  if (rules.length === 0 || paths.length === 0) return new Set();
  const tree = join(scratch, 'tree');
  mkdirSync(tree, { recursive: true });
  for (const { path } of rules) {
    mkdirSync(Buffer.from(dirname(keyOf(below(tree, path))), 'latin1'), { recursive: true });
    copyFileSync(below(dir, path), below(tree, path));
  }
  const gitDir = join(scratch, 'git');
  makeGitDir(gitDir);
  const input = Buffer.concat(paths.flatMap((path) => [HERE, path, NUL]));
  try {
    const asked = ['check-ignore', '--no-index', '-z', '--stdin'];
    const matched = keyOf(await git(asked, { gitDir, workTree: tree, cwd: tree, input }));
    return new Set(
      matched
        .split('\0')
        .slice(0, -1)
        .map((name) => name.slice(HERE.length)),
    );
  } catch (error) {
    if (error instanceof GitFault && error.gitExitCode === NONE_MATCHED) return new Set();
    throw error;
  }
}

const NUL = Buffer.alloc(1);
/** Prefix for every name, so that none is parsed as pathspec magic such as `:(top)`. */
const HERE = Buffer.from('./');
const NONE_MATCHED = 1;

function below(dir: string, path: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${dir}/`), path]);
}

const MAX_LISTED = 100;

function summarize(ignored: ReadonlySet<string>, kept: Tree['entries']): string[] {
  const isInUse = leafFinder(kept);
  const names = new Set<string>();
  for (const key of ignored) {
    const dir = dirsAbove(key).find((above) => !isInUse(above));
    names.add(dir === undefined ? key : `${dir}/`);
  }
  const listed = [...names].slice(0, MAX_LISTED).map((name) => pathText(Buffer.from(name, 'latin1')));
  return names.size > MAX_LISTED ? [...listed, `… and ${names.size - MAX_LISTED} more`] : listed;
}
