import { copyFileSync, lstatSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { readMakeRules } from '../deciding/command/make-rules.ts';
import { onlyNamesMoreSources } from '../deciding/table/parts/source-lists.ts';
import type { JudgeRequest } from '../types.ts';
import { rowsMatching } from '../../../task/tree/layered/search.ts';
import type { Tree } from '../../../task/tree/walk.ts';
import { textEntries } from '../../../task/tree/text-entries.ts';

/** Files that say what a command like `npm test` or `make check` means. */
const COMMAND_FILE =
  /^(?:package\.json|pnpm-workspace\.yaml|(?:GNU)?[Mm]akefile|\.?[Jj]ustfile|tox\.ini|setup\.cfg|pyproject\.toml|Pipfile)$/;
/** Is in every one of their names. */
const COMMAND_WORD = /package\.json|workspace\.yaml|akefile|ustfile|tox\.ini|setup\.cfg|pyproject|Pipfile/;
const NOT_ENTERED = new Set(['node_modules', '.git', '.venv', 'venv', 'target', 'vendor', '__pycache__']);
const MAX_BYTES = 1024 * 1024;

/** What a command is read from. */
export interface BaseFiles {
  /**
   * A file that says what commands mean, as it is before the patch, unless it only names more sources of the product: a recipe that links
   * them all needs those too. Null: there is none.
   */
  command(path: string): string | null;
  /** Directories below one, by their paths from the workspace, that hold a file of that name before the patch. */
  dirsWith(name: string): readonly string[];
  /** Any file of the tree that is judged; null: there is none. */
  source(path: string): string | null;
}

export function openBaseFiles({ scriptsIn, workspace }: Pick<JudgeRequest, 'scriptsIn' | 'workspace'>): BaseFiles {
  const base = scriptsIn ?? workspace;
  let known: readonly string[] | null = null;
  return {
    command(path) {
      const before = readBelow(base, path);
      const judged = before === null || scriptsIn === undefined ? null : readBelow(workspace, path);
      if (before === null || judged === null) return before;
      const targets = new Set(readMakeRules(before).flatMap(({ names }) => names));
      return onlyNamesMoreSources(path, before, judged, (target) => targets.has(target)) ? judged : before;
    },
    dirsWith(name) {
      known ??= listCommandFiles(base);
      const ending = `/${name}`;
      return known.flatMap((path) => (`/${path}`.endsWith(ending) ? [path.slice(0, -ending.length)] : []));
    },
    source: (path) => readBelow(workspace, path),
  };
}

/**
 * Keeps what a tree says about its commands now, for `scriptsIn`. Gives the directory, which is not made for a tree that says
 * nothing. `walked`: what a walk of the tree found, if there was one.
 */
export function keepScripts(tree: string, dir: string, walked: Tree | null = null): string {
  for (const path of walked === null ? listCommandFiles(tree) : walkedCommandFiles(walked)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    copyFileSync(join(tree, path), join(dir, path));
  }
  return dir;
}

/** The same from what a walk of the tree found. */
function walkedCommandFiles({ entries }: Tree): readonly string[] {
  const isEntered = (path: string): boolean => !path.split('/').some((part) => NOT_ENTERED.has(part));
  return [...rowsMatching(entries, COMMAND_WORD)].flatMap(([, { kind, path }]) => {
    const text = path.toString('utf8');
    const isText = Buffer.from(text).equals(path);
    return kind === 'file' && isText && COMMAND_FILE.test(basename(text)) && isEntered(dirname(text)) ? [text] : [];
  });
}

function listCommandFiles(tree: string): readonly string[] {
  const found: string[] = [];
  const visit = (below: string): void => {
    for (const entry of textEntries(join(tree, below))) {
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      if (entry.isDirectory() && !NOT_ENTERED.has(entry.name)) visit(path);
      else if (entry.isFile() && COMMAND_FILE.test(entry.name)) found.push(path);
    }
  };
  if (lstatSync(tree, { throwIfNoEntry: false })?.isDirectory() === true) visit('');
  return found.sort();
}

/** Never through a link, which could lead anywhere. */
function readBelow(root: string, path: string): string | null {
  const whole = normalize(path);
  if (whole.startsWith('/') || whole.startsWith('..')) return null;
  const parts = whole.split('/').filter((part) => part !== '' && part !== '.');
  try {
    for (const [at] of parts.entries()) {
      const stat = lstatSync(join(root, ...parts.slice(0, at + 1)));
      const isLast = at === parts.length - 1;
      if (isLast ? !stat.isFile() || stat.size > MAX_BYTES : !stat.isDirectory()) return null;
    }
    return parts.length === 0 ? null : readFileSync(join(root, ...parts), 'utf8');
  } catch {
    return null;
  }
}
