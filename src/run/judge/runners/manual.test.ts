import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { RUNNERS } from './list.ts';

const PAGE = new URL('../../../../docs/judge.md', import.meta.url);

test('docs/judge.md has the row of every runner', () => {
  const rows = RUNNERS.map(({ manual: { commands, calledAs, ids } }) => `| ${commands} | ${calledAs} | ${ids} |`);
  const [, table = ''] = readFileSync(PAGE, 'utf8').split('| command | called so | test ids |\n|---|---|---|\n');
  expect(table.split('\n').slice(0, rows.length)).toEqual(rows);
});
