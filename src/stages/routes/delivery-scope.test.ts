import { expect, it } from 'vitest';
import { deliveryRefusal } from './delivery-scope.ts';

const PLACES = ['sandbox', 'owned', 'other'] as const;
const branch = (name: string | null, defaultBranch: string | null = null) => ({ branch: name, defaultBranch });

it.each([1, 2, 3])('the change of a run at stage %i goes nowhere', (stage) => {
  for (const standing of PLACES)
    expect(deliveryRefusal(stage, { standing, ...branch('work') })).toMatch(new RegExp(`^stage ${stage} admits "`));
});

it('at stage 4 it goes to a sandbox only, from stage 5 on to a listed repository only', () => {
  const admitted = (stage: number): string[] =>
    PLACES.filter((standing) => deliveryRefusal(stage, { standing, ...branch('work') }) === null);
  expect([4, 5, 6].map(admitted)).toEqual([['sandbox'], ['owned'], ['owned']]);
  expect(deliveryRefusal(5, { standing: 'other', ...branch('work') })).toContain(
    'is not listed as owned and noncritical',
  );
});

it('never goes to a default branch or a detached HEAD', () => {
  const to = (name: string | null, defaultBranch: string | null = null) =>
    deliveryRefusal(5, { standing: 'owned', ...branch(name, defaultBranch) });
  expect(to('work', 'develop')).toBeNull();
  expect(to('develop', 'develop')).toContain('develop is a default branch');
  for (const usual of ['main', 'master', 'trunk']) expect(to(usual, 'develop')).toContain('is a default branch');
  expect(to(null)).toContain('no branch is checked out');
});
