import { describe, expect, test } from 'vitest';
import { userDir } from './user-dirs.ts';

const HOME = '/home/ada';

describe("the user's directories", () => {
  test.each([
    ['config', '/home/ada/.config'],
    ['data', '/home/ada/.local/share'],
    ['cache', '/home/ada/.cache'],
  ] as const)('%s is %s unless the variable names another', (kind, usual) => {
    const variable = `XDG_${kind.toUpperCase()}_HOME`;
    expect(userDir(kind, { HOME })).toBe(usual);
    expect(userDir(kind, { HOME, [variable]: '/elsewhere' })).toBe('/elsewhere');
    expect(userDir(kind, { [variable]: '/elsewhere' })).toBe('/elsewhere');
  });

  test.each(['', 'cache', './cache'])('a variable that says %j is ignored', (value) => {
    expect(userDir('cache', { HOME, XDG_CACHE_HOME: value })).toBe('/home/ada/.cache');
  });

  test('there is none without the variable and HOME', () => {
    expect(userDir('cache', {})).toBeNull();
    expect(userDir('cache', { HOME: '' })).toBeNull();
  });
});
