import picomatch from 'picomatch';

/** Paths that an engine may not change, whatever else it may. */
interface GuardRule {
  readonly what: string;
  /** What lets an engine change them all the same. */
  readonly lift: 'never';
  /** Against folded paths from the top of the tree. What lies below a match is guarded with it. */
  readonly globs: readonly string[];
}

const HOOKS = 'git hooks, or what says which program is one';

/**
 * Paths that run outside the confinement once a patch has been applied, or that decide what runs there. A kind that a person may allow
 * by name is one more row with another `lift`.
 */
export const GUARD_RULES: readonly GuardRule[] = [
  { what: "Seatrial's own settings and evidence", lift: 'never', globs: ['**/.seatrial', '**/seatrial.toml'] },
  { what: 'submodules', lift: 'never', globs: ['.gitmodules'] },
  // The walk leaves out `.git` itself; on some file systems these names open the same folder.
  { what: 'a git directory', lift: 'never', globs: ['**/.git', '**/git~1'] },
  {
    what: HOOKS,
    lift: 'never',
    globs: ['**/.{githooks,git-hooks,husky,cargo-husky,lefthook,lefthook-local,overcommit}', '{githooks,git-hooks}'],
  },
  {
    what: HOOKS,
    lift: 'never',
    globs: [
      '{,.config/}{,.}lefthook{,-local}.{yml,yaml,toml,json,jsonc}',
      '.pre-commit-config.{yml,yaml}',
      '{,.}simple-git-hooks.{json,js,cjs,mjs,ts}',
      '.huskyrc{,.*}',
      'husky.config.*',
      '.overcommit.yml',
      '.rusty-hook.toml',
      'captainhook.json',
      '{,.}grumphp.{yml,yaml,yml.dist,yaml.dist}',
      '{,.config/}hk.pkl',
      'prek.toml',
      '**/{,.}lintstagedrc{,.*}',
      '**/lint-staged.config.*',
      '**/{,.}nanostagedrc{,.*}',
      '**/nano-staged.{json,js,cjs,mjs}',
    ],
  },
];

/** Keys of every `package.json` that say what git hooks run. */
export const HOOK_KEYS = [
  'husky',
  'simple-git-hooks',
  'gitHooks',
  'git-hooks',
  'pre-commit',
  'pre-push',
  'lint-staged',
  'nano-staged',
];

const matches = picomatch(
  GUARD_RULES.flatMap(({ globs }) => [...globs]),
  // Names may hold line breaks, which `.` of a pattern must match too.
  { dot: true, flags: 's' },
);

/** Tells by its name alone whether a path is guarded, or lies below one that is. Remembers folders: trees have many files in few. */
export function nameGuard(): (path: string) => boolean {
  const dirs = new Map<string, boolean>();
  const isGuarded = (path: string): boolean => {
    const end = path.lastIndexOf('/');
    return (end > 0 && isGuardedDir(path.slice(0, end))) || matches(path);
  };
  const isGuardedDir = (path: string): boolean => {
    const known = dirs.get(path) ?? isGuarded(path);
    dirs.set(path, known);
    return known;
  };
  return (path) => isGuarded(foldPath(path));
}

/**
 * One spelling for all paths that some file system takes for the same: other letter case or composition, characters that are ignored,
 * dots and spaces at the end of a name, streams behind a colon, backslashes between names.
 */
export function foldPath(path: string): string {
  // Nearly all are plain.
  if (/^[\w/.-]*$/.test(path) && !/\.(?:\/|$)/.test(path)) return path.toLowerCase();
  return path
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .normalize('NFKC')
    .toUpperCase()
    .toLowerCase()
    .split(/[/\\]/)
    .map((name) => name.replace(/(?<=.):.*$/s, '').replace(/(?<=[^. ])[. ]+$/, ''))
    .join('/');
}

/** Whether a folded path is one of these or lies below one that ends in a slash. All folded, from the top of the tree. */
export function isAmong(path: string, guarded: ReadonlySet<string>): boolean {
  const parts = path.split('/');
  return guarded.has(path) || parts.some((_, depth) => guarded.has(`${parts.slice(0, depth + 1).join('/')}/`));
}
