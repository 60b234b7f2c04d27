import { expect, test } from 'vitest';
import { executePage } from '../support/executed-page.ts';

test('the page on adding an engine works as it is written', { timeout: 300_000, tags: ['long'] }, () => {
  const ended = executePage({
    page: 'docs/add-an-engine.md',
    list: 'src/engines/list.ts',
    alsoNeeds: ['tasks', 'tests/conformance', 'tests/screens', 'tests/support'],
  });
  expect(`${ended.stdout}${ended.stderr}`).toMatch(/Tests +4 passed/);
  expect([ended.status, ended.stdout]).toEqual([0, expect.stringMatching(/^PASS {2}r1-string-slugify by script/m)]);
});
