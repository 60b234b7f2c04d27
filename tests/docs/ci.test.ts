import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { Place, PROJECT } from '../support/seatrial.ts';
import { followPage } from '../support/shell-page.ts';

const place = new Place();
afterAll(() => place.remove());

test('the page on CI works as it is written', () => {
  const ended = followPage(place, 'docs/ci.md');
  expect(ended.status, ended.stdout + ended.stderr).toBe(0);
  expect(ended.stdout).toMatch(/^FAIL {2}job, commit [0-9a-f]{12} in .*\n.*tests newly failing: 1$/m);
  expect(ended.stdout).toContain('exit code 1');
  expect(readFileSync(join(place.cwd, 'summary.md'), 'utf8')).toContain('tests newly failing: 1');
  expect(ended.stderr).toMatch(/^remote: seatrial: main refused: commit [0-9a-f]{12}: it has no landing record/m);
  expect(ended.stdout).toContain('the push was refused');
  expect(ended.stdout).toMatch(/^landed {2}\S+ as [0-9a-f]{40} on main of /m);
  expect(ended.stdout).toMatch(/^verified: commit [0-9a-f]{40}$/m);
});

test('the table of inputs and the workflow name inputs that the action has', () => {
  const page = readFileSync(join(PROJECT, 'docs/ci.md'), 'utf8');
  const { inputs } = parse(readFileSync(join(PROJECT, 'action.yml'), 'utf8')) as { inputs: Record<string, unknown> };
  const table = page.slice(page.indexOf('| input |'), page.indexOf('Outputs:'));
  const named = [...table.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([\w-]+)`/g)].map(([, name = '']) => name),
  );
  expect(named.toSorted()).toEqual(Object.keys(inputs).toSorted());
});
