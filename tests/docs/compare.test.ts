import { afterAll, expect, test } from 'vitest';
import { Place } from '../support/seatrial.ts';
import { followPage } from '../support/shell-page.ts';

const place = new Place();
afterAll(() => place.remove());

test('the page on comparisons works as it is written', () => {
  const { stdout, stderr } = followPage(place, 'docs/compare.md');
  expect(stdout, stderr).toMatch(/^fake +100 % +34–100 % +100 % +2 of 2 /m);
  expect(stdout).toMatch(/^command +0 % +0–66 % +0 % +0 of 2 /m);
  expect(stdout).toMatch(/^r1-string-slugify {2}✓✓ {4}✗✗$/m);
  expect(stdout).toContain('command: 2 × fail: tests failed');
  expect(stdout).toMatch(/^r1-string-slugify {2}✓✓$/m);
  expect(stdout.match(/^verified: comparison \S+$/gm)).toHaveLength(2);
}, 600_000);
