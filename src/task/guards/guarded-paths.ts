import picomatch from 'picomatch';

/** Paths that an engine may not change, whatever the contract allows. */
interface GuardRule {
  readonly what: string;
  /** What permits an engine to change them nevertheless. */
  readonly lift: 'never';
  /** Matched against folded paths relative to the root. Paths below a match are guarded too. */
  readonly globs: readonly string[];
}

const HOOKS = 'git hooks, or what says which program is one';

/**
 * Paths that are executed outside the sandbox once a patch has been applied, or that decide what is executed there. A kind that a user may
 * allow by name is another row with a different `lift`.
 */
export const GUARD_RULES: readonly GuardRule[] = [
  { what: "Seatrial's own settings and evidence", lift: 'never', globs: ['**/.seatrial', '**/seatrial.toml'] },
  { what: 'submodules', lift: 'never', globs: ['.gitmodules'] },
  // The walk skips `.git` itself; on some file systems these names open the same directory.
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

/** Is in every path that a rule guards, in whatever spelling: all others need no closer look. */
export const GUARDED_WORD = /seatrial|git|hook|husky|commit|grumphp|hk\.pkl|prek|staged|[\u0080-\uffff]/i;

/** Keys of a `package.json` that configure git hooks. */
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
  // Names may contain line breaks, which `.` in a pattern must match too.
  { dot: true, flags: 's' },
);

/** Whether a path is guarded, or below a guarded one, by its name alone. Caches directories, which hold many files each. */
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
 * Folds all paths that some file system treats as equal into one spelling: letter case, Unicode composition, ignored characters,
 * trailing dots and spaces, streams after a colon, backslashes as separators.
 */
export function foldPath(path: string): string {
  // Fast path: nearly all paths are plain.
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

/** Whether a folded path is in `guarded`, or below an entry that ends in a slash. Entries must be folded and relative to the root. */
export function isAmong(path: string, guarded: ReadonlySet<string>): boolean {
  const parts = path.split('/');
  return guarded.has(path) || parts.some((_, depth) => guarded.has(`${parts.slice(0, depth + 1).join('/')}/`));
}
