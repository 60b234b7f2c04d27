import { expect, test } from 'vitest';
import { normalizeSource } from './normalize-source.ts';
import { findTestAwareCode } from './find.ts';

test('names of Python are searched as Python reads them', async () => {
  const code = await findTestAwareCode('python', 'import sys\ndepth = sys._getfra\u{1D426}e(1)\n');
  expect(code).toMatchObject([{ kind: 'caller', line: 2 }]);
});

test.each(['utf-7', 'unicode_escape', 'raw_unicode_escape', 'punycode'])(
  'a file in %s does not say what it runs',
  async (coding) => {
    const code = await findTestAwareCode('python', `#!/usr/bin/python3\n# -*- coding: ${coding} -*-\nx = 1\n`);
    expect(code).toMatchObject([{ kind: 'hidden', line: 2 }]);
  },
);

test.each(['utf-8', 'latin-1', 'iso_8859_15', 'cp1252', 'ASCII', 'euc-jp'])('a file in %s does', async (coding) => {
  expect(await findTestAwareCode('python', `# coding=${coding}\nx = 1\n`)).toEqual([]);
});

test('words of C that are broken over lines are joined, and lines stay where they are', () => {
  expect(normalizeSource('c', '#def\\\nine str\\\ncmp(a, b) 0\nint a;\n')).toBe('#define strcmp(a, b) 0\n\n\nint a;\n');
  expect(normalizeSource('c', '%:define A 1\n')).toBe('#define A 1\n');
  const macro = '#define SWAP(a, b) do { \\\n    int c = a; \\\n} while (0)\n';
  expect(normalizeSource('c', macro)).toBe(macro);
});
