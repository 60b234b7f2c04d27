import { afterAll, expect, test } from 'vitest';
import { Place } from '../support/seatrial.ts';
import { followPage } from '../support/shell-page.ts';

const place = new Place();
afterAll(() => place.remove());

test('the fake engine goes the whole way from stage 1 to 6, each refused without its evidence', () => {
  const { stdout, stderr, status } = followPage(place, 'docs/stages.md');
  expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout.match(/^granted: fake .* has stage \d/gm)?.map((line) => line.at(-1))).toEqual([
    '2',
    '3',
    '4',
    '5',
    '6',
  ]);
  expect(stdout.match(/^refused, exit code 2$/gm)).toHaveLength(7);
  expect(stdout.match(/^ {2}seatrial\/\S+$/gm)).toHaveLength(10);
  expect(stdout).toContain('absent: codex: ');
  expect(stdout).toMatch(/^ {2}stage 6: candidate default$/m);
}, 900_000);
