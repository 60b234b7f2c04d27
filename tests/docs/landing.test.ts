import { afterAll, expect, test } from 'vitest';
import { Place } from '../support/seatrial.ts';
import { followPage } from '../support/shell-page.ts';

const place = new Place();
afterAll(() => place.remove());

test('the page on landing works as it is written', () => {
  const ended = followPage(place, 'docs/landing.md');
  expect(ended.status, ended.stderr).toBe(0);
  expect(ended.stdout, ended.stderr).toMatch(/^landed {2}\S+ as [0-9a-f]{40} on main of /m);
  expect(ended.stdout).toMatch(
    /^held {4}\S+: merged with main, it does not pass: tests newly failing: 1 \(tests\/test_fees.py::test_limit\)$/m,
  );
  expect(ended.stdout).toContain('exit code 1');
  expect(ended.stdout).toMatch(/^verified: commit [0-9a-f]{40}$/m);
});
