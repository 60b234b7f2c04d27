import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PROJECT } from './support/seatrial.ts';

const [promised = '', open = ''] = readFileSync(join(PROJECT, 'docs/security.md'), 'utf8').split('## Not promised');
const rows = promised.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| promised |'));
const testsIn = (text: string): string[] => [...text.matchAll(/`([^`]+\.test\.ts)`/g)].map(([, path = '']) => path);

describe('docs/security.md', () => {
  it('promises something, and says what it does not promise', () => {
    expect(rows.length).toBeGreaterThan(15);
    expect(open.match(/^- \*\*/gm)?.length).toBeGreaterThan(5);
  });

  it.each(
    rows.map((row) =>
      row
        .split('|')
        .slice(1, 3)
        .map((cell) => cell.trim()),
    ),
  )('names a test beside: %s', (_claim, cell = '') => {
    const named = testsIn(cell);
    expect(named.length).toBeGreaterThan(0);
    for (const path of named)
      expect(/\b(it|test)(\.\w+)*[(<]/.test(readFileSync(join(PROJECT, path), 'utf8')), path).toBe(true);
  });

  it('names no test that is not there', () => {
    expect(testsIn(promised + open).filter((path) => !existsSync(join(PROJECT, path)))).toEqual([]);
  });
});
