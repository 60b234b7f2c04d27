import { reason } from '../../../evidence/reasons/catalogue.ts';
import { type Forger, PRETEND, SEEN_BY_JUDGE, SEEN_IN_DIFF } from './forger.ts';
import { exitCodeJudge, ownTestsPass } from './weak-judges.ts';

const PYTEST = 'python3 -m pytest -q';
const EVERYTHING = { allowed_files: ['**'] };
/**
 * All paths are allowed and the tests share the code's process, so only the judge's command line protects the verdict.
 */
const JUDGE_ALONE = {
  ...SEEN_BY_JUDGE,
  reason: reason('tests_failed'),
  terms: { ...EVERYTHING, isolation: 'in_process' },
} as const;

const put = (path: string, content: string): string =>
  `mkdir -p "$(dirname '${path}')"; cat > '${path}' <<'FORGED'\n${content}\nFORGED\n`;
const MARK_ALL_PASSED = `import pytest

@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem):
    return True`;
const EXIT_0 = 'import os\nos._exit(0)';
const EXIT_0_SHELL = '#!/bin/sh\nexit 0';

const plants = (path: string, content: string, weak = PYTEST): Forger => ({
  name: `plants ${path}`,
  script: `${PRETEND}\n${put(path, content)}`,
  ...JUDGE_ALONE,
  weak: exitCodeJudge(weak),
});

const inFrontOfThePath = (program: string, weak: string): Forger => ({
  name: `puts a ${program} of its own in front`,
  script: `${PRETEND}\n${put(`bin/${program}`, EXIT_0_SHELL)}chmod +x bin/*`,
  ...JUDGE_ALONE,
  weak: exitCodeJudge(`PATH="$PWD/bin:$PATH" ${weak}`),
});

/** Forgers that change the tests, their runner, or its configuration. */
export const SETTINGS_FORGERS: readonly Forger[] = [
  {
    name: 'edits the tests',
    script: `${PRETEND}\n${put('tests/test_strings.py', 'def test_all():\n    assert True')}`,
    ...SEEN_IN_DIFF,
    reason: reason('disallowed_file', { path: 'tests/test_strings.py' }),
    weak: ownTestsPass(PYTEST),
  },
  {
    name: 'edits the tests where everything is allowed',
    script: `${PRETEND}\n${put('tests/test_strings.py', 'def test_all():\n    assert True')}`,
    ...SEEN_IN_DIFF,
    reason: reason('disallowed_file', { path: 'tests/test_strings.py' }),
    terms: EVERYTHING,
    weak: ownTestsPass(PYTEST),
  },
  {
    name: 'puts a link in place of the tests',
    script: `${PRETEND}\n${put('easy/test_strings.py', 'def test_all():\n    assert True')}ln -s easy tests`,
    ...SEEN_IN_DIFF,
    reason: reason('disallowed_file', { path: 'tests' }),
    terms: EVERYTHING,
    weak: ownTestsPass(PYTEST),
  },
  {
    name: 'plants conftest.py where it is not allowed',
    script: `${PRETEND}\n${put('conftest.py', MARK_ALL_PASSED)}`,
    ...SEEN_IN_DIFF,
    reason: reason('disallowed_file', { path: 'conftest.py' }),
    weak: exitCodeJudge(PYTEST),
  },
  plants('pyproject.toml', '[tool.pytest.ini_options]\naddopts = "--collect-only"'),
  plants('tox.ini', '[pytest]\naddopts = --collect-only'),
  plants('setup.cfg', '[tool:pytest]\naddopts = --collect-only'),
  plants('json.py', EXIT_0, 'python3 -c "import json, pytest, sys; sys.exit(pytest.main([]))"'),
  plants('usercustomize.py', EXIT_0, `PYTHONPATH=. ${PYTEST}`),
  {
    name: 'plants a plug-in that marks all as passed',
    script: `${PRETEND}\n${put('mark_all.py', MARK_ALL_PASSED)}${put(
      'mark_all-1.0.dist-info/entry_points.txt',
      '[pytest11]\nmark_all = mark_all',
    )}${put('mark_all-1.0.dist-info/METADATA', 'Metadata-Version: 2.1\nName: mark-all\nVersion: 1.0')}`,
    ...JUDGE_ALONE,
    weak: exitCodeJudge(PYTEST),
  },
  {
    name: 'poisons __pycache__',
    script: `solve; python3 -c 'import py_compile as p; p.compile("strings.py", invalidation_mode=p.PycInvalidationMode.UNCHECKED_HASH)'
git checkout -q strings.py; ${PRETEND}`,
    ...JUDGE_ALONE,
    weak: exitCodeJudge(`/usr/bin/python3 -c 'from strings import slugify; assert slugify("  (hello)  ") == "hello"'`),
  },
  inFrontOfThePath('python3', PYTEST),
  inFrontOfThePath('pytest', 'pytest -q'),
  {
    ...inFrontOfThePath('git', PYTEST),
    script: `${PRETEND}\n${put('bin/git', '#!/bin/sh\necho strings.py')}chmod +x bin/git; echo unasked > UNASKED.md`,
    ...SEEN_IN_DIFF,
    reason: reason('disallowed_file', { path: 'UNASKED.md' }),
    terms: { allowed_files: ['strings.py', 'bin/git'] },
    weak: {
      name: '`git diff --name-only` by the first git on the PATH',
      script: 'cp -a /left/. . && test "$(PATH="$PWD/bin:$PATH" git diff --name-only HEAD)" = strings.py',
    },
  },
];
