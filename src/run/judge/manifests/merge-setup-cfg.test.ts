import { expect, test } from 'vitest';
import { merge } from './merge.fixture.ts';

const base = `[metadata]
name = slug
version = 1.0

[options]
packages = find:
install_requires =
    requests
    # for tests
    pytest-mock

[options.extras_require]
test = pytest
[tool:pytest]
addopts = -ra
`;
test.each<readonly [string, string, string, string]>([
  ['a release', 'version = 1.0', 'version = 1.1', 'version = 1.1\n'],
  ['settings of pytest', 'addopts = -ra', 'addopts = -p evil', 'addopts = -ra\n'],
  [
    'a dependency',
    '    requests\n',
    '    requests>2\n    ms\n',
    'install_requires =\n    requests>2\n    ms\n    pytest-mock\n',
  ],
  ['an extra for tests', 'test = pytest\n', 'test =\n  pytest<1\n', 'test = pytest\n'],
  ['the name', 'name = slug', 'name = pytest', 'name = slug\n'],
])('%s', (_name, from, to, expected) => {
  expect(base).toContain(from);
  expect(merge('setup.cfg', base, base.replace(from, to)).text).toContain(expected);
});

test('plugins of pytest and aliases of commands do not get in', () => {
  const merged = merge(
    'setup.cfg',
    base,
    `${base}[options.entry_points]\nconsole_scripts =\n    slug = slug:main\n    pytest = slug:fake\npytest11 =\n    x = slug\n[aliases]\ntest = x\n[DEFAULT]\naddopts = -p x\n`,
  );
  expect(merged.text).toMatch(/\[options\.entry_points\]\nconsole_scripts =\n {4}slug = slug:main\n$/);
  expect(merged.fromBase).toEqual([
    '"options.entry_points".console_scripts',
    '"options.entry_points".pytest11',
    'aliases',
    'DEFAULT',
  ]);
});

test('a value that looks like a section stays a value', () => {
  const merged = merge(
    'setup.cfg',
    base,
    base.replace('version = 1.0', 'version = 1.1\n  [tool:pytest]\n  addopts = -x'),
  );
  expect(merged.text).toContain('version = 1.1\n    [tool:pytest]\n    addopts = -x\n');
  expect(merged.text).toContain('\n[tool:pytest]\naddopts = -ra\n');
});

test.each([
  ['a section that is there twice', `${base}[metadata]\n`],
  ['an option that is there twice', base.replace('version', 'NAME = x\nversion')],
  ['a line end that only one reader knows', base.replace('version', 'x = y\u2028[tool:pytest]\u2028version')],
  ['a lone carriage return', base.replace('version', 'x = y\r[tool:pytest]\rversion')],
  ['an indented section', ' [metadata]\nname = x\n'],
  ['an option outside of sections', 'name = x\n'],
  ['a line without a value', '[metadata]\nname\n'],
])('%s: refused', (_name, patch) => {
  const merged = merge('setup.cfg', base, patch);
  expect(merged.text).toBe(base);
  expect(merged.problems).toHaveLength(1);
});

test('tox.ini is the base’s, section by section', () => {
  const merged = merge('tox.ini', '[tox]\nenvlist = py\n', '[tox]\nenvlist = py,lint\n[pytest]\naddopts = -x\n');
  expect(merged).toMatchObject({
    text: '[tox]\nenvlist = py\n',
    fromPatch: [],
    fromBase: ['tox.envlist', 'pytest.addopts'],
    problems: [],
  });
});
