import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { STEPS } from '../../evidence/report/verdict.ts';

test('every step has a file of its name', () => {
  const files = readdirSync(import.meta.dirname)
    .filter((name) => !name.endsWith('.test.ts') && name !== 'state.ts')
    .map((name) => name.replace(/\.ts$/, ''));
  expect(files.toSorted()).toEqual(STEPS.toSorted());
});
