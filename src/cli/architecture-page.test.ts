import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageRoot } from '../kernel/package-root.ts';

const ROOT = packageRoot();
const PAGE = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8');

const dirsIn = (dir: string): string[] =>
  readdirSync(join(ROOT, dir), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);

/** What is in backticks, in order. */
const quotedIn = (text: string): string[] => Array.from(text.matchAll(/`([^`\n]+)`/g), ([, quoted = '']) => quoted);

/** The rows of the table with this heading, as cells. */
function tableUnder(heading: string): string[][] {
  const lines = PAGE.slice(PAGE.indexOf(heading)).split('\n').slice(2);
  const end = lines.findIndex((line) => !line.startsWith('|'));
  return lines.slice(0, end).map((line) => line.split('|').slice(1, -1));
}

const tops = tableUnder('| directory | holds | touches');

test('lists the directories of src/ in the order in which they may import each other', () => {
  const listed = tops.map(([dir = '']) => quotedIn(dir)[0]);
  const rules = readFileSync(join(ROOT, '.dependency-cruiser.mjs'), 'utf8');
  const [, list = ''] = /^const LAYERS = \[([^\]]*)\]/m.exec(rules) ?? [];
  const layers = Array.from(list.matchAll(/'(\w+)'/g), ([, layer = '']) => layer);
  expect(listed).toEqual(layers.map((layer) => `${layer}/`));
  expect(dirsIn('src').toSorted()).toEqual(layers.toSorted());
});

describe('leads to files and directories that exist', () => {
  const places = tableUnder('| to change | go to |').flatMap(([what = '', where = '']) => {
    let base = '';
    return quotedIn(where)
      .filter((quoted) => /^[\w./*-]+(?:\/|\.\w+)$/.test(quoted))
      .map((quoted) => {
        // A bare name is beside, or in, the place before it.
        const path = [quoted, join(base, quoted), join(dirname(base), quoted)].find((one) => isThere(one));
        if (path !== undefined) base = path;
        return [what.trim(), quoted, path !== undefined] as const;
      });
  });

  test.each(places)('%s: %s', (_what, _quoted, found) => {
    expect(found).toBe(true);
  });

  test.each(quotedIn(PAGE).filter((quoted) => /^(?:src|scripts|docs|bench)\/[\w./-]+$/.test(quoted)))('%s', (path) => {
    expect(existsSync(join(ROOT, path))).toBe(true);
  });
});

/** A `*` stands for any one directory. */
function isThere(path: string): boolean {
  const [before = '', ...after] = path.split('*/');
  if (after.length === 0) return existsSync(join(ROOT, path));
  return existsSync(join(ROOT, before)) && dirsIn(before).some((name) => isThere(join(before, name, after.join('*/'))));
}
