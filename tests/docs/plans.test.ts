import { afterAll, expect, test } from 'vitest';
import { Place } from '../support/seatrial.ts';
import { followPage } from '../support/shell-page.ts';

const place = new Place();
afterAll(() => place.remove());

test('the page on planning documents works as it is written', () => {
  const { stdout, stderr } = followPage(place, 'docs/plans.md');
  expect(stdout.match(/^ok: the documents keep to their rules/gm), stdout + stderr).toHaveLength(2);
  expect(stdout).toContain('plans/ISSUES.md:18: CTO-WORK-001: evidence not found');
  expect(stdout).toMatch(/^::error file=plans\/ISSUES.md,line=\d+::CTO-WORK-001: run \S+: the bundle is invalid: /m);
  expect(stdout.match(/^exit code 1$/gm)).toHaveLength(2);
}, 300_000);
