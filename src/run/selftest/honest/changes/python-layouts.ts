import type { RepositoryVariant } from '../repository-variant.ts';

const TEST_PACKAGE = {
  'words.py': 'def count(text):\n    return len(text.split(" "))\n',
  'test/__init__.py': '',
  'test/texts.py': 'TWO = "a  b"\n',
  'test/test_words.py': `import unittest

from test.texts import TWO
from words import count


class Words(unittest.TestCase):
    def test_one(self):
        self.assertEqual(count("a"), 1)

    def test_two(self):
        self.assertEqual(count(TWO), 2)
`,
};

/** Trees that are laid out so that Python finds something else first. */
export const PYTHON_LAYOUTS: readonly RepositoryVariant[] = [
  {
    name: 'python: tests in a package named test',
    repository: { test: 'python3 -m unittest', files: TEST_PACKAGE },
    script: 'sed -i \'s/split(" ")/split()/\' words.py',
  },
];
