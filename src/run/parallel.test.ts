import { expect, test } from 'vitest';
import { inParallel } from './parallel.ts';

const never = new AbortController().signal;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('results are in the order of the items, and no more than asked for are under way', async () => {
  let under = 0;
  let most = 0;
  const results = await inParallel([3, 1, 2, 5, 4], 2, never, async (item) => {
    most = Math.max(most, (under += 1));
    for (let waited = 0; waited < item; waited += 1) await turn();
    under -= 1;
    return item * 10;
  });
  expect([results, most]).toEqual([[30, 10, 20, 50, 40], 2]);
});

test('one that fails is thrown when those under way have ended, and no other is started', async () => {
  const ended: number[] = [];
  const work = async (item: number): Promise<void> => {
    if (item === 2) throw new Error('no room');
    for (let waited = 0; waited < 5; waited += 1) await turn();
    ended.push(item);
  };
  await expect(inParallel([1, 2, 3, 4], 2, never, work)).rejects.toThrow('no room');
  expect(ended).toEqual([1]);
});

test('a signal lets those under way end and starts no more', async () => {
  const controller = new AbortController();
  const results = await inParallel([1, 2, 3], 1, controller.signal, async (item) => {
    controller.abort();
    await turn();
    return item;
  });
  expect(results).toEqual([1]);
});
