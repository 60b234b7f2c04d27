import { expect, test } from 'vitest';
import { judgeCopies } from '../../judge-copies.fixture.ts';
import type { JudgeRequest, JudgeResult } from '../../types.ts';

const TIMEOUT = { timeout: 60_000 };
const code = (body: string): string => `"""Slugs.

>>> 1 + 1
2
"""
def slugify(text):
    """
    >>> slugify("Hello World")
    'hello-world'
    """
${body}

class Tools:
    def odd(self):
        """
        >>> Tools().odd()
        7
        """
        return 7

    def later(self):
        """
        >>> Tools().later()  # doctest: +SKIP
        1
        """
`;
const HONEST = code("    return text.lower().replace(' ', '-')");
const BASE = code('    return text');
const README = 'Slugs\n=====\n\n>>> from slug import slugify\n>>> slugify("A b")\n\'a-b\'\n';
const IDS = ['README.txt::README.txt', 'slug.py::slug', 'slug.py::slug.Tools.odd', 'slug.py::slug.slugify'];

function judgeTree(slug: string, terms: Partial<JudgeRequest> = {}, more = {}): Promise<JudgeResult> {
  return judgeCopies(
    { tree: { 'slug.py': slug, 'README.txt': README, ...more }, tests: null },
    { testCommand: 'python3 -m doctest slug.py README.txt', isolation: 'in_process', ...terms },
  );
}
const outcomes = ({ seen }: JudgeResult): Record<string, string> =>
  Object.fromEntries(seen.map(({ id, outcome, file }) => [id, `${outcome} in ${file ?? 'no file'}`]));

test('a correct patch passes, every docstring by its name and file', TIMEOUT, async () => {
  const result = await judgeTree(HONEST, { expectedTests: IDS });
  expect(result, result.output).toMatchObject({ verdict: 'pass', faults: [], exitCode: 0, runner: 'doctest' });
  expect(outcomes(result)).toEqual({
    'slug.py::slug': 'passed in slug.py',
    'slug.py::slug.slugify': 'passed in slug.py',
    'slug.py::slug.Tools.odd': 'passed in slug.py',
    'slug.py::slug.Tools.later': 'skipped in slug.py',
    'README.txt::README.txt': 'passed in README.txt',
  });
  expect(result.collected).toEqual(['README.txt', 'slug.py']);
});

test('the base fails, and the output says why', TIMEOUT, async () => {
  const result = await judgeTree(BASE, { expectedTests: IDS });
  expect(result, result.output).toMatchObject({ verdict: 'fail', faults: [{ code: 'tests_failed' }], exitCode: 1 });
  expect(result.output).toContain("Got:\n    'Hello World'");
});

test.for(
  Object.entries({
    'os._exit(0) on import': `import os\nos._exit(0)\n${BASE}`,
    'os._exit(0) in a call': code('    import os; os._exit(0)'),
    'sys.exit(0) on import': `import sys\nsys.exit(0)\n${BASE}`,
    'sys.exit(0) in a call': code('    import sys; sys.exit(0)'),
    'an exit handler': `import atexit, os\natexit.register(os._exit, 0)\n${BASE}`,
  }),
)('%s does not pass', TIMEOUT, async ([, slug]) => {
  for (const expectedTests of [IDS, null]) {
    const result = await judgeTree(slug, { expectedTests });
    expect(result, result.output).toMatchObject({ verdict: 'fail', passed: false });
  }
});

test('a module that does not load is an error by its name, and the others run', TIMEOUT, async () => {
  const more = { 'first.py': 'import not_written_yet\n' };
  const result = await judgeTree(HONEST, { testCommand: 'python3 -m doctest first.py slug.py' }, more);
  expect(result, result.output).toMatchObject({ verdict: 'fail', faults: [{ code: 'tests_failed' }] });
  expect(result.seen).toContainEqual({ id: 'first.py', outcome: 'error', file: 'first.py' });
  expect(outcomes(result)).toMatchObject({ 'slug.py::slug.slugify': 'passed in slug.py' });
});

test('no examples: no tests ran', TIMEOUT, async () => {
  const result = await judgeTree('x = 1\n', { testCommand: 'python3 -m doctest -v slug.py' });
  expect(result.faults[0], result.output).toMatchObject({ code: 'no_tests_ran' });
});

test('single docstrings run alone, and options are kept', TIMEOUT, async () => {
  const only = ['slug.py::slug.slugify'];
  const result = await judgeTree(HONEST, { only });
  expect(result, result.output).toMatchObject({ verdict: 'pass', seen: [{ id: only[0] }] });
  const dotted = { testCommand: 'python3 -m doctest -o ELLIPSIS a.txt' };
  expect(await judgeTree(HONEST, dotted, { 'a.txt': '>>> "abc"\n\'a...c\'\n' })).toMatchObject({ verdict: 'pass' });
});

test('pytest --doctest-modules names them alike', TIMEOUT, async () => {
  const result = await judgeTree(HONEST, { testCommand: 'pytest --doctest-modules slug.py' });
  expect(result, result.output).toMatchObject({ verdict: 'pass', runner: 'pytest' });
  expect(outcomes(result)).toMatchObject({
    'slug.py::slug.slugify': 'passed in slug.py',
    'slug.py::slug.Tools.later': 'skipped in slug.py',
  });
  expect(result.collected).toEqual(['slug.py']);
});
