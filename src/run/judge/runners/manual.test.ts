import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { RUNNERS } from './list.ts';

const PAGE = new URL('../../../../docs/runners.md', import.meta.url);

test('docs/runners.md has the row of every runner', () => {
  const rows = RUNNERS.map(({ manual: { commands, calledAs, ids } }) => `| ${commands} | ${calledAs} | ${ids} |`);
  const [, table = ''] = readFileSync(PAGE, 'utf8').split('| command | how it is called | test ids |\n|---|---|---|\n');
  expect(table.split('\n').slice(0, rows.length)).toEqual(rows);
});
