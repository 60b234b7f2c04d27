import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { Place, PROJECT } from '../support/seatrial.ts';

const place = new Place();
afterAll(() => place.remove());

/** The same text for every run: ids, times and digests are masked, and the place is left out. */
const shapeOf = (text: string): string =>
  text
    .replaceAll(`${place.cwd}/`, '')
    .replaceAll(place.home, '~')
    .replaceAll(/\d{8}T\d{6}Z-[\w-]+-\d+/g, '<run>')
    .replaceAll(/\d+\.\d s\b/g, '<seconds>')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '<time>')
    .replaceAll(/[0-9a-f]{16}…/g, '<key>')
    .replaceAll(/events: \d+/g, 'events: <n>')
    .trimEnd();

it('what the README shows is what the commands print', async () => {
  const example = /^```\n(\$ [\s\S]*?)^```$/m.exec(readFileSync(join(PROJECT, 'README.md'), 'utf8'))?.[1] ?? '';
  const shown = [...example.matchAll(/^\$ \.\/seatrial (.*)\n([\s\S]*?)(?=^\$ |(?![\s\S]))/gm)];
  expect(shown.length).toBeGreaterThanOrEqual(2);
  for (const [, command = '', output = ''] of shown) {
    const args = command.split(' ').map((word) => (/^\d{8}T/.test(word) ? 'last' : word));
    const { stdout, code } = await place.seatrial(args);
    expect(code).toBe(0);
    expect(shapeOf(stdout)).toBe(shapeOf(output));
  }
});
