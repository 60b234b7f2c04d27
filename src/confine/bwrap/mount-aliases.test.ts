import { expect, it } from 'vitest';
import { aliasesOf, parseMounts } from './mount-aliases.ts';

const MOUNTS = parseMounts(
  [
    '20 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw',
    '21 20 0:5 / /proc rw - proc proc rw',
    '22 20 8:1 /srv/app /mnt/same rw - ext4 /dev/sda1 rw',
    '23 20 8:1 /srv /mnt/around rw - ext4 /dev/sda1 rw',
    '24 20 8:1 /srv/app/part /mnt/a\\040part rw - ext4 /dev/sda1 rw',
    '25 20 8:2 /srv/app /mnt/other-disk rw - ext4 /dev/sdb1 rw',
    '26 20 8:1 /srv/application /mnt/neighbour rw - ext4 /dev/sda1 rw',
  ].join('\n'),
);

it('finds a directory, what holds it and what it holds behind other mounts of the same disk', () => {
  expect(aliasesOf('/srv/app', MOUNTS)).toEqual([
    { alias: '/mnt/same', of: '/srv/app' },
    { alias: '/mnt/around/app', of: '/srv/app' },
    { alias: '/mnt/a part', of: '/srv/app/part' },
  ]);
});

it('finds the original of a directory that is itself behind a mount', () => {
  expect(aliasesOf('/mnt/same/x', MOUNTS).map(({ alias }) => alias)).toEqual(['/srv/app/x', '/mnt/around/app/x']);
});
