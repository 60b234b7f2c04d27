import { expect, test } from 'vitest';
import type { Change } from '../../../task/tree/compare.ts';
import { describeChanges } from './patch-changes.ts';

type Leaf = NonNullable<Change['before']>;

const path = Buffer.from('a');
const file = (sha256: string, executable = false): Leaf => ({
  kind: 'file',
  path,
  executable,
  sha256,
  bytes: 1,
  ctimeMs: 0,
});
const link = (target: string): Leaf => ({ kind: 'link', path, target: Buffer.from(target), ctimeMs: 0 });

test.each([
  ['a new file', null, file('1'), { kind: 'added', target: null }],
  ['a new link', null, link('b'), { kind: 'added', target: 'b' }],
  ['a deleted file', file('1'), null, { kind: 'deleted', target: null }],
  ['other contents', file('1'), file('2', true), { kind: 'modified', target: null }],
  ['the executable bit alone', file('1'), file('1', true), { kind: 'mode', target: null }],
  ['a file that became a link', file('1'), link('b'), { kind: 'type', target: 'b' }],
  ['a link that became a file', link('b'), file('1'), { kind: 'type', target: null }],
  ['a link with another target', link('b'), link('c'), { kind: 'link', target: 'c' }],
] as const)('%s', (_name, before, after, expected) => {
  expect(describeChanges([{ path, before, after }])).toEqual([{ path: 'a', ...expected }]);
});
