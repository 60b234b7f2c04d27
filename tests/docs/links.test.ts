import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { PROJECT } from '../support/seatrial.ts';

const pages = ['README.md', 'CONTRIBUTING.md', ...readdirSync(join(PROJECT, 'docs')).map((name) => `docs/${name}`)]
  .filter((path) => path.endsWith('.md'))
  .map((path) => ({ path, text: readFileSync(join(PROJECT, path), 'utf8') }));

/** The anchors that a page offers: its headings, spelled as code hosts spell them. */
const anchorsOf = (text: string): readonly string[] =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

test.each(pages)('every link in $path leads to a file and a heading', ({ path, text }) => {
  const links = [...text.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)];
  const broken = links.filter(([, file = '', anchor]) => {
    const target = file === '' ? path : join(dirname(path), file);
    if (!existsSync(join(PROJECT, target))) return true;
    return anchor !== undefined && !anchorsOf(readFileSync(join(PROJECT, target), 'utf8')).includes(anchor);
  });
  expect(broken.map(([link]) => link)).toEqual([]);
});
