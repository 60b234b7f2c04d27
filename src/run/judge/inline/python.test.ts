import { expect, test } from 'vitest';
import { parse } from '../syntax/parse.ts';
import { docstringTests } from './python/docstrings.ts';
import { spliceInlineTests } from './splice.ts';

const splice = (base: string, patch: string) => spliceInlineTests('python', base, patch);
const lines = (text: string): readonly string[] => text.split('\n').filter((line) => line.trim() !== '');

const documented = (docstring: string, body = 'return s'): string =>
  `def slug(s):\n    ${docstring === '' ? '' : `${docstring}\n    `}${body}\n`;
const EXAMPLE = `"""Makes a slug.

    >>> slug('A')
    'a'

    Always.
    """`;

test.each<readonly [string, string]>([
  ['changed', EXAMPLE.replace("'a'", "'A'")],
  ['switched off', EXAMPLE.replace("slug('A')", "slug('A') # doctest: +SKIP")],
  ['removed', '"""Makes a slug."""'],
  ['removed with everything', ''],
  ['made a formatted text', EXAMPLE.replace('"""', 'f"""')],
])('an example of a docstring comes back: %s', async (_name, docstring) => {
  const { text, restored } = await splice(documented(EXAMPLE), documented(docstring, 'return s.lower()'));
  expect(text).toContain(`def slug(s):\n    ${EXAMPLE}\n    `);
  expect(lines(text).at(-1)).toBe('    return s.lower()');
  expect(restored).toEqual(['docstring of slug']);
});

test('text around the examples is the patch’s: programs show it as help', async () => {
  const patch = documented(EXAMPLE.replace('Always.', 'Nearly always.'), 'return s.lower()');
  expect(await splice(documented(EXAMPLE), patch)).toMatchObject({ text: patch, restored: [] });
});

test('docstrings of modules, classes, methods and of what is defined under a condition', async () => {
  const base = `'''
>>> 1
1
'''
import sys
class A:
    """
    >>> A().f()
    1
    """
    @property
    def f(self):
        """
        >>> 2
        2
        """
        return 1
if sys:
    def g(): return 1
`;
  const patch = base.replaceAll(/^ *>>> .*\n *\d\n/gm, '').replace('def g(): return 1', 'def g(): return 2');
  expect((await splice(base, patch)).restored).toEqual([
    'docstring of the module',
    'docstring of A',
    'docstring of A.f',
  ]);
  const { text } = await splice(base, patch);
  expect(text).toBe(base.replace('return 1\n`', 'return 1').replace('def g(): return 1', 'def g(): return 2'));
});

test('a docstring goes into a function of one line, and is lost with a function that is gone', async () => {
  const base = 'def g():\n    ">>> 1"\n    return 1\n';
  expect((await splice(base, 'def g(): return 2\n')).text).toBe('def g(): ">>> 1"; return 2\n');
  expect(await splice(base, 'x = 1\n')).toMatchObject({ text: 'x = 1\n', lost: ['docstring of g'] });
});

const TESTS = `class TestSlug(unittest.TestCase):
    def test_lower(self):
        self.assertEqual(slug('A'), 'a')`;

test('tests in the module itself are the base’s, with what they import', async () => {
  const base = `import unittest\n\ndef slug(s):\n    return s\n\n${TESTS}\n\nif __name__ == '__main__':\n    unittest.main()\n`;
  const weak = base.replace("'a')", "'A')").replace('return s', 'return s.lower()');
  const changed = await splice(base, weak);
  expect(lines(changed.text)).toEqual(lines(base.replace('return s', 'return s.lower()')));
  expect(changed).toMatchObject({ restored: ['class TestSlug(unittest.TestCase):'] });
  const removed = await splice(base, 'def slug(s):\n    return s.lower()\n');
  const [first = '', ...rest] = lines(base.replace('return s', 'return s.lower()'));
  expect(lines(removed.text)).toEqual([...rest.slice(0, 2), first, ...rest.slice(2)]);
});

test.each<readonly [string, string]>([
  ['a function', 'def test_slug():\n    assert slug("A") == "a"'],
  ['a decorated one', '@pytest.mark.parametrize("a", [1])\ndef test_slug(a):\n    assert a'],
  ['a class of pytest', 'class TestSlug:\n    def test_a(self):\n        assert slug("A") == "a"'],
  ['examples in a table', '__test__ = {"x": ">>> 1"}'],
])('a test of the base comes back: %s', async (_name, code) => {
  expect(lines((await splice(`x = 1\n${code}\n`, 'x = 2\n')).text)).toEqual(['x = 2', ...lines(code)]);
  expect(lines((await splice('x = 1\n', `x = 1\n${code}\n`)).text)).toEqual(['x = 1']);
});

test.each<readonly [string, string]>([
  ['a function named like a test', 'def test_connection(host):\n    return ping(host)'],
  ['a class named like a test', 'class TestServer:\n    def start(self):\n        pass'],
  ['a program', 'if __name__ == "__main__":\n    main()'],
])('the product’s: %s', async (_name, code) => {
  expect(await splice('x = 1\n', `x = 1\n${code}\n`)).toMatchObject({ text: `x = 1\n${code}\n`, removed: [] });
});

test('docstrings with examples are there as data too', async () => {
  const tree = await parse(
    'python',
    `'''m'''\nclass A:\n    def f(self):\n        r'''\n        >>> 1\n        1\n        '''\n`,
  );
  expect(docstringTests(tree!.root)).toEqual([
    { name: 'A.f', literal: "r'''\n        >>> 1\n        1\n        '''", line: 4 },
  ]);
});
