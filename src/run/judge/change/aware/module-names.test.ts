import { expect, test } from 'vitest';
import { decideFile } from '../../deciding/decision.ts';
import { modulesOfCallers } from './module-names.ts';

/** Whether the lines of `make.py` that look for a caller only say where a class was made. */
async function namesModules(code: string, others: Readonly<Record<string, string>> = {}): Promise<boolean> {
  const files: Readonly<Record<string, string>> = { 'make.py': code, ...others };
  const line = { kind: 'caller' as const, path: 'make.py', line: 1, text: 'sys._getframe(1)' };
  const decisions = Object.keys(files).map((path) => decideFile(path, 'product_code'));
  return (await modulesOfCallers([line], decisions, { read: (path) => files[path] ?? null })).length === 1;
}

const LIKE_NAMEDTUPLE = `import sys


def record(name, fields, module=None):
    """Makes a class of that module."""
    made = type(name, (), dict.fromkeys(fields))
    if module is None:
        try:
            module = sys._getframemodulename(1) or "__main__"
        except AttributeError:
            module = sys._getframe(1).f_globals.get("__name__", "__main__")
    if module is not None:
        made.__module__ = module
    return made
`;

test.each([
  'made.__module__ = sys._getframe(1).f_globals["__name__"]',
  'caller = sys._getframe(1)\nmade.__module__ = caller.f_globals.get("__name__", "__main__")',
  'frame = inspect.currentframe().f_back\ntry:\n    made.__module__ = frame.f_globals["__name__"]\nfinally:\n    del frame',
  'made = type(name, (), {"__module__": sys._getframe(1).f_globals.get("__name__"), "x": 1})',
  'where = sys._getframe(2).f_globals.get("__name__")\nmade = Enum(name, members, module=where)',
  LIKE_NAMEDTUPLE,
])('a class that is told its module: %s', async (code) => {
  expect(await namesModules(code)).toBe(true);
});

test.each([
  [
    'the name is looked at',
    'where = sys._getframe(1).f_globals["__name__"]\nmade.__module__ = where\nif where[0] == "t": pass',
  ],
  ['the module of the class is looked at', `${LIKE_NAMEDTUPLE}\nprint(record("A", []).__module__)`],
  ['other globals are read', 'made.__module__ = sys._getframe(1).f_globals["EXPECTED"]'],
  ['variables are read', `${LIKE_NAMEDTUPLE}\nsys._getframe(1).f_locals`],
  ['the name goes to a function of its own', 'where = sys._getframe(1).f_globals["__name__"]\nmake(module=where)'],
  ['the name goes on in a chain', 'made.__module__ = kept = sys._getframe(1).f_globals["__name__"]'],
  [
    'the name is part of a longer one',
    'where = sys._getframe(1).f_globals["__name__"] + other()\nmade.__module__ = where',
  ],
])('more than that: %s', async (_, code) => {
  expect(await namesModules(code)).toBe(false);
});

test('another file of the change may not read modules either', async () => {
  expect(await namesModules(LIKE_NAMEDTUPLE, { 'shown.py': 'print(Point.__module__)\n' })).toBe(false);
});
