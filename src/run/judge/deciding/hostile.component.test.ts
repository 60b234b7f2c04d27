import { expect, test } from 'vitest';
import { decideSample, decisionsOf } from './repository.fixture.ts';
import { C_PROGRAM, NODE_PACKAGE, PYTHON_PACKAGE, MONOREPO } from './samples.fixture.ts';

const LONG = 400_000;

/** Each of these takes minutes where a pattern goes over the text again and again; here the time limit of the test is enough. */
test('texts that are made to be slow are decided on all the same', async () => {
  const node = await decisionsOf(MONOREPO, {
    'tsconfig.json': '/*'.repeat(LONG),
    'packages/new/package.json': '"'.repeat(LONG),
    'packages/new/a.vue': '<script '.repeat(LONG / 8),
  });
  expect(node['tsconfig.json']).toBe('refused: settings_changed');
  const python = await decisionsOf(PYTHON_PACKAGE, {
    'tests/__init__.py': '\n'.repeat(LONG),
    'tox.ini': '['.repeat(LONG),
  });
  expect(python['tests/__init__.py']).toBe('added_test: new_test_support');
  const c = await decisionsOf(C_PROGRAM, { Makefile: `${' '.repeat(LONG)}${'a.c '.repeat(LONG / 4)}` });
  expect(c['Makefile']).toBe('refused: settings_changed');
  for (const line of ['.PHONY: a\n', ' \\\n', 'a.o: a.c\n\tcc\n'])
    expect((await decisionsOf(C_PROGRAM, { Makefile: line.repeat(LONG / 20) }))['Makefile']).toMatch(/^refused/);
});

test('file names that mean something in patterns are only names', async () => {
  const files = {
    ...PYTHON_PACKAGE.files,
    'sluggish/test_(x.py': 'def same(a, b):\n    assert a == b\n',
    'sluggish/[a.json': '{}',
  };
  const patch = {
    'sluggish/[a.json': '',
    'sluggish/test_(x.py': '',
    '(/**/*.py': '',
    '!x': '',
    [`${'a/'.repeat(2000)}conftest.py`]: '',
  };
  const decisions = await decideSample({ ...PYTHON_PACKAGE, files }, patch);
  expect(decisions).toHaveLength(5);
});

test('thousands of new files', async () => {
  const patch = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`src/deep/${at % 50}/file${at}.js`, '']));
  const decisions = await decideSample(NODE_PACKAGE, patch);
  expect(new Set(decisions.map(({ kind }) => kind))).toEqual(new Set(['product']));
});
