import { expect, test } from 'vitest';
import { takenCommands } from './commands-of-tests.ts';

const BASE: Readonly<Record<string, string>> = {
  'slug.sh': '. ./parts.inc\nslug() {\n  printf %s "$1"\n}\nwc() { :; }\n',
  'parts.inc': 'x=1\n',
  'bin/tool': '#!/bin/sh\necho tool\n',
  'test/slug.bats':
    'setup() { . ./slug.sh; }\ncheck() { :; }\n@test "a" {\n  slug a > out\n  [ "$(cat out)" = a ]\n  bin/tool | wc -l\n}\n',
};

function taken(path: string, more: string): readonly string[] {
  const read = (one: string): string | null => BASE[one] ?? null;
  const deciding = { read: (one: string) => (one === path ? `${BASE[one] ?? ''}${more}\n` : read(one)) };
  return takenCommands([path], {
    base: { paths: Object.keys(BASE), read },
    deciding,
    testFiles: ['test/slug.bats'],
    included: new Map([['parts.inc', 'bash']]),
  }).map(({ kind, text, line }) => `${line} ${kind} ${text}`);
}

test.each([
  ['slug.sh', 'cat() { command cat "$@"; }', '6 assertion cat() { command cat "$@"; }'],
  ['slug.sh', 'function cat { :; }', '6 assertion function cat { :; }'],
  ['slug.sh', 'alias cat=true', '6 assertion alias cat=true'],
  ['slug.sh', 'check() { :; }', '6 assertion check() { :; }'],
  ['slug.sh', '[ -n "$1" ] || exit 0', '6 exit [ -n "$1" ] || exit 0'],
  ['slug.sh', 'case $0 in run*) exit;; esac', '6 exit case $0 in run*) exit;; esac'],
  ['parts.inc', 'cat () {', '2 assertion cat () {'],
])('in %s, %s gets in the way of the tests', (path, more, line) => {
  expect(taken(path, more)).toEqual([line]);
});

test.each([
  ['slug.sh', 'sort() { :; }'],
  ['slug.sh', 'wc() { cat; }'],
  ['slug.sh', 'words() { cat "$1"; }'],
  ['slug.sh', '[ -n "$1" ] || exit 1'],
  ['slug.sh', '# exit 0'],
  ['bin/tool', 'cat() { :; }'],
  ['bin/tool', 'exit 0'],
])('in %s, %s does not', (path, more) => {
  expect(taken(path, more)).toEqual([]);
});
