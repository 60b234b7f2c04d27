import { expect, test } from 'vitest';
import { executePage } from '../support/executed-page.ts';

test('the page on adding a test runner works as it is written', { timeout: 300_000, tags: ['long'] }, () => {
  const ended = executePage({
    page: 'docs/add-a-runner.md',
    list: 'src/run/judge/runners/list.ts',
    alsoNeeds: [],
  });
  expect(`${ended.stdout}${ended.stderr}`).toMatch(/4 passed/);
  expect([ended.status, ended.stdout]).toEqual([0, expect.stringMatching(/^PASS (?:.*\n)+ +tests: 1 passed$/m)]);
});
