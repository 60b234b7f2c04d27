import { expect, test } from 'vitest';
import { includedLanguages } from './included-files.ts';

const TREE: Readonly<Record<string, string>> = {
  'src/slug.c': '#include "slug.h"\n#  include "parts/tables.inc"\n',
  'src/parts/tables.inc': 'int one;\n',
  'src/lib.rs': 'include!("dash.txt");\n#[path = "more.source"]\nmod more;\n',
  'src/dash.txt': 'fn dash() {}\n',
  'src/more.source': 'fn more() {}\n',
  'run.sh': '. ./settings\nsource "lib/paths.env"\n',
  settings: 'x=1\n',
  'lib/paths.env': 'y=1\n',
  'src/fast.S': '.globl strcmp\n',
  'notes.txt': 'include tables.inc\n',
};

test('a file that a source includes is read as that source', () => {
  const found = includedLanguages(Object.keys(TREE), Object.keys(TREE), (path) => TREE[path] ?? null);
  expect(Object.fromEntries(found)).toEqual({
    'src/parts/tables.inc': 'c',
    'src/dash.txt': 'rust',
    'src/more.source': 'rust',
    settings: 'bash',
    'lib/paths.env': 'bash',
    'src/fast.S': 'c',
  });
});
