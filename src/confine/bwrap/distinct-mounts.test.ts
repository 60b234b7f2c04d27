import { expect, test } from 'vitest';
import type { Mount } from '../types.ts';
import { distinctMounts } from './distinct-mounts.ts';

const inPlace = (path: string): Mount => ({ source: path, target: path, mode: 'ro' });

test('outer directories come first', () => {
  const mounts = [inPlace('/a/b/c'), { ...inPlace('/x'), target: '/a' }];
  expect(distinctMounts(mounts).map(({ target }) => target)).toEqual(['/a', '/a/b/c']);
});

test('a path that a mounted directory shows is not mounted again, whichever tool asks for it', () => {
  const link: Mount = { source: '/usr/bin/python3', target: '/profile/bin/python', mode: 'link' };
  const mounts = [inPlace('/profile/bin/python3'), link, inPlace('/profile/bin'), inPlace('/profile/bin')];
  expect(distinctMounts(mounts)).toEqual([inPlace('/profile/bin')]);
});

test.each<[string, Mount]>([
  ['another file', { source: '/other', target: '/profile/bin/python3', mode: 'ro' }],
  ['a writable directory', { source: '/profile/bin/state', target: '/profile/bin/state', mode: 'rw' }],
])('what is mounted there otherwise stays: %s', (_what, mount) => {
  expect(distinctMounts([inPlace('/profile/bin'), mount])).toEqual([inPlace('/profile/bin'), mount]);
});

test('a path comes back inside of a directory that hides it', () => {
  const hidden: Mount = { source: '/empty', target: '/profile/bin', mode: 'ro' };
  const mounts = [inPlace('/profile'), hidden, inPlace('/profile/bin/python3')];
  expect(distinctMounts(mounts)).toEqual(mounts);
});

test('names that only begin alike are not inside', () => {
  const mounts = [inPlace('/profile'), inPlace('/profile-2/python3')];
  expect(distinctMounts(mounts)).toEqual(mounts);
});
