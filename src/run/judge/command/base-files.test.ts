import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openBaseFiles } from './base-files.ts';

function treeWith(makefile: string): string {
  const dir = mkdtempSync(join(tmpdir(), 'seatrial-base-files-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  writeFileSync(join(dir, 'Makefile'), makefile);
  return dir;
}

const BASE = 'OBJS = a.o\ntest: $(OBJS)\n\tcc -o check $(OBJS)\n\t./check\n';

test.each([
  ['names one more source', BASE.replace('a.o', 'a.o b.o'), true],
  ['names one less', BASE.replace('a.o', ''), false],
  ['names a file of the tests', BASE.replace('a.o', 'a.o tests/b.o'), false],
  ['makes the recipe do less', BASE.replace('./check', 'true'), false],
])('a command means what it meant before the patch: a Makefile that %s', (_how, patched, counts) => {
  const files = openBaseFiles({ scriptsIn: treeWith(BASE), workspace: treeWith(patched) });
  expect(files.command('Makefile')).toBe(counts ? patched : BASE);
});
