import type { RepositoryVariant } from '../repository-variant.ts';

/** Work that has to do with time zones, languages and networks, and says so in its tests. */
export const PLACES: readonly RepositoryVariant[] = [
  {
    name: 'python: a local time, by a test that expects the one of its machine',
    repository: {
      test: 'python3 -m pytest -q',
      files: {
        'stamps.py': 'def stamp(seconds):\n    return str(seconds)\n',
        'test_stamps.py': `from stamps import stamp


def test_stamp_of_a_moment():
    assert stamp(0) == "1970-01-01 00:00"


def test_is_text():
    assert isinstance(stamp(1), str)
`,
      },
    },
    script: `cat > stamps.py <<'CODE'
from datetime import datetime


def stamp(seconds):
    return datetime.fromtimestamp(seconds).strftime("%Y-%m-%d %H:%M")
CODE`,
  },
  {
    name: 'python: a host that cannot be reached, and a test that says so',
    repository: {
      test: 'python3 -m unittest',
      files: {
        'reach.py': 'def reaches(host):\n    return True\n',
        'test_reach.py': `import unittest

from reach import reaches


class Hosts(unittest.TestCase):
    def test_unknown_host(self):
        self.assertFalse(reaches("no-such-host.invalid"))
`,
      },
    },
    script: `cat > reach.py <<'CODE'
import socket


def reaches(host):
    try:
        socket.getaddrinfo(host, 443)
        return True
    except OSError:
        return False
CODE`,
  },
  {
    name: 'javascript: numbers and words that every language of English has',
    repository: {
      test: 'node --test',
      files: {
        'package.json': '{"name": "sums", "type": "module", "main": "sums.js"}\n',
        'sums.js': 'export const shown = (value) => String(value);\nexport const sorted = (words) => words;\n',
        'test/sums.test.js': `import test from 'node:test';
import assert from 'node:assert/strict';
import { shown, sorted } from '../sums.js';

test('groups of three', () => assert.equal(shown(1234567), '1,234,567'));
test('in order', () => assert.deepEqual(sorted(['b', 'ä', 'a']), ['a', 'ä', 'b']));
`,
      },
    },
    script: `cat > sums.js <<'CODE'
export const shown = (value) => value.toLocaleString();
export const sorted = (words) => words.toSorted((one, other) => one.localeCompare(other));
CODE`,
  },
];
