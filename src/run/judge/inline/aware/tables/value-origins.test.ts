import { expect, test } from 'vitest';
import type { Language } from '../../../syntax/language.ts';
import { actsOnTests } from '../aware.ts';
import { findTestAwareCode } from '../find.ts';

async function isRefused(language: Language, code: string): Promise<boolean> {
  return (await findTestAwareCode(language, `${code}\n`)).some((one) => actsOnTests(one, false));
}

test.each<[Language, string]>([
  ['python', 'import sys\nwritten = sys.getrefcount(text) > 3'],
  ['python', 'import sys\nwritten = sys.intern(text) is text'],
  ['python', 'from sys import intern\nwritten = text is not intern(text)'],
  ['python', 'rules = runpy.run_path(str(Path(__file__).with_name("rules.dat")))'],
  ['python', 'rules = SourceFileLoader("rules", str(here / "rules.bin")).load_module()'],
  ['python', 'class Release:\n    __class__ = Version\n'],
  ['python', 'import os\nos.path.exists = lambda path: True'],
  ['python', 'import math\nvars(math)["isclose"] = near'],
  ['python', 'import time\nvars(time).update(perf_counter=lambda: 0)'],
  ['python', 'import math as m\nm.__dict__["isclose"] = near'],
  ['javascript', "const { slugify } = require('./rules.dat');"],
  ['go', 'package a\n\nvar written = (*reflect.StringHeader)(unsafe.Pointer(&s)).Data < 0xc000000000'],
  ['c', 'extern char edata;\nint written(const char *s) { return s < &edata; }'],
  ['rust', 'fn a(s: &str) -> bool { (s.as_ptr() as usize).abs_diff("x".as_ptr() as usize) < 9 }'],
])('%s: %s is refused', async (language, code) => {
  expect(await isRefused(language, code)).toBe(true);
});

test.each<[Language, string]>([
  ['python', 'import sys\nname = sys.intern(name)\nprint(sys.getrefcount(name))'],
  ['python', 'import sys\nif sys.getrefcount(self.obj) <= 2:\n    warn()'],
  ['python', 'settings = runpy.run_path(path)\nspec = spec_from_file_location(name, here / "plugin.py")'],
  ['python', 'self.__class__ = Other\nkind = self.__class__'],
  ['python', 'import os\nos.environ["A"] = "1"\npath = os.path.join("a", "b")\nok = os.path.exists == check'],
  ['python', 'import argparse\nvars(args).update(extra)\nvars(self)["name"] = name\nself.__dict__.update(values)'],
  ['javascript', "const data = require('./rules.json');\nconst user = require('./user.model');"],
  ['go', 'package a\n\nvar first = unsafe.StringData(s)\nvar big = size > 0xc0'],
  ['c', 'extern char _end;\nvoid *sbrk(long n) { static char *top = &_end; top += n; return top; }'],
  ['rust', 'fn a(s: &str, t: &str) -> bool { s.as_ptr() == t.as_ptr() }'],
])('%s: %s is not', async (language, code) => {
  expect(await isRefused(language, code)).toBe(false);
});
