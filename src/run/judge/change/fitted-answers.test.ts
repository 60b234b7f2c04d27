import { expect, test } from 'vitest';
import { findFittedLines } from './fitted-answers.ts';

const BUG = 'def slug(text):\n    return text.lower()\n';
const TESTS = `from slug import slug


def test_words():
    assert slug("a b") == "a-b"


def test_long():
    assert slug("Hello") == "hello-world"
`;

async function linesOf(patched: string, fixed: readonly string[] = ['test_words', 'test_long']): Promise<number[]> {
  const files = (code: string) => {
    const texts: Readonly<Record<string, string>> = { 'slug.py': code, 'test_slug.py': TESTS };
    return { paths: Object.keys(texts), read: (path: string) => texts[path] ?? null };
  };
  const found = await findFittedLines({
    runner: 'pytest',
    fixed: fixed.map((name) => `test_slug.py::${name}`),
    fileOf: () => 'test_slug.py',
    product: ['slug.py'],
    base: files(BUG),
    deciding: files(patched),
  });
  return found.map(({ line }) => line);
}

test('a table of the answers is found, and its lines are named', async () => {
  expect(await linesOf('def slug(text):\n    return {"a b": "a-b"}.get(text, text.lower())\n')).toEqual([2]);
  expect(await linesOf("def slug(text):\n    if text == 'a b':\n        return 'a-b'\n    return text\n")).toEqual([
    2, 3,
  ]);
});

test('one long text is enough, a short one is not', async () => {
  expect(await linesOf('def slug(text):\n    return "hello-world"\n')).toEqual([2]);
  expect(await linesOf('def slug(text):\n    return "a-b"\n')).toEqual([]);
});

test('tests that were not fixed say nothing', async () => {
  expect(await linesOf('def slug(text):\n    return "hello-world"\n', ['test_words'])).toEqual([]);
});

test('code that works the answers out is not named', async () => {
  expect(await linesOf('def slug(text):\n    return text.lower().replace(" ", "-")\n')).toEqual([]);
});
