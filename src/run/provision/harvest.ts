import type { Tree } from '../../task/tree/walk.ts';
import { pathText } from '../../kernel/path-text.ts';
import { compareTrees } from '../../task/tree/compare.ts';

/** Directories of third-party code, mounted read-only. Other products may be written to, so each run gets a copy. */
export const DEPENDENCY_DIRS = new Set(['node_modules', '.venv', 'venv', 'vendor', '.yarn', 'bower_components']);

/** How a setup changed a tree. */
export interface SetupOutput {
  /** Files of the base that it changed or removed. */
  readonly dirty: readonly string[];
  /** New dependency directories, outermost only. */
  readonly dirs: readonly string[];
  /** All other new files and links. */
  readonly files: readonly Buffer[];
}

export function classifySetupOutput(before: Tree, after: Tree): SetupOutput {
  const changes = compareTrees(before, after);
  const made = changes.filter((change) => change.before === null).map((change) => change.path);
  const dirs = [...after.entries.values()]
    .filter((entry) => entry.kind === 'dir' && !before.entries.has(entry.path.toString('latin1')))
    .filter(({ path }) => isText(path) && DEPENDENCY_DIRS.has(lastPart(path)))
    .map(({ path }) => path.toString('utf8'));
  const outermost = dirs.filter((path) => !dirs.some((other) => path.startsWith(`${other}/`)));
  return {
    dirty: changes.filter((change) => change.before !== null).map((change) => pathText(change.path)),
    dirs: outermost,
    files: made.filter((path) => !isBelow(path, outermost)),
  };
}

export function isBelow(path: Buffer, dirs: readonly string[]): boolean {
  return dirs.some((dir) => path.toString('utf8').startsWith(`${dir}/`));
}

const lastPart = (path: Buffer): string => path.toString('utf8').split('/').at(-1) ?? '';
/** A path that is not valid UTF-8 cannot be a mount target. */
const isText = (path: Buffer): boolean => Buffer.from(path.toString('utf8')).equals(path);
