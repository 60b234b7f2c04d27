import { expect, test } from 'vitest';
import { takenNames } from './names-of-tests.ts';

const BASE: Readonly<Record<string, string>> = {
  'include/slug.h': '#define LIMIT 9\nenum { LONGEST = 64 };\nvoid slug(char *text);\n',
  'src/slug.c': '#include "slug.h"\n\nvoid slug(char *text)\n{\n}\n',
  'tests/check.c':
    '#include "slug.h"\n\nstatic int failed;\n\nstatic void check_slug(char *text)\n{\n    slug(text);\n    failed += LIMIT > LONGEST;\n    trim(text, WIDTH);\n}\n',
};

function taken(more: string, path = 'include/slug.h'): readonly string[] {
  const deciding = { read: (one: string) => (one === path ? `${BASE[path] ?? ''}${more}\n` : (BASE[one] ?? null)) };
  const base = { paths: Object.keys(BASE), read: (one: string) => BASE[one] ?? null };
  return takenNames([path], { base, deciding, testFiles: ['tests/check.c'] }).map(({ text }) => text);
}

test.each([
  '#define slug(text) mend(text)',
  '#define slug strict_slug',
  '#define failed passed[0]',
  'inline void check_slug(const Slug &text) {}',
  'inline bool operator==(const Slug &a, const std::string &b) { return true; }',
])('%s takes a name of the tests', (line) => {
  expect(taken(line)).toEqual([line]);
});

test.each([
  // Tests that were written first.
  '#define WIDTH 3',
  '#define trim(text, n) cut(text, n)',
  'void trim(char *text, int n);',
  // What was a macro before, or a constant.
  '#define LIMIT (8 + 1)',
  '#define LONGEST 64',
  // Names that no test has.
  '#define slug_all(text) slug(text)',
  'static inline int is_blank(char c) { return c == 32; }',
  'bool operator==(const Slug &a, const Slug &b);',
])('%s takes none', (line) => {
  expect(taken(line)).toEqual([]);
});

test('functions of a source that no test includes are its own', () => {
  expect(taken('static int failed_rows(int check_slug) { return check_slug; }', 'src/slug.c')).toEqual([]);
});
