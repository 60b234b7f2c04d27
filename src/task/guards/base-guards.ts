import { posix } from 'node:path';
import { parse } from 'smol-toml';
import { HOOK_NAMES } from './git-programs.ts';
import { foldPath, HOOK_KEYS, nameGuard } from './guarded-paths.ts';
import { pathsNamed } from './named-paths.ts';

/** Files of the base that can add guarded paths. */
export interface GuardTexts {
  /** At least those that can add any. */
  readonly paths: readonly string[];
  readonly has: (path: string) => boolean;
  /** Null: missing, not a regular file, or too large for such a file. */
  readonly read: (path: string) => string | null;
}

/** Paths named by the base's own settings and hooks: hook programs, and the directories of Seatrial's runs and admissions. */
export function guardedByBase(base: GuardTexts): string[] {
  const isGuardedName = nameGuard();
  const named = base.paths.flatMap((path) => {
    const name = posix.basename(path);
    const dir = posix.dirname(path);
    if (name === 'package.json') return hooksNamed(hookSettings(base.read(path)) ?? '', dir, base.has);
    if (name === 'seatrial.toml') return dirsNamed(base.read(path) ?? '', dir);
    return isGuardedName(path) ? hooksNamed(base.read(path) ?? '', '.', base.has) : [];
  });
  return [...new Set(named)].toSorted();
}

/** Only paths that look like hooks: a hook may also start product code, which an engine must be able to change. */
const HOOK_PATH = new RegExp(
  `(?:^|[/._-])(?:(?:git-?)?hooks?|${HOOK_NAMES.filter((name) => name !== 'update').join('|')})(?:[/._-]|$)`,
);

function hooksNamed(text: string, dir: string, isFile: (path: string) => boolean): string[] {
  return pathsNamed(text, isFile)
    .flatMap(({ path }) => [path, posix.join(dir, path)])
    .filter((path) => !path.startsWith('/') && !path.startsWith('..') && HOOK_PATH.test(foldPath(path)));
}

/** An invalid file adds nothing: Seatrial refuses to run with it. */
function dirsNamed(text: string, dir: string): string[] {
  try {
    const { runs, admissions } = parse(text);
    return [runs, admissions]
      .filter((path) => typeof path === 'string')
      .filter((path) => !posix.isAbsolute(path))
      .map((path) => posix.join(dir, path))
      .filter((path) => !path.startsWith('..') && path !== '.')
      .map((path) => `${path.replace(/\/$/, '')}/`);
  } catch {
    return [];
  }
}

/** The git hook settings of a package.json, as one string; null: it has none, or is invalid. */
export function hookSettings(text: string | null): string | null {
  if (text === null) return null;
  try {
    const content: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    if (typeof content !== 'object' || content === null) return null;
    const said = Object.entries(content).filter(([key]) => HOOK_KEYS.includes(key));
    return said.length === 0 ? null : JSON.stringify(said.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  } catch {
    // Other readers may be more lenient than JSON.parse.
    return HOOK_KEYS.some((key) => text.includes(`"${key}"`)) ? text : null;
  }
}
