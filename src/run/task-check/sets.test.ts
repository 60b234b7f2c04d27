import { expect, test } from 'vitest';
import type { TaskFindingLine } from './many.ts';
import { setSentence, setsThatProveNothing } from './sets.ts';

const line = (task: string, soundness: TaskFindingLine['soundness']): TaskFindingLine => ({
  task,
  soundness,
  digest: '',
  why: '',
  tests: 0,
  isolation: null,
  duration_ms: 0,
});

test('a set is named when tasks of it are passed without any work and none is proven', () => {
  const lines = [
    line('empty/a', 'proves nothing'),
    line('empty/b', 'no oracle'),
    line('mixed/a', 'proves nothing'),
    line('mixed/b', 'proven'),
    line('untried/a', 'needs image'),
    line('alone', 'proves nothing'),
  ];
  expect(setsThatProveNothing(lines).map((set) => setSentence('all', set))).toEqual([
    'the set all proves nothing: 1 of 1 tasks can be passed without any work, and none is proven',
    'the set all/empty proves nothing: 1 of 2 tasks can be passed without any work, and none is proven',
  ]);
});
