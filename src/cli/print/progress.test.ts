import { expect, test } from 'vitest';
import { showProgress } from './progress.ts';

test('without a terminal, a step is printed once it has ended, with the time that it took', () => {
  const written: string[] = [];
  const progress = showProgress('plain', { write: (text) => written.push(text), columns: 80 });
  progress.step('engine');
  expect(written).toEqual([]);
  progress.step('judge');
  progress.end();
  expect(written).toEqual([
    expect.stringMatching(/^ +\d+\.\d s {2}engine\n$/),
    expect.stringMatching(/ s {2}judge\n$/),
  ]);
});
