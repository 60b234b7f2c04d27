import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { GUARD_RULES, GUARDED_WORD, isAmong, nameGuard } from './guarded-paths.ts';

const isGuarded = nameGuard();

describe('a path is guarded by its name', () => {
  test.each([
    '.seatrial/task.toml',
    'web/.seatrial/task.toml',
    'seatrial.toml',
    'deep/down/seatrial.toml',
    '.gitmodules',
    '.githooks/post-merge',
    'githooks/post-merge',
    'web/.husky/pre-commit',
    'lefthook.yml',
    '.config/lefthook-local.toml',
    '.pre-commit-config.yaml',
    '.simple-git-hooks.cjs',
    '.huskyrc',
    'web/.lintstagedrc.json',
  ])('%s', (path) => {
    expect(isGuarded(path)).toBe(true);
  });

  test.each([
    ['other letters', '.Seatrial/Task.TOML'],
    ['other letters', 'SEATRIAL.TOML'],
    ['a trailing dot', 'seatrial.toml.'],
    ['a trailing space', '.husky /pre-commit'],
    ['a stream after a colon', 'seatrial.toml::$DATA'],
    ['backslashes', 'web\\.seatrial\\task.toml'],
    ['an ignored character', '.sea\u200dtrial/task.toml'],
    ['a soft hyphen', '.git\u00admodules'],
    ['wide letters', '\uff0e\uff53eatrial/task.toml'],
    ['a long s', '.\u017featrial/x'],
    ['the Kelvin sign', '.hus\u212ay/pre-commit'],
    ['a line break before it', 'a\nb/.seatrial/x'],
    ['a git directory', '.GIT/hooks/post-merge'],
    ['a git directory with a dot', 'sub/.git./config'],
    ['a short name', 'GIT~1/config'],
  ])('in any spelling: %s', (_how, path) => {
    expect(isGuarded(path)).toBe(true);
  });

  test.each([
    'src/seatrial.toml.ts',
    'seatrial/toml',
    'docs/.gitmodules',
    'src/hooks/useThing.ts',
    '.gitignore',
    '.github/workflows/ci.yml',
    'husky/x',
    '.githooks.md',
    'src/lefthook.yml',
    'a',
    '.',
    '',
  ])('other paths are not guarded: %j', (path) => {
    expect(isGuarded(path)).toBe(false);
  });

  test('everything below a guarded directory is guarded, and nothing lifts it', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (name) => {
        expect(isGuarded(`.seatrial/${name}`)).toBe(true);
      }),
    );
    expect(new Set(GUARD_RULES.map(({ lift }) => lift))).toEqual(new Set(['never']));
  });
});

test('a trailing slash guards everything below a directory', () => {
  const guarded = new Set(['hooks/', 'tools/clean.sh']);
  expect(['hooks', 'hooks/a/b', 'tools/clean.sh'].map((path) => isAmong(path, guarded))).toEqual([true, true, true]);
  expect(['hooks2', 'tools', 'tools/clean.sh/x', 'a/hooks'].map((path) => isAmong(path, guarded))).toEqual([
    false,
    false,
    false,
    false,
  ]);
});

/** All that the braces of a glob stand for. */
function expand(glob: string): string[] {
  const match = /^(.*?)\{([^{}]*)\}(.*)$/s.exec(glob);
  if (match === null) return [glob];
  const [, before = '', any = '', after = ''] = match;
  return any.split(',').flatMap((one) => expand(`${before}${one}${after}`));
}

test('every guarded path has a word by which it is found among all paths', () => {
  const globs = GUARD_RULES.flatMap((rule) => rule.globs).flatMap(expand);
  expect(globs.filter((glob) => !GUARDED_WORD.test(glob))).toEqual([]);
});
